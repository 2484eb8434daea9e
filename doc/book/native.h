/* native.h - a stack of one's own: an ordinary function that waits as a task does
 * SPDX-License-Identifier: MIT */
#ifndef NATIVE_H
#define NATIVE_H

#include "pt.h"

#include <ucontext.h>

enum { NATIVE_BYTES = 64 * 1024 };

/* The frame of a task whose body runs on a stack. */
struct native {
    struct pt pt;
    void (*body)(struct native *self);
    void *argument;
    pt_time delay; /* what the body asks for; none: a yield */
    bool sleeps, done;
    ucontext_t inside, outside;
    char stack[NATIVE_BYTES];
};

//- begin
static struct native *native_first; /* makecontext passes no pointers */

static inline void native_main_(void)
{
    struct native *self = native_first;

    self->body(self);
    self->done = true;
    swapcontext(&self->inside, &self->outside);
}

//- bridge
/* The resumable function that stands for it: it switches in, and asks the loop for what comes out. */
static inline PT_ASYNC(native, self)
{
    getcontext(&self->inside);
    self->inside.uc_stack.ss_sp = self->stack;
    self->inside.uc_stack.ss_size = NATIVE_BYTES;
    self->done = false;
    makecontext(&self->inside, native_main_, 0);
    for (;;) {
        native_first = self;
        swapcontext(&self->outside, &self->inside);
        if (self->done)
            break;
        if (self->sleeps)
            PT_WAIT(self->delay);
        else
            PT_YIELD();
    }
}
PT_END

//- calls
/* native_wait - from the body, at any depth of its calls */
static inline void native_wait(struct native *self, pt_time delay)
{
    self->sleeps = true;
    self->delay = delay;
    swapcontext(&self->inside, &self->outside);
}

static inline void native_yield(struct native *self)
{
    self->sleeps = false;
    swapcontext(&self->inside, &self->outside);
}

//- tail
#endif
