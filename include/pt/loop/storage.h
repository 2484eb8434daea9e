/* storage.h - room for every task in every queue of a loop, reserved when the task is spawned
 * SPDX-License-Identifier: MIT
 *
 *     static PT_LOOP_STORAGE(8) storage;
 *
 *     pt_loop_use(&loop, &storage);            before the first spawn
 *
 * The storage is static, as here, or it comes from the port's memory and grows with the number of
 * tasks. Once a task is spawned, no yield, wait or wake can run out of room.
 *
 * Only PT_READY_RING and PT_TIMERS_ARRAY, the defaults of a PC, need storage. By default a part's
 * queues are linked through the tasks: then the loop has no limit of tasks, PT_LOOP_STORAGE(n) is
 * one byte for any N, and pt_loop_use does nothing. Both can be left out there. */
#ifndef PT_STORAGE_H
#define PT_STORAGE_H

#include "loop.h"

/* PT_LOOP_STORAGE(n) - the type of static storage for a loop of up to N tasks
 * If only the ready ring needs it, for up to the next power of two.
 * If every queue is linked through the tasks, as it is by default on a part, there is nothing to
 * store: the type has one byte, and N limits nothing. */
#define PT_LOOP_STORAGE(n)                                                                       \
    struct {                                                                                     \
        PT_IF_(PT_TIMERS_STORAGE_, struct pt_heap_entry timers[n];)                              \
        PT_IF_(PT_READY_STORAGE_, struct pt_node *ready[PT_POWER_OF_TWO_(n) + PT_READY_AHEAD_];) \
        PT_IF_(PT_NOT_(PT_LOOP_HAS_STORAGE_), unsigned char none;)                               \
    }

/* pt_loop_use(&loop, &storage) - give the loop this storage, which must outlive the loop
 * Call it before the first spawn, and not on a port with memory: the loop would pass the storage to
 * the port's resize. LOOP and STORAGE are evaluated several times. */
#define pt_loop_use(loop, storage)                                            \
    (PT_CHECK_ONE_(loop, "pt_loop_use") PT_CHECK_ONE_(storage, "pt_loop_use") \
         pt_loop_use_ready_(loop, storage),                                   \
     pt_loop_use_timers_(loop, storage))

/* --- implementation ------------------------------------------------------------------------ */

/* N rounded up to a power of two; a constant. */
#define PT_POWER_OF_TWO_(n) (PT_FILL_16_((uint32_t)(n)-1u) + 1u)
#define PT_FILL_16_(n) (PT_FILL_8_(n) | PT_FILL_8_(n) >> 16)
#define PT_FILL_8_(n) (PT_FILL_4_(n) | PT_FILL_4_(n) >> 8)
#define PT_FILL_4_(n) (PT_FILL_2_(n) | PT_FILL_2_(n) >> 4)
#define PT_FILL_2_(n) (PT_FILL_1_(n) | PT_FILL_1_(n) >> 2)
#define PT_FILL_1_(n) ((n) | (n) >> 1)

/* Resize BLOCK to N elements of EACH bytes. If there is no memory, return NULL and leave BLOCK
 * unchanged. */
PT_API void *pt_loop_resize_(const struct pt_loop *loop, void *block, unsigned n, size_t each)
{
    const struct pt_port *port = pt_loop_port_(loop);

    return PT_PORT && n <= SIZE_MAX / each ? port->resize(port->context, block, n * each) : NULL;
}

/* Whether the loop's port has memory. */
PT_ALWAYS bool pt_loop_has_memory_(const struct pt_loop *loop)
{
    const struct pt_port *port = pt_loop_port_(loop);

    return port && port->resize;
}

/* Give a block back to the port, if the port has memory. */
PT_API void pt_loop_free_(const struct pt_loop *loop, void *block)
{
    const struct pt_port *port = pt_loop_port_(loop);

    if (block && pt_loop_has_memory_(loop))
        port->resize(port->context, block, 0);
}

#if PT_READY_STORAGE_
/* The ring's length is rounded up to a power of two: it can hold more tasks than the timers can. */
#define pt_loop_use_ready_(loop, storage)                                                         \
    ((loop)->capacity = sizeof((storage)->ready) / sizeof((storage)->ready[0]) - PT_READY_AHEAD_, \
     pt_ready_storage_(&(loop)->ready, (storage)->ready, (loop)->capacity))

PT_API bool pt_loop_grow_ready_(struct pt_loop *loop, unsigned room)
{
    struct pt_node **old = loop->ready.ring;
    struct pt_node **ring =
        (struct pt_node **)pt_loop_resize_(loop, NULL, room + PT_READY_AHEAD_, sizeof *ring);

    if (!ring)
        return false;
    pt_ready_storage_(&loop->ready, ring, room);
    pt_loop_free_(loop, old);
    return true;
}

PT_API void pt_loop_free_ready_(struct pt_loop *loop)
{
    pt_loop_free_(loop, loop->ready.ring);
}
#else
#define pt_loop_use_ready_(loop, storage) ((void)(loop), (void)(storage))
#define pt_loop_free_ready_(loop) ((void)0)
#define pt_loop_grow_ready_(loop, room) true
#endif

#if PT_HAS_BUCKETS_
/* Room for timers in buckets: for as many as in the heap, and for the empty places in the last
 * chunk of each bucket. If there is no memory, the heap takes what the buckets do not. */
