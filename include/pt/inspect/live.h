/* live.h - which tasks of a loop can go on: the first half of a search for stuck ones (stuck.h)
 * SPDX-License-Identifier: MIT
 *
 *     a task runs, is ready, timed or paused           --> it is live
 *     the task that it waits for is live               --> it is live
 *     a live task can make its group cancel it         --> it is live
 *     memory that is reached leads to what it waits on --> it is live
 *     it is live                                       --> what its frames lead to is reached
 *
 * Rounds go over all tasks until one finds no more live ones: the others are dead.
 * The marks are bits of task->why, beside the reason for the wait. */
#ifndef PT_LIVE_H
#define PT_LIVE_H

#include "memory.h"
#include "../loop/pool.h"
#include "../sync/lock.h"
#include "../sync/rwlock.h"

#if PT_INSPECT && PT_CHANNELS

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
    PT_IF_(PT_TIMEOUTS, if (pt_scopes_first_(task)) return true;)
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
    if (why == PT_WHY_LOCK || (why == PT_WHY_CONDITION && (task->flags & PT_FLAG_GIVEN_)))
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
PT_API bool pt_stuck_decides_(const struct pt_search_ *search, const struct pt_group *group)
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
PT_API bool pt_stuck_cancels_(const struct pt_search_ *search, const struct pt_group *group)
{
    return pt_stuck_decides_(search, group) ||
           (!pt_stuck_dead_(search, group->owner) &&
            !(search->memory && group->scope.state == PT_SCOPE_ENTERED_));
}

/* Whether a group can end the wait of a task, its own or its owner. A
 * cleanup protects from that. */
PT_API bool pt_stuck_interrupted_(const struct pt_search_ *search, const struct pt_task *task)
{
    uint_fast8_t depth = pt_depth_(pt_task_top_(task));

    if (task->flags & PT_FLAG_GIVEN_)
        return false;
    for (struct pt_scope *scope = task->scopes; scope; scope = scope->outer)
        if ((scope->marks & PT_SCOPE_GROUP_) && scope->state == PT_SCOPE_ENTERED_ &&
            scope->depth == depth &&
            pt_stuck_decides_(search, (const struct pt_group *)(const void *)scope))
            return true;
    return (task->flags & PT_FLAG_MEMBER_) && !depth && !pt_task_canceled(task) &&
           pt_stuck_cancels_(search, pt_task_group_(task));
}
#else
#define pt_stuck_member_(search, item) ((void)(search), (const struct pt_task *)NULL)
#define pt_stuck_interrupted_(search, task) ((void)(task), false)
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

/* --- what can be reached --- */

/* A task can go on: so it can use all that its frames lead to. */
PT_API void pt_stuck_live_(struct pt_search_ *search, struct pt_task *task)
{
    struct pt_memory *memory = search->memory;

    task->why = (uint8_t)((task->why & PT_WHY_MASK_) | PT_STUCK_LIVE_);
    if (!memory)
        return;
    pt_memory_reach_(memory, (uintptr_t)task);
    pt_memory_reach_(memory, (uintptr_t)pt_task_owner_(task));
    PT_IF_(PT_GROUPS, pt_memory_reach_(memory, (uintptr_t)pt_task_group_(task));)
    PT_IF_(PT_AWAIT, for (const struct pt *frame = task->top; frame; frame = pt_caller_of_(frame))
                         pt_memory_reach_(memory, (uintptr_t)frame);)
}

/* The task that stands before this one in its queue; NULL if it is the first. */
PT_API struct pt_task *pt_stuck_before_(const struct pt_memory *memory, const struct pt_task *task)
{
    uintptr_t link = (uintptr_t)task->node.prev;
    size_t at = pt_memory_piece_(memory, link);
    struct pt_task *before;

    if (at == PT_NO_PIECE_ || memory->pieces[at].kind != PT_PIECE_TASK_)
        return NULL;
    before = (struct pt_task *)memory->pieces[at].start;
    return link == (uintptr_t)&before->node.link.next ? before : NULL; /* else the task's joiners */
}

/* Whether something can use the queue in which a task waits. If so, the tasks before it are live. A
 * queue is followed once in a round. */
