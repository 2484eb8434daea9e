/* inside.c - loops to which no global leads; in one of them a body stands still, and a call of malloc ends the program
 * SPDX-License-Identifier: MIT */
#include "attach.h"

#include <pt/posix.h>

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

void *__libc_malloc(size_t size);

static volatile bool standing;

void *malloc(size_t size)
{
    if (standing)
        abort(); /* a debugger has called it */
    return __libc_malloc(size);
}

struct stander {
    struct pt pt;
};

PT_ASYNC(stander, self)
{
    (void)self;
    PT_YIELD();
    puts("end");
    fflush(stdout);
    standing = true;
    for (;;)
        pause();
}
PT_END

struct sleeper {
    struct pt pt;
};

PT_ASYNC(sleeper, self)
{
    (void)self;
    PT_WAIT(PT_SEC(100));
}
PT_END

typedef PT_TASK(sleeper) sleeper_task;

static void begin(struct pt_loop *loop, sleeper_task *task)
{
    pt_loop_open(loop, &pt_posix);
    (void)!PT_START(loop, task, sleeper);
    (void)pt_loop_turn(loop, pt_posix.now(pt_posix.context));
}

__attribute__((noinline)) static void begin_hidden(void)
{
    static struct pt_loop hidden;
    static sleeper_task task;

    begin(&hidden, &task);
    __asm__ volatile("");
}

static __thread struct pt_loop of_thread;
static pthread_barrier_t begun;

static void *thread(void *context)
{
    static __thread sleeper_task task;

    begin(&of_thread, &task);
    (void)pthread_barrier_wait(&begun);
    for (;;)
        pause();
    return context;
}

int main(void)
{
    static struct pt_loop loop;
    static PT_TASK(stander) task;
    pthread_t other;

    let_attach();
    begin_hidden();
    (void)pthread_barrier_init(&begun, NULL, 2);
    if (pthread_create(&other, NULL, thread, NULL))
        return 1;
    (void)pthread_barrier_wait(&begun);
    pt_loop_open(&loop, &pt_posix);
    (void)!PT_START(&loop, &task, stander);
    (void)pt_loop_run(&loop);
}
