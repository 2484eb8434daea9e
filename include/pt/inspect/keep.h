/* keep.h - what a loop keeps in memory, for a search: its own, and what the program declares
 * SPDX-License-Identifier: MIT
 *
 *     static struct pt_kept kept;
 *
 *     device->buffer = buffer;
 *     pt_keep(&loop, &kept, buffer);      the device can wake a task that waits for the buffer
 *     ...
 *     pt_unkeep(&loop, &kept);
 *
 * A search for tasks that are stuck (stuck.h) then counts what the pointer leads to as reached. */
#ifndef PT_KEEP_H
#define PT_KEEP_H

#include "memory.h"
#include "../loop/pool.h"

#if PT_INSPECT && PT_CHANNELS

#include "reach.h"

/* A pointer that is kept where a search cannot see it. */
struct pt_kept {
    const void *pointer;
    struct pt_kept *next; /* written by pt_keep */
};

/* pt_keep - declare that something holds POINTER where no search sees it: a device, the kernel
 * A task or an object that it points to, or into, can then be woken or used. KEPT must exist until
 * pt_unkeep; PT_DEBUG stops if it is declared again before. O(1) */
PT_API void pt_keep(struct pt_loop *loop, struct pt_kept *kept, const void *pointer);

/* pt_unkeep - nothing holds the pointer any more; no effect if KEPT was not declared; O(n) */
PT_API void pt_unkeep(struct pt_loop *loop, struct pt_kept *kept);

/* --- implementation ------------------------------------------------------------------------ */

PT_API void pt_keep(struct pt_loop *loop, struct pt_kept *kept, const void *pointer)
{
    for (const struct pt_kept *other = loop->kept; PT_DEBUG && other; other = other->next)
        PT_ASSERT_(other != kept, "it is kept already", "pt_keep");
    kept->pointer = pointer;
    kept->next = loop->kept;
    loop->kept = kept;
}

PT_API void pt_unkeep(struct pt_loop *loop, struct pt_kept *kept)
{
    struct pt_kept **link = &loop->kept;

    while (*link && *link != kept)
        link = &(*link)->next;
    if (*link)
        *link = kept->next;
}

/* --- the loop's own memory --- */

#if PT_POOLS
/* Describe the pool of a task: it is pt's own, from its first member to the pointer to the item
 * that was taken last, which follows the items. The task's item is a block. Each file of a program
 * has a pt_pool_release_ of its own, so that does not tell what a pool is. */
PT_API bool pt_stuck_describe_pool_(struct pt_memory *memory, const struct pt_task *task)
{
    const struct pt_pool *pool = (const struct pt_pool *)(const void *)pt_task_owner_(task);

    if (!pool || pool->owner.pool != pool)
        return true;
    return pt_memory_put_(memory, pool, (size_t)(pool->end - (const char *)pool) + sizeof(void *),
                          PT_PIECE_LINKS_) &&
           pt_memory_add(memory, task, pool->size);
}
#else
#define pt_stuck_describe_pool_(memory, task) ((void)(task), true)
#endif

/* Describe the arrays of the queues: pointers of earlier tasks are left in them. */
PT_API bool pt_stuck_describe_queues_(struct pt_memory *memory, const struct pt_loop *loop)
{
    bool room = true;

#if PT_READY_STORAGE_
    if (loop->ready.ring)
        room = pt_memory_put_(memory, loop->ready.ring,
                              (loop->ready.mask + 1 + PT_READY_AHEAD_) * sizeof *loop->ready.ring,
                              PT_PIECE_LINKS_);
#endif
#if PT_TIMERS_STORAGE_
    if (loop->timers.heap.entries)
        room = room && pt_memory_put_(memory, loop->timers.heap.entries,
                                      loop->timers.heap.capacity * sizeof(struct pt_heap_entry),
                                      PT_PIECE_LINKS_);
#endif
#if PT_HAS_BUCKETS_
    if (loop->timers.later)
        room = room &&
               pt_memory_put_(memory, loop->timers.later->entries,
                              loop->timers.later->room * PT_CHUNK_ * sizeof(struct pt_heap_entry),
                              PT_PIECE_LINKS_);
#endif
    return room;
}