PT_API bool pt_stuck_queue_reached_(struct pt_search_ *search, struct pt_task *last)
{
    struct pt_memory *memory = search->memory;
    struct pt_task *task;
    struct pt_task *before = last;
    bool reached = false;

    do {
        task = before;
        task->why |= PT_STUCK_PATH_;
        before = pt_stuck_before_(memory, task);
    } while (before && !(before->why & (PT_STUCK_LIVE_ | PT_STUCK_PATH_)));
    if (!before)
        reached = pt_memory_reached_(memory, (uintptr_t)task->node.prev);
    else if (before->why & PT_STUCK_LIVE_)
        reached = true;
    for (before = last; reached && before != task; before = pt_stuck_before_(memory, before))
        pt_stuck_live_(search, before);
    if (reached)
        pt_stuck_live_(search, task);
    return reached;
}

#if PT_SELECTS
PT_API bool pt_stuck_select_reached_(const struct pt_search_ *search,
                                     const struct pt_select_ *select)
{
    for (uint_fast8_t i = 0; i < select->count; i++)
        if (pt_memory_reached_(search->memory, (uintptr_t)select->cases[i].target))
            return true;
    return false;
}
#endif

/* Whether a live task, or whatever else runs, can end a wait that is not for a certain task. */
PT_API bool pt_stuck_reached_(struct pt_search_ *search, struct pt_task *task)
{
    if (!search->memory || (task->why & PT_WHY_MASK_) == PT_WHY_IO)
        return true;
    if (!(task->state & PT_STATE_QUEUED_))
        return pt_memory_reached_(search->memory, (uintptr_t)task);
    PT_IF_(PT_SELECTS,
           if ((task->why & PT_WHY_MASK_) == PT_WHY_SELECT) return pt_stuck_select_reached_(
               search, (const struct pt_select_ *)task->waiter.item);)
    return pt_stuck_queue_reached_(search, task);
}

/* Whether the holder of a lock can release it. One that is not of the loop is in another one, or
 * has ended and its storage can be gone. */
PT_READS_ALL_ PT_API bool pt_stuck_releases_(struct pt_search_ *search,
                                             const struct pt_task *holder)
{
    if (pt_stuck_knows_(search, holder))
        return !pt_stuck_dead_(search, holder);
    if (!search->memory)
        return true;
    return pt_memory_has_(search->memory, (uintptr_t)holder) && pt_task_alive(holder) &&
           holder->loop != search->loop;
}

/* Whether a task can continue, by what is known so far. */
PT_API bool pt_stuck_can_continue_(struct pt_search_ *search, struct pt_task *task)
{
    const struct pt_task *holder;

    if (pt_stuck_wakes_itself_(task) || pt_stuck_interrupted_(search, task))
        return true;
    if (task->state & PT_STATE_QUEUED_) {
        switch (task->why & PT_WHY_MASK_) {
        case PT_WHY_JOIN: return !pt_stuck_dead_(search, (const struct pt_task *)task->waiter.item);
        case PT_WHY_GROUP: return !pt_stuck_member_(search, task->waiter.item);
        case PT_WHY_POOL: return pt_stuck_pool_ends_(search, task->waiter.item);
        default:
            holder = pt_stuck_holder_(task);
            if (holder)
                return pt_stuck_releases_(search, holder);
        }
    }
    return pt_stuck_reached_(search, task);
}

/* Look at each task that is not known to be live; whether one more is. */
PT_API bool pt_stuck_round_(struct pt_search_ *search)
{
    bool more = false;

    search->pool = NULL;
    if (search->memory)
        pt_memory_spread_(search->memory);
    for (struct pt_task *task = pt_loop_task(search->loop, NULL); task;
         task = pt_loop_task(search->loop, task))
        if (pt_stuck_marks_(task) != PT_STUCK_TOLD_)
            task->why &= (uint8_t)~PT_STUCK_PATH_;
    for (struct pt_task *task = pt_loop_task(search->loop, NULL); task;
         task = pt_loop_task(search->loop, task))
        if (!(task->why & PT_STUCK_LIVE_) && pt_stuck_marks_(task) != PT_STUCK_TOLD_ &&
            pt_stuck_can_continue_(search, task)) {
            pt_stuck_live_(search, task);
            more = true;
        }
    return more;
}

#endif
#endif
