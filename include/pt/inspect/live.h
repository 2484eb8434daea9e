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
 * The marks are bits of task->why, beside the reason for the wait (ends.h). */
#ifndef PT_LIVE_H
#define PT_LIVE_H

#include "memory.h"

#if PT_INSPECT && PT_CHANNELS

#include "ends.h"

/* A task can go on: so it can use all that its frames lead to. */
PT_API void pt_stuck_live_(struct pt_search_ *search, struct pt_task *task)
{
    struct pt_memory *memory = search->memory;

    task->why = (uint8_t)((task->why & PT_WHY_MASK_) | PT_STUCK_LIVE_);
    if (!memory)
        return;
    pt_memory_reach_(memory, (uintptr_t)task);
    pt_memory_reach_(memory, (uintptr_t)pt_task_owner_(task));
    pt_memory_reach_(memory, (uintptr_t)pt_task_group_(task));
    for (const struct pt *frame = pt_task_top_(task); frame; frame = pt_caller_of_(frame))
        pt_memory_reach_(memory, (uintptr_t)frame);
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
PT_API bool pt_stuck_select_reached_(const struct pt_search_ *search, const void *item)
{
    const struct pt_select_ *select = (const struct pt_select_ *)item;

    for (uint_fast8_t i = 0; i < select->count; i++)
        if (pt_memory_reached_(search->memory, (uintptr_t)select->cases[i].target))
            return true;
    return false;
}
#else
#define pt_stuck_select_reached_(search, item) false
#endif

/* Whether a live task, or whatever else runs, can end a wait that is not for a certain task. */
PT_API bool pt_stuck_reached_(struct pt_search_ *search, struct pt_task *task)
{
    if (!search->memory || (task->why & PT_WHY_MASK_) == PT_WHY_IO ||
        (task->why & PT_WHY_MASK_) == PT_WHY_FOREIGN)
        return true;
    if (!(task->state & PT_STATE_QUEUED_))
        return pt_memory_reached_(search->memory, (uintptr_t)task);
    if (PT_SELECTS && (task->why & PT_WHY_MASK_) == PT_WHY_SELECT)
        return pt_stuck_select_reached_(search, task->waiter.item);
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

    if (pt_stuck_wakes_itself_(task) || pt_stuck_group_can_interrupt_(search, task))
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
