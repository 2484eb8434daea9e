/* ring.h - bytes, or small structs, from an interrupt to a task
 * SPDX-License-Identifier: MIT
 *
 *     static PT_RING(uint8_t, 64) rx;
 *
 *     PT_RING_OPEN(&rx, &loop);                            in the loop's thread
 *
 *     if (PT_RING_PUT(&rx, &byte) != PT_OK) overruns++;    in the interrupt
 *
 *     PT_RING_GET(&rx, &self->byte);                       in a task
 *
 * One interrupt, or one thread, puts; tasks of one loop get. Neither side takes a lock: each writes
 * only its own count. Without atomics (PT_ATOMICS 0) a put is in a critical section,
 * PT_POST_ENTER, for the few instructions that notify the loop.
 *
 * Cancel, timeout: before and during the wait, the task leaves, and no item is lost. Once it is
 * given an item, it continues with that to its next wait. */
#ifndef PT_RING_H
#define PT_RING_H

#include "transfer.h"
#include "../run/waker.h"

#if PT_CHANNELS && PT_REMOTE

/* What all rings have in common. Zeroed, it is no ring: use PT_RING_OPEN. */
struct pt_ring_ {
    struct pt_remote arrival;      /* tells the loop that there are items; the first member */
    struct pt_wait_queue_ waiters; /* tasks that wait for an item */
    char *items;                   /* the places */
    size_t size;                   /* of one place */
    pt_count_ capacity;            /* the number of places; a power of two */
    pt_count_ put;                 /* items put; wraps; written by the producer */
    pt_count_ got;                 /* items taken; wraps; written by the loop */
    unsigned lost;                 /* items that found no place; written by the producer; atomic */
    bool closed;                   /* true: no more items come; written by the loop */
};

/* PT_RING(type, n) - the type of a ring with N places, a power of two; on AVR 128 at most */
#define PT_RING(type, n)      \
    struct {                  \
        struct pt_ring_ ring; \
        type items[n];        \
    }

/* PT_RING_OPEN(&ring, &loop) - open an empty ring; before the interrupt is enabled
 * RING is evaluated several times. */
#define PT_RING_OPEN(r, loop)                        \
    (PT_CHECK_ONE_(r, "PT_RING_OPEN") pt_ring_open_( \
        &(r)->ring, loop, (r)->items, sizeof((r)->items[0]), PT_RING_PLACES_((r)->items)))

/* PT_RING_PUT(&ring, &item) - in the interrupt: put a copy of an item into the ring; never waits
 * An expression; do not ignore its code: PT_OK, or PT_EOVERRUN when there is no place: the item
 * is lost, and pt_ring_lost counts it. */
#define PT_RING_PUT(r, item) pt_ring_put_(&(r)->ring, PT_CONST_ITEM_((r)->items, item))

/* PT_RING_GET(&ring, &self->item) - wait for the next item and take it
 * self->pt.status is PT_OK, or PT_ECLOSED once the ring is closed and empty: then *ITEM is as
 * before. */
#define PT_RING_GET(r, item) \
    PT_TRANSFER_(pt_ring_get_must_wait_, &(r)->ring, PT_ITEM_((r)->items, item))

/* PT_CASE_RING_GET(&ring, &self->item) - PT_RING_GET, in a select */
#define PT_CASE_RING_GET(r, item) \
    pt_case_ring_(PT_CASE_TASK_, &(r)->ring, PT_ITEM_((r)->items, item))

/* pt_ring_lost - how many items found no place since the ring was opened; wraps; anywhere; O(1)
 * Read the count only by this function: on AVR an interrupt could come between its two bytes. */
PT_API unsigned pt_ring_lost(const struct pt_ring_ *ring);

/* pt_ring_close - in the loop's thread, when the interrupt is disabled: no more items come
 * PT_RING_GET ends with PT_ECLOSED once the ring is empty, for waiting tasks too. As a remote,
 * close it once. Cost: O(waiters), and a pt_remote_close. */
PT_API void pt_ring_close(struct pt_ring_ *ring);

/* --- implementation ------------------------------------------------------------------------ */

/* The number of places; an error unless it is a power of two, at most half the range of a count. */
#define PT_RING_PLACES_(items)                                                                   \
    (sizeof(items) / sizeof((items)[0]) *                                                        \
     sizeof(                                                                                     \
         char[(sizeof(items) / sizeof((items)[0]) & (sizeof(items) / sizeof((items)[0]) - 1)) || \
                      sizeof(items) / sizeof((items)[0]) > (pt_count_)-1 / 2 + 1u                \
                  ? -1                                                                           \
                  : 1]))

