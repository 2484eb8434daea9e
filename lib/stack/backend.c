/* backend.c - stacks for bodies built with PT_BACKEND_NATIVE: one pool for all threads
 * SPDX-License-Identifier: MIT */
#undef PT_BACKEND
#undef PT_OTHER_KNOBS
#define PT_BACKEND 1
#define PT_OTHER_KNOBS 1 /* in libpt and in programs */
#include <pt/coroutine/backend.h>

#include <pthread.h>

enum { STACK_BYTES = 64 << 10 };

static struct pt_stacks stacks;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void *pt_backend_take_(const char *name, size_t *bytes)
{
    void *stack;

    pthread_mutex_lock(&lock);
    if (!stacks.bytes)
        pt_stacks_init(&stacks, STACK_BYTES, PT_STACKS_GUARDED);
    stack = pt_stack_take(&stacks, name);
    pthread_mutex_unlock(&lock);
    *bytes = stacks.bytes;
    return stack;
}

void pt_backend_give_(void *stack)
{
    pthread_mutex_lock(&lock);
    pt_stack_give(&stacks, stack);
    pthread_mutex_unlock(&lock);
}
