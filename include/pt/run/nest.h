/* nest.h - a loop that runs in a task of another loop
 * SPDX-License-Identifier: MIT
 *
 *     PT_START(&outer, &inner_task, pt_loop_async, .loop = &inner); */
#ifndef PT_NEST_H
#define PT_NEST_H

#include "run.h"

#if PT_NESTING

/* pt_loop_async - a task of an outer loop that runs an inner loop
 * While the inner loop has work, this task runs one turn of it in each turn of the outer loop.
 * Otherwise the task sleeps in the outer loop: until the inner loop's next deadline, until slow
 * motion allows the next turn, or until a task of the inner loop is spawned, woken or resumed. It
 * never polls. Pausing the task pauses everything inside; with timers inside, do not pause it for
 * longer than PT_DELAY_MAX. The task ends with PT_OK when the inner loop has no live task. When it
 * is canceled, it cancels all tasks of the inner loop, and ends after them. A timeout around it
 * does the same, and so PT_NESTING and PT_TIMEOUTS switch PT_CANCEL on; if a program sets PT_CANCEL
 * to 0, the task ends at once, and the inner loop stops until it is run again.
 *
 * A loop has one such task at a time: a second one ends at once with PT_EBUSY. A task that would
 * run its own loop, or a loop around that, ends at once with PT_EDEADLK. */
struct pt_loop_async {
    struct pt pt;
    struct pt_loop *loop; /* the inner loop; the caller owns it */
    unsigned char opcode; /* how it waits for its next turn; private */
};

PT_API PT_DECLARE(pt_loop_async);

/* --- implementation ------------------------------------------------------------------------ */

/* Run a turn of the inner loop, and choose the opcode that waits for the next turn; false: no task
 * is left. */
PT_API bool pt_loop_async_turn_(struct pt_loop_async *self, struct pt_task *task)
{
    pt_time next = pt_loop_turn(self->loop, pt_now_(task));

    if (!pt_loop_live(self->loop))
        return false; /* PT_FINALLY runs a turn: node.at stays, the time if there is no pt_clock_ */
    self->opcode = PT_OP_WAIT;
    if (next == self->loop->now)
        self->opcode = PT_OP_YIELD;
    else if ((pt_time)(next - self->loop->now) == PT_DELAY_NEVER)
        self->opcode = PT_OP_PARK;
    else /* a task of the inner loop can have moved the outer loop past NEXT */
        (void)pt_wait_(task, pt_time_until_(pt_turn_time_(task), next));
    return true;
}

PT_API PT_ASYNC(pt_loop_async, self)
{
    if (self->loop->current || self->loop->host)
        PT_RETURN(self->loop->current ? PT_EDEADLK : PT_EBUSY);
    self->loop->host = pt_current_;
    pt_task_set_why_(pt_current_, PT_WHY_HOST_);
    pt_loop_listened_(self->loop);
    while (pt_loop_async_turn_(self, pt_current_))
        PT_SUSPEND_(self->opcode);
#if PT_HAS_INTERRUPTS_
    PT_FINALLY
    if (self->loop->host != pt_current_)
        PT_RETURN(self->pt.result); /* another task runs the loop */
    PT_IF_(PT_CANCEL,
           pt_loop_cancel(self->loop, PT_ECANCELED);) /* at a normal end no task is left */
    while (PT_CANCEL && pt_loop_async_turn_(self, pt_current_))
        PT_SUSPEND_(self->opcode);
#endif
    self->loop->host = NULL;
    pt_task_set_why_(pt_current_, 0);
    pt_loop_listened_(self->loop);
}
PT_END

#endif
#endif
