/* timer.h - the one timer of a task: for its sleep, and for the deadlines of its blocks
 * SPDX-License-Identifier: MIT
 *
 * A task that sleeps in blocks with deadlines waits for several times. Its one timer is armed for
 * the earliest of them:
 *
 *     PT_WAIT, PT_PARK_FOR     pt_loop_arm_         a sleep until node.at (on a port sleepers.h)
 *     a deadline is set        pt_task_schedule_    for what is the earliest now (timeout.h)
 *     the timer expires        pt_task_schedule_    for what is left (turn.h)
 *     a wake, a cancel         pt_task_disarm_, pt_task_schedule_ (wake.h)
 *     the task ends            pt_task_retire_timer_ (unwind.h)
 *
 * Without PT_TIMEOUTS it is for a sleep only. queue/timers.h keeps it; turn.h takes what is due. */
#ifndef PT_TIMER_H
#define PT_TIMER_H

#include "storage.h"

/* --- implementation ------------------------------------------------------------------------ */

#if PT_HAS_TIMERS_

/* Where a task has its timer: in a member of its own, if the timer can run while the task waits for
 * something else; or in its node. */
#if PT_TIMEOUTS
#define PT_TASK_TIMER_ timer
#elif PT_TIMERS_STORAGE_
#define PT_TASK_TIMER_ node.link.index
#else
#define PT_TASK_TIMER_ node
#endif

PT_ALWAYS pt_timer_ *pt_task_timer_(struct pt_task *task)
{
    return &task->PT_TASK_TIMER_;
}

PT_ALWAYS struct pt_task *pt_task_of_timer_(pt_timer_ *timer)
{
    return (struct pt_task *)(void *)((char *)timer - offsetof(struct pt_task, PT_TASK_TIMER_));
}
#endif

#if PT_TIMEOUTS
/* The block with the earliest deadline, or NULL. */
PT_API struct pt_scope *pt_scopes_first_(const struct pt_task *task)
{
    struct pt_scope *first = NULL;

    /* pt-bounds: loop blocks */
    for (struct pt_scope *scope = task->scopes; scope; scope = scope->outer)
        if ((scope->marks & PT_SCOPE_TIMED_) &&
            (!first || pt_time_before(scope->deadline, first->deadline)))
            first = scope;
    return first;
}

/* Arm the timer for the earliest of the task's sleep and its blocks' deadlines, or disarm it. A
 * sleep is armed at once. For a block, an earlier entry stays in the queue; when that expires,
 * the timer is armed for the block. */
PT_SHARED void pt_task_schedule_(struct pt_task *task)
{
    bool wanted = task->state & PT_STATE_SLEEPING_, block = false;
    pt_time at = task->node.at;

    /* pt-bounds: loop blocks */
    for (const struct pt_scope *scope = task->scopes; scope; scope = scope->outer)
        if ((scope->marks & PT_SCOPE_TIMED_) && (!wanted || pt_time_before(scope->deadline, at))) {
            at = scope->deadline;
            wanted = block = true;
        }
    if (task->flags & PT_FLAG_TIMED_) {
        if (block && !pt_time_before(at, pt_timers_at_(&task->loop->timers, &task->timer)))
            return;
        pt_timers_remove_(&task->loop->timers, &task->timer);
    }
    task->flags &= (uint8_t)~PT_FLAG_TIMED_;
    if (wanted) {
        pt_timers_add_(&task->loop->timers, &task->timer, at);
        task->flags |= PT_FLAG_TIMED_;
    }
}
#else
#define pt_scopes_first_(task) NULL
#define pt_task_schedule_(task) ((void)(task))
#endif

/* Whether pt_task_schedule_ must arm a sleep: the timer can be needed for a block, too. With
 * timeouts a part always answers yes: less code. A PC arms a sleep without blocks faster. */
PT_ALWAYS bool pt_task_shares_timer_(const struct pt_task *task)
{
    return PT_TIMEOUTS &&
           (!PT_FAST_ || pt_task_scopes_(task) || (pt_task_flags_(task) & PT_FLAG_TIMED_));
}

/* Arm the timer of a task that sleeps until the time in its node. */
PT_ALWAYS void pt_loop_arm_(struct pt_loop *loop, struct pt_task *task)
{
    if (PT_UNLIKELY(pt_task_shares_timer_(task))) {
        pt_task_schedule_(task);
        return;
    }
    if (PT_TIMEOUTS)
        pt_task_set_flags_(task, pt_task_flags_(task) | PT_FLAG_TIMED_);
    PT_IF_(PT_HAS_TIMERS_, pt_timers_add_(&loop->timers, pt_task_timer_(task), task->node.at);)
}

/* Whether a task's timer is for sleeps only, and can be disarmed. */
#define PT_HAS_SLEEPS_ PT_AND_(PT_HAS_LOOP_, PT_AND_(PT_HAS_TIMERS_, PT_NOT_(PT_TIMEOUTS)))

/* Take a task that sleeps out of the timer queue; with timeouts, pt_task_schedule_ does it. */
PT_ALWAYS void pt_task_disarm_(struct pt_task *task)
{
    PT_IF_(PT_HAS_SLEEPS_, pt_timers_remove_(&task->loop->timers, pt_task_timer_(task));)
}

#if !PT_HAS_CLOCK_ /* else sleepers.h */
/* WAIT: the task sleeps until the time in its node. */
PT_ALWAYS void pt_loop_sleep_(struct pt_loop *loop, struct pt_task *task)
{
    task->state |= PT_STATE_SLEEPING_;
    pt_loop_arm_(loop, task);
}

/* The sleep of TASK ends before its time. */
PT_ALWAYS void pt_task_end_sleep_(struct pt_task *task)
{
    if (task->state & PT_STATE_SLEEPING_)
        pt_task_disarm_(task);
}
#endif

/* The task has ended: it neither sleeps nor has blocks. */
PT_ALWAYS void pt_task_retire_timer_(struct pt_task *task)
{
    if (PT_TIMEOUTS && (pt_task_flags_(task) & PT_FLAG_TIMED_))
        pt_task_schedule_(task);
}

#endif
