/* expire.h - a task's timer has left the timer queue: its sleep is over, or a block's time
 * SPDX-License-Identifier: MIT
 *
 * On a PC, or without timeouts, turn.h ends a plain sleep itself: it makes the task ready. */
#ifndef PT_EXPIRE_H
#define PT_EXPIRE_H

#include "cancel.h"

/* The time of a task's sleep, of its select or of its park is over. */
PT_API void pt_task_awake_(struct pt_task *task)
{
    if (PT_SELECTS && (task->state & PT_STATE_QUEUED_))
        pt_task_leave_(task);
    if (PT_TIMED_PARKS && !(task->state & PT_STATE_READY_)) {
        task->state++; /* the permit that a wake would have given */
        pt_task_top_(task)->status = PT_ETIMEDOUT;
    }
    pt_task_unblock_(task, PT_STATE_AWAY_);
}

#if PT_TIMEOUTS
/* Whether a task's wait is over, and the task has not continued yet. */
PT_SHORT bool pt_task_wait_is_over_(const struct pt_task *task)
{
    if (PT_CENSUS && pt_census_current_(task->loop) == task)
        return false; /* without PT_CENSUS there is no pt_loop_update: no task runs now */
    return pt_task_ready_(task);
}

/* The task's entry, for the time AT, has left the timer queue: its sleep is over, or a block's
 * time, or neither. In a late turn each entry counts at its own time, as in one on time. */
PT_COLD void pt_task_expire_(struct pt_task *task, pt_time at)
{
    struct pt_scope *first;
    bool late = false;

    if ((task->state & PT_STATE_SLEEPING_) && task->node.at == at)
        pt_task_awake_(task);
    while ((first = pt_scopes_first_(task)) && first->deadline == at) {
        if (pt_task_wait_is_over_(task) && !pt_task_must_end_(task))
            task->flags |= PT_FLAG_GIVEN_; /* a wait that is over counts */
        first->marks = PT_SCOPE_LATE_;
        late = true;
    }
    if (late)
        pt_task_interrupt_(task);
    pt_task_schedule_(task);
}
#else
#define pt_task_expire_(task, at) pt_task_awake_(task)
#endif

#endif
