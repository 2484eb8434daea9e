/* sleepers.h - tasks that begin to sleep: a delay counts from the end of the step that asks for it
 * SPDX-License-Identifier: MIT
 *
 * In pt_loop_run a task that waits for a delay first joins the loop's sleepers; later one reading
 * of the clock arms the timers of all of them: when the turn ends, when the array is full, and
 * before a task asks for a deadline. So timers are armed in the order of the requests. On a port
 * whose clock is cheap (base/port.h), such as a virtual one, each PT_WAIT reads it, and there are
 * no sleepers.
 *
 * Why: the time of a turn is that of its beginning, and a step can take long: a delay from there
 * would be too short. To read the clock in each PT_WAIT costs more than the wait. Deadlines, blocks
 * and cases of a select do count from there, and are armed at once; so are delays in a turn by hand
 * (pt_loop_turn), where the loop has no clock. */
#ifndef PT_SLEEPERS_H
#define PT_SLEEPERS_H

#include "timer.h"

/* --- implementation ------------------------------------------------------------------------ */

#if PT_HAS_CLOCK_

/* Make the delay of TASK longer by LATE: the ticks from the loop's time to the end of its step, or
 * a few more. A delay of 0 stays: it only waits for the next turn. None exceeds PT_DELAY_MAX. */
PT_ALWAYS void pt_task_wait_longer_(const struct pt_loop *loop, struct pt_task *task, pt_time late)
{
    pt_time delay = (pt_time)(task->node.at - loop->now);
    pt_time most = (pt_time)(PT_DELAY_MAX - delay);

    if (delay)
        task->node.at = (pt_time)(task->node.at + (late < most ? late : most));
}

/* How far the end of a step can be from the loop's time, if the clock shows NOW after it. */
PT_ALWAYS pt_time pt_loop_lateness_(const struct pt_loop *loop, pt_time now)
{
    return (pt_time)(pt_time_until_(loop->now, now) + loop->sleepers.port->grain);
}

/* Arm the timers of all sleepers. Their delays count from NOW, a new reading of the clock. */
PT_API void pt_loop_arm_sleepers_(struct pt_loop *loop, pt_time now)
{
    struct pt_sleepers_ *sleepers = &loop->sleepers;
    pt_time late = pt_loop_lateness_(loop, now);
    unsigned room = sleepers->room;

    sleepers->room = sleepers->most;
    sleepers->read = now;
    sleepers->were_armed = true;
    for (unsigned i = PT_SLEEPERS_; i-- > room;) {
        struct pt_task *task = sleepers->tasks[i];

        if (PT_UNLIKELY(!task))
            continue;
        pt_task_wait_longer_(loop, task, late);
        pt_loop_arm_(loop, task);
    }
}

/* Whether the loop has sleepers. */
PT_ALWAYS bool pt_loop_has_sleepers_(const struct pt_loop *loop)
{
    return loop->sleepers.room != loop->sleepers.most;
}

/* If there are sleepers, read the clock and arm their timers. */
PT_ALWAYS void pt_loop_flush_sleepers_(struct pt_loop *loop)
{
    const struct pt_port *port = loop->sleepers.port;

    if (pt_loop_has_sleepers_(loop))
        pt_loop_arm_sleepers_(loop, port->now(port->context));
}

/* A turn has ended, *NOW is the loop's time, and the next turn has work at NEXT. Returns whether to
 * sleep until then. If the clock was read for sleepers, *NOW becomes that newer reading. */
PT_ALWAYS bool pt_loop_next_is_ahead_(struct pt_loop *loop, pt_time *now, pt_time next)
{
    bool read = loop->sleepers.were_armed && pt_time_before(*now, loop->sleepers.read);

    loop->sleepers.were_armed = false;
    if (PT_LIKELY(!read) || (pt_time)(next - *now) == PT_DELAY_NEVER)
        return next != *now;
    *now = loop->sleepers.read;
    return pt_time_before(*now, next);
}

