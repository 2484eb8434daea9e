/* nest.h - a loop that runs in a task of another loop; and the cancel of a loop, which goes into it
 * SPDX-License-Identifier: MIT
 *
 *     PT_START(&outer, &inner_task, pt_loop_async, .loop = &inner); */
#ifndef PT_NEST_H
#define PT_NEST_H

#include "run.h"

#define PT_HAS_LOOP_CANCEL_ PT_AND_(PT_CANCEL, PT_HAS_MEMBERS_)

#if PT_HAS_LOOP_CANCEL_
/* pt_loop_cancel - cancel every task of a loop, each at the cost of pt_cancel; O(tasks)
 * The tasks of a group end with its block. A task in a cleanup ends after it, but the tasks that it
 * has started end now: a group that a cleanup has opened is canceled. So is each group of a task
 * that was canceled before, or just now with such a group, and is still in a cleanup; and the loop
 * that it runs there (pt_loop_async). Returns whether it has canceled anything. All tasks have
 * ended when pt_loop_live returns 0.
 *
 * A cleanup that begins later can open another group. So this ends a loop that is deadlocked:
 *
 *     while (pt_loop_run(&loop) == PT_EDEADLK && pt_loop_cancel(&loop, PT_ECANCELED)) {
 *     }
 *
 * Tasks that are left then are in cleanups, and wait for what never comes: a wait that can last
 * needs a time of its own, there, too. */
PT_API bool pt_loop_cancel(struct pt_loop *loop, pt_code_ reason);
#endif

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
    struct pt_loop *loop;         /* the inner loop; the caller owns it */
    unsigned char opcode;         /* how it waits for its next turn; private */
    struct pt_loop_async *beside; /* the next that runs a loop in this one; private */
};

PT_API PT_DECLARE(pt_loop_async);

/* --- implementation ------------------------------------------------------------------------ */

/* Run a turn of the inner loop, and choose the opcode that waits for the next turn; false: no task
 * is left. */
PT_API bool pt_loop_async_turn_(struct pt_loop_async *self, struct pt_task *task)
{
    pt_time next;

    pt_loop_set_delay_clock_(self->loop, pt_task_loop_(task)->sleepers.port);
    next = pt_loop_turn(self->loop, pt_now_(task));
    if (!pt_loop_live(self->loop))
        return false; /* PT_FINALLY runs a turn: node.at stays, the time if there is no pt_clock_ */
    self->opcode = PT_OP_WAIT;
    if (next == self->loop->now)
        self->opcode = PT_OP_YIELD;
    else if ((pt_time)(next - self->loop->now) == PT_DELAY_NEVER)
        self->opcode = PT_OP_PARK;
    else /* a task of the inner loop can have moved the outer loop past NEXT */
        (void)pt_wait_until_(task, pt_time_until_(pt_turn_time_(task), next));
    return true;
}

/* List INNER, which runs a loop in a task of OUTER: pt_loop_cancel walks that list. */
PT_API void pt_loop_nest_(struct pt_loop *outer, struct pt_loop_async *inner)
{
    inner->beside = outer->nested;
    outer->nested = inner;
}

PT_API void pt_loop_unnest_(struct pt_loop *outer, const struct pt_loop_async *inner)
{
    struct pt_loop_async **link = &outer->nested;

    while (*link != inner)
        link = &(*link)->beside;
    *link = inner->beside;
}

PT_API PT_ASYNC(pt_loop_async, self)
{
    if (self->loop->current || self->loop->host)
        PT_RETURN(self->loop->current ? PT_EDEADLK : PT_EBUSY);
    self->loop->host = pt_current_;
    pt_loop_nest_(pt_task_loop_(pt_current_), self);
    pt_task_set_why_(pt_current_, PT_WHY_HOST_);
    pt_loop_update_reports_(self->loop);
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
    pt_loop_unnest_(pt_task_loop_(pt_current_), self);
    self->loop->host = NULL;
    pt_loop_set_delay_clock_(self->loop, NULL);
    pt_task_set_why_(pt_current_, 0);
    pt_loop_update_reports_(self->loop);
}
PT_END

/* INNER, or the first beside it that is in a cleanup; or NULL. */
PT_API struct pt_loop_async *pt_loop_in_cleanup_(struct pt_loop_async *inner)
{
    while (inner && !pt_depth_(&inner->pt))
        inner = inner->beside;
    return inner;
}

/* The next loop after AT that runs in a cleanup within the loop OUTER, at any depth; or NULL. */
PT_API struct pt_loop *pt_loop_next_within_(const struct pt_loop *outer, struct pt_loop *at)
{
    struct pt_loop_async *next = pt_loop_in_cleanup_(at->nested);

    while (!next && at != outer) { /* its host is in a cleanup, and awaits nothing */
        next = (struct pt_loop_async *)(void *)pt_task_top_(at->host);
        next = pt_loop_in_cleanup_(next->beside);
        at = pt_task_loop_(at->host);
    }
    return next ? next->loop : NULL;
}
#else
#define pt_loop_next_within_(outer, at) NULL
#endif

#if PT_HAS_LOOP_CANCEL_
/* A cancel of the loop comes to a task. Returns whether that was news for it, or for a group. */
PT_API bool pt_loop_cancel_task_(struct pt_task *task, pt_code_ reason)
{
    bool told = pt_task_cancel_groups_(task, reason);

    if (PT_GROUPS && (pt_task_flags_(task) & PT_FLAG_MEMBER_))
        return told; /* its group tells it */
    told |= !pt_task_canceled(task);
    pt_cancel(task, reason);
    return told;
}

PT_API bool pt_loop_cancel(struct pt_loop *loop, pt_code_ reason)
{
    bool told = false;

    for (struct pt_loop *at = loop; at; at = pt_loop_next_within_(loop, at))
        for (struct pt_task *task = pt_tree_next_(at, NULL); task; task = pt_tree_next_(at, task))
            told |= pt_loop_cancel_task_(task, reason);
    return told;
}
#endif
#endif
