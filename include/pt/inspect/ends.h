/* ends.h - what can end a task's wait: the task itself, a lock's holder, its group, a pool
 * SPDX-License-Identifier: MIT */
#ifndef PT_ENDS_H
#define PT_ENDS_H

#include "reach.h"
#include "../loop/pool.h"
#include "../sync/lock.h"
#include "../sync/rwlock.h"

#if PT_INSPECT && PT_CHANNELS

/* --- implementation ------------------------------------------------------------------------ */

/* Marks of a task during a search, beside what it waits for. */
enum {
    PT_STUCK_PATH_ = 0x20, /* on the path that is followed now */
    PT_STUCK_SEEN_ = 0x40, /* followed; with PATH: told */
    PT_STUCK_LIVE_ = 0x80,
    PT_STUCK_TOLD_ = PT_STUCK_PATH_ | PT_STUCK_SEEN_
};

struct pt_stuck;

/* One search. */
struct pt_search_ {
    struct pt_loop *loop;
    struct pt_memory *memory; /* NULL: what is not another task's counts as live */
    void (*found)(void *context, const struct pt_stuck *stuck); /* pt_stuck_found */
    void *context;
    const struct pt_memory *known; /* described, with a piece for each task of the loop; or NULL */
    const struct pt_task *holder;  /* the last that was looked up, and whether it is of the loop */
    bool held;
    const void *pool; /* the same, and whether one of its tasks can end */
    bool pool_ends;
    unsigned circles;
    unsigned dead; /* how many are */
};

PT_ALWAYS unsigned pt_stuck_marks_(const struct pt_task *task)
{
    return task->why & (PT_STUCK_TOLD_ | PT_STUCK_LIVE_);
}

/* Whether no search has found yet that the task can go on. */
PT_ALWAYS bool pt_stuck_dead_(const struct pt_search_ *search, const struct pt_task *task)
{
    return task->loop == search->loop && !(task->why & PT_STUCK_LIVE_);
}

/* Whether the memory has the control block of a task. */
PT_API bool pt_stuck_described_(const struct pt_memory *memory, const struct pt_task *task)
{
    size_t at = pt_memory_piece_(memory, (uintptr_t)task);

    return at != PT_NO_PIECE_ && memory->pieces[at].kind == PT_PIECE_TASK_ &&
           memory->pieces[at].start == (uintptr_t)task;
}

/* Whether a task is one of the loop's. It may be gone: a lock's holder can end before a release. */
PT_API bool pt_stuck_knows_(struct pt_search_ *search, const struct pt_task *task)
{
    const struct pt_task *it = NULL;

    if (search->known)
        return pt_stuck_described_(search->known, task);
    if (search->holder == task)
        return search->held;
    while ((it = pt_loop_task(search->loop, it)) && it != task) {
    }
    search->holder = task;
    search->held = it != NULL;
    return search->held;
}

/* Whether a task need not be woken by another one of its loop. One that runs a loop is woken by the
 * tasks of that loop, which this search does not look at. */
PT_API bool pt_stuck_wakes_itself_(const struct pt_task *task)
{
    if (task->loop->current == task || (task->state & PT_STATE_SLEEPING_))
        return true;
    if (PT_TIMEOUTS && !(task->flags & PT_FLAG_GIVEN_) && pt_scopes_first_(task))
        return true;
    return !(task->state & PT_STATE_QUEUED_) &&
           (!pt_task_parked_(task) || (task->why & PT_WHY_MASK_) == PT_WHY_HOST_);
}

/* The task that a lock leads to: its holder; NULL: there is none, or it is one of its readers. */
PT_API const struct pt_task *pt_stuck_holder_(const struct pt_task *task)
{
    const void *item = task->waiter.item;
    unsigned why = task->why & PT_WHY_MASK_;

    if (why == PT_WHY_SHARED || (why == PT_WHY_LOCK && (task->state & PT_STATE_HAS_OPS_)))
        return ((const struct pt_rwlock *)item)->writer;
    if (why == PT_WHY_LOCK)
        return ((const struct pt_lock *)item)->owner;
    return NULL;
}

