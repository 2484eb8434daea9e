/* backend.c - stacks for bodies built with PT_BACKEND_NATIVE: one pool for all threads
 * SPDX-License-Identifier: MIT */
#undef PT_BACKEND
#undef PT_OTHER_KNOBS
#define PT_BACKEND 1
#define PT_OTHER_KNOBS 1 /* in libpt and in programs */
#include "../fork.h"

#include <pt/coroutine/backend.h>

enum { STACK_BYTES = 64 << 10 };

static struct pt_stacks stacks;

void *pt_backend_take_(const char *name, size_t *bytes)
{
    void *stack;

    pt_mutex_lock_(PT_MUTEX_BACKEND_);
    if (!stacks.bytes)
        pt_stacks_init(&stacks, STACK_BYTES, PT_STACKS_GUARDED);
    stack = pt_stack_take(&stacks, name);
    pt_mutex_unlock_(PT_MUTEX_BACKEND_);
    *bytes = stacks.bytes;
    return stack;
}

void pt_backend_give_(void *stack)
{
    pt_mutex_lock_(PT_MUTEX_BACKEND_);
    pt_stack_give(&stacks, stack);
    pt_mutex_unlock_(PT_MUTEX_BACKEND_);
}
