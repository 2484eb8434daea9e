/* nest.h - a loop that is a task of another loop
 * SPDX-License-Identifier: MIT
 *
 *     PT_START(&outer, &inner_task, pt_loop_async, .loop = &inner);
 *
 * One turn of the inner loop in each turn of the outer, while it has work. Otherwise its task
 * sleeps in the outer loop, until the inner's next deadline, until its slow motion lets it go
 * on, or until a task of the inner is spawned, woken or resumed: it never polls. Pausing it
 * pauses all that is inside; with timers there, for PT_DELAY_MAX at the most. It ends, with PT_OK, when the inner loop has no live task. */
#ifndef PT_NEST_H
#define PT_NEST_H

#include "turn.h"

#if PT_NESTING

/* The frame of the resumable function pt_loop_async. */
struct pt_loop_async {
    struct pt pt;
    struct pt_loop *loop; /* the inner loop; the caller's */
    pt_time next;         /* when it wants its next turn; written here */
};

PT_API PT_ASYNC(pt_loop_async, self)
{
    self->loop->host = pt_task_;
    while (self->next = pt_loop_turn(self->loop, PT_NOW()), pt_loop_live(self->loop)) {
        if (self->next == PT_NOW())
            PT_YIELD();
        else if ((pt_time)(self->next - PT_NOW()) == PT_DELAY_NEVER)
            PT_PARK();
        else
            PT_WAIT_UNTIL(self->next);
    }
    self->loop->host = NULL;
}
PT_END

#endif
#endif
