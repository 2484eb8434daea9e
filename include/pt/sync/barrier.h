/* barrier.h - tasks wait for each other, then continue together
 * SPDX-License-Identifier: MIT
 *
 *     pt_barrier_init(&ready, 3);
 *     PT_WAIT_BARRIER(&ready);                 in three tasks
 *
 * Cancel, timeout: before and during the wait, the task leaves, and no longer counts. Once
 * all tasks have come, it continues to its next wait.
 *
 * A select has no case for it: the task would have come, and could still choose another one. For a
 * time at most: PT_WITH_TIMEOUT. */
#ifndef PT_BARRIER_H
#define PT_BARRIER_H

#include "../run/interpreter.h"

#if PT_CHANNELS

/* A barrier; it can be used again and again. Zeroed, it is not ready: call pt_barrier_init. Read
 * the counts. */
struct pt_barrier {
    struct pt_wait_ops_ ops;      /* how a task leaves its wait; the first member */
    struct pt_wait_list_ waiters; /* the tasks that wait */
    unsigned parties;             /* how many must come */
    unsigned waiting;             /* how many wait */
};

/* pt_barrier_init - make a barrier for PARTIES tasks, at least one; O(1) */
PT_API void pt_barrier_init(struct pt_barrier *barrier, unsigned parties);

/* PT_WAIT_BARRIER(&barrier) - wait until all have come; the last one continues at once
 * self->pt.status is PT_OK. Cost: O(1); for the last task O(parties). */
#define PT_WAIT_BARRIER(barrier) \
    PT_PARK_AND_TAKE_IF_(pt_barrier_must_wait_(pt_current_, pt_, barrier))

/* --- implementation ------------------------------------------------------------------------ */

PT_API void pt_barrier_leave_(struct pt_wait_ops_ *ops, struct pt_task *task)
{
    pt_wait_remove_(&task->node);
    ((struct pt_barrier *)(void *)ops)->waiting--;
}

PT_API void pt_barrier_init(struct pt_barrier *barrier, unsigned parties)
{
    barrier->ops.cancel = pt_barrier_leave_;
    pt_wait_list_init_(&barrier->waiters);
    barrier->parties = parties;
    barrier->waiting = 0;
}

PT_API bool pt_barrier_must_wait_(struct pt_task *task, struct pt *frame,
                                  struct pt_barrier *barrier)
{
    PT_ASSERT_(barrier->ops.cancel, "it was not initialized: call pt_barrier_init", "a barrier");
    frame->status = PT_OK;
    if (barrier->waiting + 1 >= barrier->parties) {
        barrier->waiting = 0;
        pt_wait_list_complete_all_(&barrier->waiters, PT_OK, PT_FLAG_GIVEN_);
        return false;
    }
    barrier->waiting++;
    pt_task_wait_by_ops_(task, PT_WHY_BARRIER, &barrier->ops);
    pt_wait_list_push_(&barrier->waiters, &task->node);
    return true;
}

#endif
#endif