#if PT_TRACE
/* What observers have noted about tasks: the ring of a trace has the address of each. */
PT_API bool pt_stuck_describe_notes_(struct pt_memory *memory, const struct pt_loop *loop)
{
    bool room = true;

    for (const struct pt_observer *it = loop->observer; it && room; it = it->next)
        if (it->notes)
            room = pt_memory_put_(memory, it->notes, it->notes_bytes, PT_PIECE_LINKS_);
    return room;
}
#else
#define pt_stuck_describe_notes_(memory, loop) true
#endif

#if PT_NAME_FITS_
/* How many bytes follow the control block, which ends at AT, up to the end of the name in the base
 * frame; 0 if the frame is elsewhere. Only behind an owner there can be padding: other storage can
 * have a pointer of the program there. */
PT_ALWAYS size_t pt_stuck_name_bytes_(const struct pt_task *task, uintptr_t at)
{
    uintptr_t base = (uintptr_t)pt_task_base_(task);
    uintptr_t padding = 0;

    if (PT_POOLS && (pt_task_flags_(task) & PT_FLAG_OWNED_))
        padding = 63;
    return base - at > padding ? 0 : base - at + offsetof(struct pt, task_name) + sizeof(char *);
}
#else
#define pt_stuck_name_bytes_(task, at) ((size_t)0)
#endif

/* Describe the control block of a task, and behind it the pointer to its owner, and its name. */
PT_API bool pt_stuck_describe_task_(struct pt_memory *memory, const struct pt_task *task)
{
    size_t bytes = sizeof *task;

    if (PT_POOLS && PT_AWAIT && (pt_task_flags_(task) & PT_FLAG_OWNED_))
        bytes += sizeof(void *);
    bytes += pt_stuck_name_bytes_(task, (uintptr_t)task + bytes);
    return pt_memory_put_(memory, task, bytes, PT_PIECE_TASK_);
}

/* Clear what pushes into the joiners of a member have left in the node of its group: nothing reads
 * it, and to the search it would be a pointer of the program. */
PT_API void pt_stuck_clear_group_(const struct pt_task *task)
{
    PT_IF_(PT_GROUPS, if (task->flags & PT_FLAG_MEMBER_) pt_task_group_(task)->end.prev = NULL;)
}

/* Describe pt's own memory: the control blocks, the loop, its arrays, the items of pools, and what
 * observers have noted. Returns whether there was room. */
PT_API bool pt_stuck_describe_(struct pt_memory *memory, const struct pt_loop *loop)
{
    bool room = pt_memory_put_(memory, loop, sizeof *loop, PT_PIECE_LINKS_) &&
                pt_stuck_describe_queues_(memory, loop) && pt_stuck_describe_notes_(memory, loop);

    for (const struct pt_task *task = pt_loop_task(loop, NULL); task && room;
         task = pt_loop_task(loop, task)) {
        pt_stuck_clear_group_(task);
        room = pt_stuck_describe_task_(memory, task) && pt_stuck_describe_pool_(memory, task);
    }
    return room;
}

/* What the loop itself leads to: observers, what was posted, what the program has declared. */
PT_API void pt_stuck_reach_loop_(struct pt_memory *memory, struct pt_loop *loop)
{
    pt_memory_reach_(memory, (uintptr_t)loop->observer);
    pt_memory_reach_(memory, (uintptr_t)pt_loop_port_(loop));
    if (pt_loop_port_(loop))
        pt_memory_reach_(memory, (uintptr_t)pt_loop_port_(loop)->context);
    pt_memory_reach_(memory, (uintptr_t)pt_loop_host_(loop));
    PT_IF_(PT_REMOTE, pt_memory_reach_(memory, (uintptr_t)loop->inbox.first);)
    PT_IF_(
        PT_WAKERS, for (const struct pt_waker *waker = loop->wakers; waker; waker = waker->next) {
            pt_memory_reach_(memory, (uintptr_t)waker);
            pt_memory_reach_(memory, (uintptr_t)waker->task);
        })
    for (const struct pt_kept *kept = loop->kept; kept; kept = kept->next) {
        pt_memory_reach_(memory, (uintptr_t)kept);
        pt_memory_reach_(memory, (uintptr_t)kept->pointer);
    }
}

#endif
#endif