PT_API void pt_loop_grow_buckets_(struct pt_loop *loop, unsigned room)
{
    struct pt_buckets_ *later = loop->timers.later;
    unsigned chunks = room / PT_CHUNK_ + room / 16 + 64;
    struct pt_heap_entry *entries;
    struct pt_chunk_ *links;

    if (room <= PT_BUCKETS_FROM_)
        return;
    if (!later) {
        later = (struct pt_buckets_ *)pt_loop_resize_(loop, NULL, 1, sizeof *later);
        if (!later)
            return;
        pt_buckets_init_(later);
        loop->timers.later = later;
    }
    entries = (struct pt_heap_entry *)pt_loop_resize_(loop, later->entries, chunks * PT_CHUNK_,
                                                      sizeof *entries);
    if (entries)
        later->entries = entries;
    links = (struct pt_chunk_ *)pt_loop_resize_(loop, later->chunks, chunks, sizeof *links);
    if (links)
        later->chunks = links;
    if (entries && links)
        later->room = chunks;
}

PT_API void pt_loop_free_buckets_(struct pt_loop *loop)
{
    struct pt_buckets_ *later = loop->timers.later;

    if (!later)
        return;
    pt_loop_free_(loop, later->entries);
    pt_loop_free_(loop, later->chunks);
    pt_loop_free_(loop, later);
}
#else
#define pt_loop_grow_buckets_(loop, room) ((void)0)
#define pt_loop_free_buckets_(loop) ((void)0)
#endif

#if PT_TIMERS_STORAGE_
#define pt_loop_use_timers_(loop, storage)                                        \
    ((loop)->capacity = sizeof((storage)->timers) / sizeof((storage)->timers[0]), \
     pt_heap_storage(&(loop)->timers.heap, (storage)->timers, (loop)->capacity))

PT_API bool pt_loop_grow_timers_(struct pt_loop *loop, unsigned room)
{
    struct pt_heap *heap = &loop->timers.heap;
    struct pt_heap_entry *entries =
        (struct pt_heap_entry *)pt_loop_resize_(loop, heap->entries, room, sizeof *entries);

    if (entries)
        pt_heap_storage(heap, entries, room);
    if (entries)
        pt_loop_grow_buckets_(loop, room);
    return entries;
}

/* Give the memory of the timer queue back. */
PT_API void pt_loop_free_timers_(struct pt_loop *loop)
{
    pt_loop_free_(loop, loop->timers.heap.entries);
    pt_loop_free_buckets_(loop);
}
#else
#define pt_loop_use_timers_(loop, storage) ((void)0)
#define pt_loop_free_timers_(loop) ((void)0)
#define pt_loop_grow_timers_(loop, room) true
#endif

/* Double the capacity. If only one queue could grow, its new block is kept for the next try. A loop
 * without any storage stops the program, in every build: no task could start, and a program that
 * ignores the codes of its starts would do nothing, without a message. */
PT_NOINLINE pt_status pt_loop_grow_(struct pt_loop *loop)
{
    unsigned capacity = pt_loop_capacity_(loop), room = capacity ? capacity * 2 : 16;

    if (!capacity && !pt_loop_has_memory_(loop))
        PT_PANIC("its loop has no storage: call pt_loop_use, or open it on a port with memory",
                 "a spawn", 0);
    if (!pt_loop_has_memory_(loop) || room < capacity)
        return PT_ENOMEM;
    if (!pt_loop_grow_timers_(loop, room) || !pt_loop_grow_ready_(loop, room))
        return PT_ENOMEM;
    pt_loop_set_capacity_(loop, room);
    return PT_OK;
}

/* Make sure that there is room for one more task; false if there is none. */
PT_ALWAYS bool pt_loop_reserve_(struct pt_loop *loop)
{
    return !PT_LOOP_HAS_STORAGE_ || pt_census_live_(loop) < pt_loop_capacity_(loop) ||
           pt_loop_grow_(loop) == PT_OK;
}

/* --- owners --------------------------------------------------------------------------------- */

#if PT_POOLS
/* The place of the pointer to a task's owner: in the task, or directly behind it. */
PT_ALWAYS struct pt_owner **pt_task_owner_at_(const struct pt_task *task)
{
    return PT_CHOOSE_(PT_AWAIT, (struct pt_owner **)(void *)((uintptr_t)task + sizeof *task),
                      (struct pt_owner **)(uintptr_t)&task->owner);
}

/* The storage of a task belongs to OWNER. */
PT_ALWAYS void pt_task_own_(struct pt_task *task, struct pt_owner *owner)
{
    task->flags |= PT_FLAG_OWNED_;
    *pt_task_owner_at_(task) = owner;
}

/* The owner of a task's storage, or NULL. */
PT_ALWAYS struct pt_owner *pt_task_owner_(const struct pt_task *task)
{
    return task->flags & PT_FLAG_OWNED_ ? *pt_task_owner_at_(task) : NULL;
}
#else
#define pt_task_owner_(task) ((struct pt_owner *)NULL)
#endif

/* Give a task's storage back to its owner, if it has one. */
PT_ALWAYS void pt_task_release_(struct pt_task *task)
{
    struct pt_owner *owner = pt_task_owner_(task);

    if (owner)
        owner->release(owner, task);
}

#if PT_PORT && PT_POOLS
/* Give the storage of a task of PT_SPAWN_NEW back to the port: the release of loop->heap. */
PT_API void pt_loop_free_task_(struct pt_owner *heap, struct pt_task *task)
{
    struct pt_loop *loop =
        (struct pt_loop *)(void *)((char *)heap - offsetof(struct pt_loop, heap));

    loop->port->resize(loop->port->context, task, 0);
}

PT_ALWAYS void pt_loop_init_heap_(struct pt_loop *loop)
{
    loop->heap.release = pt_loop_free_task_;
    PT_IF_(PT_INSPECT, loop->heap.pool = NULL;)
}
#else
#define pt_loop_init_heap_(loop) ((void)0)
#endif

#endif
