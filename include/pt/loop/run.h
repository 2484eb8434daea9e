/* run.h - how a loop is run: on a port, or in a task of another loop
 * SPDX-License-Identifier: MIT
 *
 *     pt_loop_open(&loop, &pt_posix);
 *     PT_START(&loop, &task, rocket, .countdown = 3);
 *     pt_loop_run(&loop);
 *     pt_loop_close(&loop);
 *
 * pt_loop_async, below, is a task of one loop that runs another loop. */
#ifndef PT_RUN_H
#define PT_RUN_H

#include "turn.h"

#if PT_PORT

#if PT_POOLS
PT_API void pt_loop_free_task_(struct pt_owner *heap, struct pt_task *task)
{
    struct pt_loop *loop =
        (struct pt_loop *)(void *)((char *)heap - offsetof(struct pt_loop, heap));

    loop->port->resize(loop->port->context, task, 0);
}
#endif

/* pt_loop_open - open a loop that uses a port's clock and, if it has any, its memory
 * With memory, the loop's storage grows with the number of tasks. PORT must outlive the loop. */
PT_API void pt_loop_open(struct pt_loop *loop, const struct pt_port *port)
{
    pt_loop_init(loop, port->now(port->context));
    loop->port = port;
    PT_IF_(PT_POOLS, loop->heap.release = pt_loop_free_task_;)
}

/* Give a block back to the port, if the port has memory. */
PT_API void pt_loop_free_(const struct pt_loop *loop, void *block)
{
    if (block && loop->port && loop->port->resize)
        loop->port->resize(loop->port->context, block, 0);
}

/* pt_loop_close - close a loop, and give its storage back to the port; no task may be alive */
PT_API void pt_loop_close(struct pt_loop *loop)
{
    PT_IF_(PT_REMOTE, pt_loop_shut(loop);)
    PT_ASSERT_(!loop->live, "tasks are still alive", "pt_loop_close");
    PT_IF_(PT_TIMERS_STORAGE_, pt_loop_free_(loop, loop->timers.heap.entries);)
    PT_IF_(PT_READY_STORAGE_, pt_loop_free_(loop, loop->ready.ring);)
    PT_IF_(PT_LOOP_HAS_STORAGE_, loop->capacity = 0;)
    loop->port = NULL;
}

/* Sleep until the time is NEXT or something is posted; false: nothing can happen any more. */
PT_API bool pt_loop_sleep_until_(struct pt_loop *loop, pt_time now, pt_time next)
{
    bool more;

    PT_IF_(PT_REMOTE, if (!pt_loop_may_sleep_(loop)) return true;)
    more = loop->port->idle(loop->port->context, now, next);
    PT_IF_(PT_REMOTE, pt_port_swap_(&loop->sleeping_port, NULL);)
    return more;
}

/* pt_loop_run - run turns, and sleep between them, until no task is alive
 * Returns PT_OK, or PT_EDEADLK when tasks are left and the port reports that nothing will ever
 * wake one. */
PT_API pt_status pt_loop_run(struct pt_loop *loop)
{
    const struct pt_port *port = loop->port;

    while (pt_loop_live(loop)) {
        pt_time now = port->now(port->context), next = pt_loop_turn(loop, now);

        PT_IF_(PT_HAS_TIMERS_, now = loop->now;) /* a task can have moved it: pt_loop_update */
        if (pt_loop_live(loop) && next != now && !pt_loop_sleep_until_(loop, now, next))
            return PT_EDEADLK;
    }
    return PT_OK;
}

#endif

/* --- in a task of another loop -------------------------------------------------------------- */

#if PT_NESTING

/* pt_loop_async - a task of an outer loop that runs an inner loop
 *
 *     PT_START(&outer, &inner_task, pt_loop_async, .loop = &inner);
 *
 * While the inner loop has work, this task runs one turn of it in each turn of the outer loop.
 * Otherwise the task sleeps in the outer loop: until the inner loop's next deadline, until slow
 * motion allows the next turn, or until a task of the inner loop is spawned, woken or resumed. It
 * never polls. Pausing the task pauses everything inside; with timers inside, do not pause it for
 * longer than PT_DELAY_MAX. The task ends with PT_OK when the inner loop has no live task. When it
 * is canceled, it cancels all tasks of the inner loop, and ends after them; if it was canceled
 * before its first turn, it leaves them alone. A timeout around it does the same; with PT_CANCEL 0,
 * the task ends at once, and the inner loop stops until it is run again.
 *
 * A loop has one such task at a time: a second one ends at once with PT_EBUSY. A task that would
 * run its own loop, or a loop around that, ends at once with PT_EDEADLK. */
struct pt_loop_async {
    struct pt pt;
    struct pt_loop *loop; /* the inner loop; the caller owns it */
    unsigned char opcode; /* how it waits for its next turn; private */
};

/* Run a turn of the inner loop, and choose the opcode that waits for the next turn; false: no task
 * is left. */
PT_API bool pt_loop_async_turn_(struct pt_loop_async *self, struct pt_task *task)
{
    pt_time next = pt_loop_turn(self->loop, task->node.at);

    if (!pt_loop_live(self->loop))
        return false; /* node.at is still the time: PT_FINALLY runs another turn */
    self->opcode = PT_OP_WAIT;
    if (next == self->loop->now)
        self->opcode = PT_OP_YIELD;
    else if ((pt_time)(next - self->loop->now) == PT_DELAY_NEVER)
        self->opcode = PT_OP_PARK;
    else /* a task of the inner loop can have moved the outer loop past NEXT */
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
        PT_RETURN(self->pt.result); /* another task runs the loop */
    PT_IF_(PT_CANCEL,
           pt_loop_cancel(self->loop, PT_ECANCELED);) /* at a normal end no task is left */
    while (PT_CANCEL && pt_loop_async_turn_(self, pt_current_))
        PT_SUSPEND_(self->opcode);
#endif
    self->loop->host = NULL;
}
PT_END

#endif

#endif
