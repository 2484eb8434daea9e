/* update.h - the time moves on in the middle of a turn: a task sets it, or uses an old reading
 * SPDX-License-Identifier: MIT */
#include "turn.h" /* before the guard: on a PC it includes this file, for fast.h */
#ifndef PT_UPDATE_H
#define PT_UPDATE_H

#if PT_HAS_TIMERS_ && PT_CENSUS
/* pt_loop_update - in a task, after a step that took long: set the loop's time to NOW
 * PT_NOW, a block, a case of a select, and in a turn by hand a delay, count from the time at which
 * the turn began. Without this call after a long step, that is an old time. Tasks that are due
 * by NOW become ready for the next turn. No effect if NOW is not later than the loop's time. A
 * remote's callback and an observer may call it too. The loops around a nested loop get the same
 * time; the loops inside it get theirs at their next turns. */
PT_API void pt_loop_update(struct pt_loop *loop, pt_time now);

/* --- implementation ------------------------------------------------------------------------ */

/* The loop in which a nested loop runs, or NULL. */
PT_ALWAYS struct pt_loop *pt_loop_outer_(const struct pt_loop *loop)
{
    return pt_loop_host_(loop) ? pt_task_loop_(pt_loop_host_(loop)) : NULL;
}

PT_API void pt_loop_move_on_(struct pt_loop *loop, pt_time now)
{
    if (!pt_time_before(loop->now, now))
        return;
    pt_loop_update_sleepers_(loop, now);
    pt_loop_set_time_(loop, now);
    if (PT_HAS_TIME_IN_NODE_ && loop->current)
        pt_node_set_at_(&loop->current->node, now);
    pt_loop_expire_(loop);
}

PT_API void pt_loop_update(struct pt_loop *loop, pt_time now)
{
    for (; loop; loop = pt_loop_outer_(loop))
        pt_loop_move_on_(loop, now);
}

#if PT_FAST_ && PT_HAS_CLOCK_
/* Read the clock for a turn that has an old reading. What is due now becomes ready for the next. */
PT_COLD void pt_loop_renew_(struct pt_loop *loop)
{
    loop->clock.renew = NULL;
    pt_loop_update(loop, loop->port->now(loop->port->context));
}
#endif

#endif
#endif
