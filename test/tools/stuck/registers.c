/* registers.c - an event to which only a register of another thread leads, as far as pt-ps can see
 * SPDX-License-Identifier: MIT
 *
 * pt_find_stuck cannot read that register. For x86-64. */
#include "../../../examples/stuck/scene.h"

#include <pthread.h>
#include <sys/syscall.h>

struct waits {
    struct pt pt;
    struct pt_event *event;
};

static PT_ASYNC(waits, self)
{
    PT_WAIT_EVENT(self->event);
}
PT_END

/* HIDDEN is the complement of the pointer. */
static void *holds(void *hidden)
{
    __asm__ volatile("not %%rdi\n"
                     "1: mov %0, %%eax\n"
                     "syscall\n"
                     "jmp 1b" ::"i"(SYS_pause),
                     "D"(hidden)
                     : "rax", "rcx", "r11", "memory");
    return NULL;
}

static void scene(struct pt_loop *loop)
{
    struct pt_event *event = NEW(struct pt_event);
    pthread_t thread;

    pt_event_init(event);
    PT_START_NEW(loop, waits, .event = event);
    if (pthread_create(&thread, NULL, holds, (void *)~(uintptr_t)event))
        abort();
}
