/* turn.h - one turn of a loop
 * SPDX-License-Identifier: MIT
 *
 *     next = pt_loop_turn(&loop, now);      in the main loop of a part: board.h; on a port: run.h
 *
 *     pt_loop_begin_turn_  the time; the posts: the callbacks of remotes run (inbox.h)
 *     pt_loop_expire_      the timers that are due: sleeps and blocks end
 *     pt_loop_run_batch_   the batch: each task runs until it yields or waits (interpreter.h)
 *     pt_loop_end_turn_    the timers of the sleepers (sleepers.h); when the next turn has work */
#ifndef PT_TURN_H
#define PT_TURN_H

#include "../scope/timeout.h"
#include "inbox.h"
#include "slow.h"
#include "watched.h"

/* pt_loop_turn - run what is ready and what is due at NOW, each task at most once, in order
 * Returns when to call it again, at the latest: NOW while a task is ready; else the next
 * deadline; or NOW + PT_DELAY_NEVER if only a wake can make a task ready. If pt_loop_update
 * moved the time, the result counts from loop->now. NOW must never go back: while a timer is
 * armed, PT_DEBUG stops. Do not call this in a task of the same loop. Cost: O(1) for each task,
 * and a pop for each timer that is due. Without timers, the result counts from NOW. */
PT_API pt_time pt_loop_turn(struct pt_loop *loop, pt_time now);

/* --- implementation ------------------------------------------------------------------------ */

#if PT_HAS_TIMERS_
/* The time of a task's sleep, of its select or of its park is over. */
PT_API void pt_task_awake_(struct pt_loop *loop, struct pt_task *task)
{
    if (PT_SELECTS && (task->state & PT_STATE_QUEUED_))
        pt_task_leave_(task);
    if (PT_TIMED_PARKS && !(task->state & PT_STATE_READY_)) {
        task->state++; /* the permit that a wake would have given */
        pt_task_top_(task)->status = PT_ETIMEDOUT;
    }
    task->state &= (uint8_t)~PT_STATE_AWAY_;
    pt_loop_push_(loop, task);
}

#if PT_TIMEOUTS
/* Whether a task's wait is over, and the task has not continued yet. */
PT_SHORT bool pt_task_wait_is_over_(const struct pt_task *task)
{
    if (PT_CENSUS && pt_census_current_(task->loop) == task)
        return false; /* without PT_CENSUS there is no pt_loop_update: no task runs now */
    return pt_task_ready_(task);
}

/* A task's entry for the time AT has left the timer queue: its sleep is over, or a block's time, or
 * neither. In a late turn each entry counts at its own time, as in one on time. */
PT_COLD void pt_task_expire_(struct pt_loop *loop, struct pt_task *task, pt_time at)
{
    bool late = false;

    task->flags &= (uint8_t)~PT_FLAG_TIMED_;
    if ((task->state & PT_STATE_SLEEPING_) && task->node.at == at)
        pt_task_awake_(loop, task);
    /* pt-bounds: loop blocks */
    for (struct pt_scope *scope = task->scopes; scope; scope = scope->outer)
        if ((scope->marks & PT_SCOPE_TIMED_) && scope->deadline == at) {
            if (pt_task_wait_is_over_(task) && !pt_task_must_end_(task))
                task->flags |= PT_FLAG_GIVEN_; /* a wait that is over counts */
            scope->marks = PT_SCOPE_LATE_;
            late = true;
        }
    if (late)
        pt_task_interrupt_(task);
    pt_task_schedule_(task);
}

#else
#define pt_task_expire_(loop, task, at) pt_task_awake_(loop, task)
#endif

/* Wake all tasks that are due. A sleep that they begin in this turn ends in a later one. */
PT_COLD void pt_loop_expire_(struct pt_loop *loop)
{
    pt_timer_ *first;

    while ((first = pt_timers_first_(&loop->timers)) != NULL) { /* pt-bounds: loop tasks */
        struct pt_task *task = pt_task_of_timer_(first);
        pt_time at = pt_timers_first_at_(&loop->timers);

        if (pt_time_before(loop->now, at))
            break;
        if (PT_TIMEOUTS && !PT_HOSTED)
            PT_OPAQUE_(task); /* gcc counts offsets from there: short ones */
        pt_timers_pop_(&loop->timers);
        if (PT_LIKELY(pt_fast_awake_(loop, task, at))) /* not on a part: sleepers.h */
            continue;
        pt_loop_tell_expired_(loop, task, at);
        pt_task_expire_(loop, task, at);
    }
    pt_timers_rebase_(&loop->timers, loop->now);
}

/* PT_DEBUG: stop if NOW is before the loop's time. While no timer is armed, NOW can be more than
 * half of the range ahead, which looks the same. */
PT_ALWAYS void pt_loop_check_now_(const struct pt_loop *loop, pt_time now)
{
    PT_ASSERT_(!pt_timers_first_(&loop->timers) || !pt_time_before(now, loop->now),
               "the time went back: a counter must wrap at PT_TIME_BITS bits, widen it or set "
               "PT_TIME_BITS to its width",
               "pt_loop_turn");
}

/* When the next turn has work: now, at a deadline, or "never". */
PT_SHORT pt_time pt_loop_next_(struct pt_loop *loop)
{
    pt_time next = loop->now;

    if (pt_loop_idle(loop))
        next = pt_loop_first_timer_(loop) ? pt_timers_first_at_(&loop->timers)
                                          : (pt_time)(next + PT_DELAY_NEVER);
    return next;
}
#define pt_loop_next_from_(loop, now) pt_loop_next_(loop)
#else
#define pt_loop_expire_(loop) ((void)0)
#define pt_loop_check_now_(loop, now) ((void)0)
#define pt_loop_next_from_(loop, now) \
    (pt_loop_idle(loop) ? (pt_time)((now) + PT_DELAY_NEVER) : (now))
#endif

/* A turn begins at NOW. Between slow turns, too, it carries out posts: with one, no loop sleeps. */
PT_ALWAYS void pt_loop_begin_turn_(struct pt_loop *loop, pt_time now)
{
    PT_ASSERT_(!pt_census_current_(loop), "called from a task of the same loop", "pt_loop_turn");
    pt_loop_check_now_(loop, now);
    pt_loop_set_level_(loop, PT_LEVEL_HERE_());
    pt_loop_set_reading_new_(loop);
    pt_loop_set_time_(loop, now);
    pt_loop_drain_(loop);
}

/* A turn that began at NOW is over. Returns when the next one has work. */
PT_ALWAYS pt_time pt_loop_end_turn_(struct pt_loop *loop, pt_time now)
{
    pt_census_set_current_(loop, NULL);
    pt_loop_flush_sleepers_(loop);
    return pt_loop_slowed_(loop, pt_loop_next_from_(loop, now));
}

#if PT_FAST_
#include "fast.h" /* the same, with shortcuts */
#else
PT_API pt_time pt_loop_turn(struct pt_loop *loop, pt_time now)
{
    pt_loop_begin_turn_(loop, now);
    if (pt_loop_slows_(loop))
        return pt_slowmo_slow_until_(loop);
    pt_loop_expire_(loop);
    if (PT_UNLIKELY(pt_loop_observer_(loop) != NULL))
        pt_loop_run_batch_watched_(loop);
    else
        pt_loop_run_batch_(loop);
    return pt_loop_end_turn_(loop, now);
}
#endif

#endif