#if PT_GROUPS
/* The first task of a group that is dead so far, or NULL. */
PT_API const struct pt_task *pt_stuck_member_(const struct pt_search_ *search, const void *item)
{
    const struct pt_group *group = (const struct pt_group *)item;

    for (struct pt_node *node = pt_wait_queue_first_(&group->members); node;
         node = pt_wait_queue_next_(&group->members, node))
        if (pt_stuck_dead_(search, pt_task_of_member_(node)))
            return pt_task_of_member_(node);
    return NULL;
}

/* Whether the end of a task can make a group cancel its other tasks, and interrupt its owner. */
PT_API bool pt_stuck_group_can_decide_(const struct pt_search_ *search,
                                       const struct pt_group *group)
{
    if (group->over || group->policy == PT_GROUP_ALL)
        return false;
    for (struct pt_node *node = pt_wait_queue_first_(&group->members); node;
         node = pt_wait_queue_next_(&group->members, node))
        if (!pt_stuck_dead_(search, pt_task_of_member_(node)))
            return true;
    return false;
}

/* Whether a group can cancel one of its tasks: by a decision, or because its owner leaves the
 * block. With the memory, an owner that runs the body of the block is not expected to leave it. */
PT_API bool pt_stuck_group_can_cancel_(const struct pt_search_ *search,
                                       const struct pt_group *group)
{
    return pt_stuck_group_can_decide_(search, group) ||
           (!pt_stuck_dead_(search, group->owner) &&
            !(search->memory && group->scope.state == PT_SCOPE_ENTERED_));
}

/* Whether a group can end the wait of a task, its own or its owner. A
 * cleanup protects from that. */
PT_API bool pt_stuck_group_can_interrupt_(const struct pt_search_ *search,
                                          const struct pt_task *task)
{
    uint_fast8_t depth = pt_depth_(pt_task_top_(task));

    if (task->flags & PT_FLAG_GIVEN_)
        return false;
    for (struct pt_scope *scope = task->scopes; scope; scope = scope->outer)
        if ((scope->marks & PT_SCOPE_GROUP_) && scope->state == PT_SCOPE_ENTERED_ &&
            scope->depth == depth &&
            pt_stuck_group_can_decide_(search, (const struct pt_group *)(const void *)scope))
            return true;
    return (task->flags & PT_FLAG_MEMBER_) && !depth && !pt_task_canceled(task) &&
           pt_stuck_group_can_cancel_(search, pt_task_group_(task));
}
#else
#define pt_stuck_member_(search, item) ((void)(search), (const struct pt_task *)NULL)
#define pt_stuck_group_can_interrupt_(search, task) ((void)(task), false)
#endif

#if PT_POOLS
/* The first task of a pool that is dead so far. *ENDS: whether another one can end. */
PT_API const struct pt_task *pt_stuck_pooled_(const struct pt_search_ *search, const void *item,
                                              bool *ends)
{
    const struct pt_pool *pool = (const struct pt_pool *)item;
    const struct pt_task *dead = NULL;
    unsigned count = 0;

    for (const struct pt_task *task = pt_loop_task(search->loop, NULL); task;
         task = pt_loop_task(search->loop, task))
        if (pt_task_owner_(task) == &pool->owner && pt_stuck_dead_(search, task)) {
            dead = dead ? dead : task;
            count++;
        }
    *ends = count < pool->used + pool->granted; /* whoever was granted a place is ready */
    return dead;
}

#else
#define pt_stuck_pooled_(search, item, ends) (*(ends) = true, (const struct pt_task *)NULL)
#endif

/* Whether one of its tasks can end. The answer is kept for the next task that waits for it. */
PT_API bool pt_stuck_pool_ends_(struct pt_search_ *search, const void *pool)
{
    if (search->pool != pool)
        (void)pt_stuck_pooled_(search, pool, &search->pool_ends);
    search->pool = pool;
    return search->pool_ends;
}

#endif
#endif