PT_ALWAYS char *pt_ring_place_(const struct pt_ring_ *ring, pt_count_ n)
{
    return ring->items + (size_t)(n & (ring->capacity - 1u)) * ring->size;
}

/* Take an item, if there is one. */
PT_API bool pt_ring_take_(struct pt_ring_ *ring, void *item)
{
    pt_count_ got = ring->got;

    if (pt_count_load_(&ring->put) == got)
        return false;
    pt_copy_(item, pt_ring_place_(ring, got), ring->size);
    pt_count_store_(&ring->got, (pt_count_)(got + 1));
    return true;
}

/* The callback of its remote: give items to the waiters. */
PT_API void pt_ring_posted_(struct pt_remote *arrival, unsigned times)
{
    struct pt_ring_ *ring = (struct pt_ring_ *)(void *)arrival;
    struct pt_node *node;

    while ((node = pt_wait_queue_first_(&ring->waiters)) && /* pt-bounds: loop tasks */
           pt_ring_take_(ring, pt_value_of_(node, pt_waiter_selects_(node))))
        pt_wait_queue_complete_first_(&ring->waiters, PT_FLAG_GIVEN_);
}

PT_API void pt_ring_open_(struct pt_ring_ *ring, struct pt_loop *loop, void *items, size_t size,
                          size_t capacity)
{
    pt_wait_queue_init_(&ring->waiters);
    ring->items = (char *)items;
    ring->size = size;
    ring->capacity = (pt_count_)capacity;
    ring->put = ring->got = 0;
    ring->lost = 0;
    ring->closed = false;
    pt_remote_open(&ring->arrival, loop, pt_ring_posted_, ring); /* the last: pt_opened_ */
}

PT_MUST_CHECK PT_API pt_status pt_ring_put_(struct pt_ring_ *ring, const void *item, size_t size)
{
    pt_count_ put = ring->put;

    PT_ASSERT_(ring->capacity, "it was not opened: call PT_RING_OPEN", "a ring");
    if ((pt_count_)(put - pt_count_load_(&ring->got)) == ring->capacity) {
        pt_word_swap_(&ring->lost, ring->lost + 1);
        return PT_EOVERRUN;
    }
    pt_copy_(pt_ring_place_(ring, put), item, size);
    pt_count_store_(&ring->put, (pt_count_)(put + 1));
    pt_remote_post(&ring->arrival);
    return PT_OK;
}

/* Take the next item, unless others wait for it: PT_OK, PT_ECLOSED, or PT_EAGAIN. */
PT_API pt_status pt_ring_try_(struct pt_ring_ *ring, void *item)
{
    if (!pt_wait_queue_first_(&ring->waiters) && pt_ring_take_(ring, item))
        return PT_OK;
    return ring->closed ? (pt_status)PT_ECLOSED : (pt_status)PT_EAGAIN;
}

PT_API bool pt_ring_get_must_wait_(struct pt_task *task, struct pt *frame, struct pt_ring_ *ring,
                                   void *item, size_t size)
{
    frame->status = pt_ring_try_(ring, item);
    if (frame->status != PT_EAGAIN)
        return false;
    frame->status = PT_OK;
    pt_task_wait_in_queue_(task, &ring->waiters, PT_WHY_POP, item);
    return true;
}

PT_API unsigned pt_ring_lost(const struct pt_ring_ *ring)
{
    return pt_word_load_(&ring->lost);
}

PT_API void pt_ring_close(struct pt_ring_ *ring)
{
    PT_ASSERT_(!ring->closed, PT_CLOSED_TWICE_, "pt_ring_close");
    ring->closed = true;
    pt_remote_close(&ring->arrival);
    pt_wait_queue_complete_all_(&ring->waiters, PT_ECLOSED);
}

#if PT_SELECTS
PT_API bool pt_case_ring_take_(struct pt_case_ *it, struct pt *frame)
{
    return pt_case_take_(frame, pt_ring_try_((struct pt_ring_ *)it->target, it->item));
}

PT_ALWAYS void pt_case_ring_(struct pt_task *task, struct pt_ring_ *ring, void *item, size_t size)
{
    static const struct pt_case_kind_ kind =
        PT_CASE_KIND_(pt_case_ring_take_, PT_CASE_IN_QUEUE_, offsetof(struct pt_ring_, waiters));

    pt_case_add_(task, &kind, ring, item);
}
#endif

#endif
#endif