/* Take a task out of the sleepers. Returns whether it was one. */
PT_API bool pt_loop_drop_sleeper_(struct pt_loop *loop, const struct pt_task *task)
{
    for (unsigned i = loop->sleepers.room; i < loop->sleepers.most; i++) {
        if (loop->sleepers.tasks[i] == task) {
            loop->sleepers.tasks[i] = NULL;
            return true;
        }
    }
    return false;
}

/* There is no room for TASK, or it waits for a deadline: arm the timers of all sleepers first. */
PT_API void pt_loop_sleep_after_(struct pt_loop *loop, struct pt_task *task)
{
    pt_loop_flush_sleepers_(loop);
    if (loop->clock.is_delay)
        loop->sleepers.tasks[--loop->sleepers.room] = task;
    else
        pt_loop_arm_(loop, task);
}

/* A task sleeps in a turn of pt_loop_run. Returns false if its timer is to be armed now. */
PT_ALWAYS bool pt_loop_defers_(struct pt_loop *loop, struct pt_task *task)
{
    struct pt_sleepers_ *sleepers = &loop->sleepers;
    pt_time late;

    if (loop->clock.is_delay && loop->clock.is_exact) {
        late = pt_loop_lateness_(loop, sleepers->port->now(sleepers->port->context));
        if (PT_UNLIKELY(late))
            pt_task_wait_longer_(loop, task, late);
        return false;
    }
    if (PT_LIKELY(loop->clock.is_delay && sleepers->room))
        sleepers->tasks[--sleepers->room] = task;
    else
        pt_loop_sleep_after_(loop, task);
    return true;
}

/* WAIT: the task sleeps until the time in its node: a deadline, or the loop's time and a delay. */
PT_ALWAYS void pt_loop_sleep_(struct pt_loop *loop, struct pt_task *task)
{
    task->state |= PT_STATE_SLEEPING_;
    if (!loop->sleepers.port || !pt_loop_defers_(loop, task))
        pt_loop_arm_(loop, task);
}

/* pt_loop_update passes NOW, a reading of the clock: it is for the sleepers, too. */
PT_ALWAYS void pt_loop_update_sleepers_(struct pt_loop *loop, pt_time now)
{
    if (pt_loop_has_sleepers_(loop))
        pt_loop_arm_sleepers_(loop, now);
}

/* The sleep of TASK ends before its time. */
PT_ALWAYS void pt_task_end_sleep_(struct pt_task *task)
{
    if ((task->state & PT_STATE_SLEEPING_) && !pt_loop_drop_sleeper_(task->loop, task))
        pt_task_disarm_(task);
}

#else
#define pt_loop_flush_sleepers_(loop) ((void)0)
#define pt_loop_has_sleepers_(loop) false
#define pt_loop_update_sleepers_(loop, now) ((void)0)
#define pt_loop_next_is_ahead_(loop, now, next) (*(now) != (next))
#endif

#if PT_FAST_ && PT_HAS_TIMERS_
/* On a PC the end of a plain sleep, which no observer is told of, takes this short way. Returns
 * whether the task's was one; a part has one way for all (turn.h). */
PT_ALWAYS bool pt_fast_awake_(struct pt_loop *loop, struct pt_task *task, pt_time at)
{
    const uint8_t sleeps = PT_STATE_SLEEPING_ | PT_STATE_READY_;

    if (pt_loop_reports_(loop) || pt_task_scopes_(task) || task->node.at != at ||
        (task->state & (sleeps | PT_STATE_QUEUED_)) != sleeps)
        return false;
    pt_task_set_flags_(task, pt_task_flags_(task) & (uint8_t)~PT_FLAG_TIMED_);
    task->state &= (uint8_t)~PT_STATE_SLEEPING_;
    pt_ready_push_(&loop->ready, &task->node);
    return true;
}
#else
#define pt_fast_awake_(loop, task, at) false
#endif

#endif
