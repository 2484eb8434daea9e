/* state.h - the life of a task: idle, ready, waiting, done
 * SPDX-License-Identifier: MIT */
#ifndef PT_STATE_H
#define PT_STATE_H

#include "frame.h"

/* pt_task_alive - whether the task was spawned and is not done; O(1) */
PT_ALWAYS bool pt_task_alive(const struct pt_task *task);

/* pt_task_done - whether the task has ended; false for one that was never spawned; O(1) */
PT_API bool pt_task_done(const struct pt_task *task);

/* pt_task_status - the code that a task has ended with; PT_EINVAL if it is not done; O(1) */
PT_API pt_status pt_task_status(const struct pt_task *task);

/* pt_task_canceled - whether a task, alive or done, was canceled since its spawn; O(1) */
PT_API bool pt_task_canceled(const struct pt_task *task);

/* --- implementation ------------------------------------------------------------------------ */

/* The life of a task. The two lowest bits of its state count permits: 2 at the spawn. A park takes
 * one and a wake gives one:
 *
 *     0   the task is not alive
 *     1   it is parked; a wake makes it ready
 *     2   it is not parked
 *     3   the same, and a wake came before its next park; the maximum
 *
 * The other bits tell where the task is when it is not in the ready queue:
 *
 *     idle --spawn--> READY <---------------------------------+
 *                       |  WAIT --> SLEEPING -----------due---+
 *                       |  PARK --> PARKED -------------wake--+
 *                       |  timed PARK: both --------wake, due-+
 *                       |  PARK in a queue or list: QUEUED ---+
 *                       |  paused, and next in the batch: HELD --resume--+
 *                       +--DONE--> 0 --spawn--> ...
 *
 * SLEEPING: its timer is in the timer queue, or joins it at the end of the turn (sleepers.h).
 * INTERRUPTED: before the next resume, check whether something ends what it does (cancel.h). */
enum {
    PT_STATE_PERMIT_ = 1, /* a wake gives one, a park takes one */
    PT_STATE_READY_ = 2,  /* not parked */
    PT_STATE_ALIVE_ = 3,  /* spawned and not done: either bit of the count */
    PT_STATE_INTERRUPTED_ = PT_HAS_INTERRUPTS_ ? 0x04 : 0,
    PT_STATE_HELD_ = PT_PAUSE ? 0x08 : 0,              /* ready, but paused: in no queue */
    PT_STATE_QUEUED_ = PT_HAS_WAIT_QUEUES_ ? 0x10 : 0, /* in a queue or list: no wake ends that */
    PT_STATE_PAUSED_ = PT_PAUSE ? 0x20 : 0,            /* after pt_pause, before pt_resume */
    PT_STATE_SLEEPING_ =                               /* in the timer queue */
    PT_NESTING || PT_HAS_INTERRUPTS_ || PT_SELECTS || PT_INSPECT || PT_TIMED_PARKS ? 0x40 : 0,
    PT_STATE_HAS_OPS_ =
        PT_CHANNELS ? 0x80 : 0, /* QUEUED; its item is the pt_wait_ops_ to leave by */
    PT_STATE_AWAY_ = PT_STATE_QUEUED_ | PT_STATE_SLEEPING_ | PT_STATE_HAS_OPS_ /* any of these */
};

/* Bits of its flags. */
enum {
    PT_FLAG_GIVEN_ = 0x01,    /* it has what it waited for: it runs before an interruption */
    PT_FLAG_TIMED_ = 0x02,    /* its timer is in the timer queue, perhaps no longer needed */
    PT_FLAG_CANCELED_ = 0x04, /* pt_cancel was called */
    PT_FLAG_RELOCKS_ = PT_CHANNELS ? 0x08 : 0, /* GIVEN is a lock, once more */
    PT_FLAG_USES_GIVEN_ = 0x10, /* it was GIVEN: it and its callers run until its next wait */
    PT_FLAG_OWNED_ = 0x20,      /* a pointer to its owner is behind it; from its init on */
    PT_FLAG_MEMBER_ = 0x40,     /* it is in a group: the last node of its joiners leads there */
    PT_FLAG_REPEATS_ = 0x80     /* it is in no loop, and a transfer resumes it: sync/transfer.h */
};

PT_ALWAYS bool pt_task_alive(const struct pt_task *task)
{
    return task->state & PT_STATE_ALIVE_;
}

/* Whether the task waits for a wake. */
PT_ALWAYS bool pt_task_parked_(const struct pt_task *task)
{
    return (task->state & PT_STATE_ALIVE_) == PT_STATE_READY_ - PT_STATE_PERMIT_;
}

/* Whether the task waits for nothing. */
PT_ALWAYS bool pt_task_ready_(const struct pt_task *task)
{
    return (task->state & (PT_STATE_AWAY_ | PT_STATE_READY_)) == PT_STATE_READY_;
}

PT_API bool pt_task_done(const struct pt_task *task)
{
    return !pt_task_alive(task) && pt_task_top_(task) &&
           pt_task_top_(task)->label == PT_LABEL_DONE_;
}

PT_API pt_status pt_task_status(const struct pt_task *task)
{
    return pt_task_done(task) ? pt_task_top_(task)->status : (pt_status)PT_EINVAL;
}

PT_API bool pt_task_canceled(const struct pt_task *task)
{
    return PT_CANCEL && (pt_task_flags_(task) & PT_FLAG_CANCELED_);
}

#endif
