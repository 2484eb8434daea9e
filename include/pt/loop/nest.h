/* nest.h - a loop that is a task of another loop
 * SPDX-License-Identifier: MIT
 *
 *     PT_START(&outer, &inner_task, pt_loop_async, .loop = &inner);
 *
 * One turn of the inner loop in each turn of the outer, while it has work. Otherwise its task
 * sleeps in the outer loop, until the inner's next deadline, until its slow motion lets it go
 * on, or until a task of the inner is spawned, woken or resumed: it never polls. Pausing it
 * pauses all that is inside; with timers there, for PT_DELAY_MAX at the most. It ends, with PT_OK,
 * when the inner loop has no live task. Cancelled, it cancels all tasks of the inner loop, and
 * ends when they have; before its first turn, it leaves them alone. A timeout around it does the same;
 * with PT_CANCEL 0, it ends at once, and the inner loop stands still until it is run again.
 *
 * A loop has one such task at a time: another one ends at once with PT_EBUSY, and with PT_EDEADLK one
 * that would run its own loop, or one around that. */
#ifndef PT_NEST_H
#define PT_NEST_H

#include "turn.h"

#if PT_NESTING

/* The frame of the resumable function pt_loop_async. */
struct pt_loop_async {
    struct pt pt;
    struct pt_loop *loop; /* the inner loop; the caller's */
    unsigned char opcode; /* how it rests until its next turn, an opcode; written here */
};

/* A turn of the inner loop, and what the outer is to do until the next; whether there is one. */
PT_API bool pt_loop_async_turn_(struct pt_loop_async *self, struct pt_task *task)
{
    pt_time next = pt_loop_turn(self->loop, task->node.at);

    if (!pt_loop_live(self->loop))
        return false; /* node.at stays the time: PT_FINALLY has one more turn */
    self->opcode = PT_OP_WAIT;
    if (next == self->loop->now)
        self->opcode = PT_OP_YIELD;
    else if ((pt_time)(next - self->loop->now) == PT_DELAY_NEVER)
        self->opcode = PT_OP_PARK;
    else /* a task of the inner loop may have moved the outer on, past that */
        (void)pt_wait_(task, pt_time_until_(task->node.at, next));
    return true;
}

PT_API PT_ASYNC(pt_loop_async, self)
{
    if (self->loop->current || self->loop->host)
        PT_RETURN(self->loop->current ? PT_EDEADLK : PT_EBUSY);
    self->loop->host = pt_current_;
    while (pt_loop_async_turn_(self, pt_current_))
        PT_SUSPEND_(self->opcode);
#if PT_HAS_INTERRUPTS_
    PT_FINALLY
    if (self->loop->host != pt_current_)
        PT_RETURN(self->pt.result); /* another one's */
#if PT_CANCEL
    pt_loop_cancel(self->loop, PT_ECANCELED); /* of no effect unless this task was cancelled */
    while (pt_loop_async_turn_(self, pt_current_))
        PT_SUSPEND_(self->opcode);
#endif
#endif
    self->loop->host = NULL;
}
PT_END

#endif
#endif
