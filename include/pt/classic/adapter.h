/* adapter.h - a classic protothread as a task of the loop
 * SPDX-License-Identifier: MIT
 *
 * The thread's file includes the classic pt.h and has one function, which calls the thread:
 *
 *     char blink_step(void *state)
 *     {
 *         return blink((struct pt *)state);
 *     }
 *
 * The file with the loop includes this header. It does not need to know the type of the state:
 *
 *     static PT_TASK(pt_classic) led;
 *
 *     PT_START(&loop, &led, pt_classic, .step = blink_step, .state = blink_state);
 *
 * A thread that waits is called again every POLL ticks, or in each turn if POLL is 0: classic
 * threads check by themselves whether they can continue. With PT_DELAY_NEVER it is called again
 * after a pt_wake. A thread that yields is called again in the next turn. When it exits or ends, so
 * does the task. After a cancel or a timeout the task does not call the thread again. */
#ifndef PT_CLASSIC_ADAPTER_H
#define PT_CLASSIC_ADAPTER_H

#include "../pt.h"

/* What a step returns: the numbers of the classic pt.h. */
enum { PT_CLASSIC_WAITING, PT_CLASSIC_YIELDED, PT_CLASSIC_EXITED, PT_CLASSIC_ENDED };

/* The frame of the resumable function pt_classic. */
struct pt_classic {
    struct pt pt;
    char (*step)(void *state); /* calls the thread; set by the caller */
    void *state;               /* passed to step; set by the caller */
#if PT_HAS_TIMERS_
    pt_time poll; /* ticks between two calls while it waits; set by the caller */
#endif
    char said; /* what the thread returned last; set here */
};

PT_API PT_ASYNC(pt_classic, self)
{
    while ((self->said = self->step(self->state)) < PT_CLASSIC_EXITED) {
#if PT_HAS_TIMERS_
        if (self->said == PT_CLASSIC_WAITING && self->poll == PT_DELAY_NEVER)
            PT_PARK();
        else if (self->said == PT_CLASSIC_WAITING && self->poll != 0)
            PT_WAIT(self->poll);
        else
#endif
            PT_YIELD();
    }
}
PT_END

#endif
