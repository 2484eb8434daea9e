/* ready_ring.h - the ready queue of ready.h as a ring of pointers: PT_READY_RING
 * SPDX-License-Identifier: MIT
 *
 * The ring has room for all tasks, so a push cannot fail. The loop prefetches the memory of later
 * tasks while it runs others. */
#ifndef PT_READY_RING_H
#define PT_READY_RING_H

#include "list.h"

#if PT_READY == PT_READY_RING

#define PT_READY_STORAGE_ 1 /* needs a slot per task */

/* How many takes ahead the queue prefetches: enough to cover a miss, few enough to stay cached. The
 * ring has as many spare slots after its end, so that looking ahead needs no wrap. */
#define PT_READY_AHEAD_ 32

/* The queue. Write through the functions. */
struct pt_ready_ {
    struct pt_node **ring; /* the caller's array of mask + 1 + PT_READY_AHEAD_ pointers */
    unsigned mask;         /* the length, a power of two, minus one */
    unsigned head;         /* takes so far */
    unsigned tail;         /* pushes so far */
    PT_IF_(PT_HAS_DIRECT_, unsigned end;) /* takes at the end of the batch */
};

/* pt_ready_init_ - an empty queue, without storage; O(1) */
PT_ALWAYS void pt_ready_init_(struct pt_ready_ *ready)
{
    ready->ring = NULL;
    ready->mask = ready->head = ready->tail = 0;
}

/* pt_ready_count_ - the number of nodes in the queue and in the rest of the batch; O(1) */
PT_ALWAYS size_t pt_ready_count_(const struct pt_ready_ *ready)
{
    return ready->tail - ready->head;
}

/* pt_ready_empty_ - whether no node is queued; only between batches; O(1) */
PT_ALWAYS bool pt_ready_empty_(const struct pt_ready_ *ready)
{
    return ready->tail == ready->head;
}

/* pt_ready_few_ - how many nodes are queued; 0 if over MOST; only between batches; O(1) */
PT_ALWAYS unsigned pt_ready_few_(const struct pt_ready_ *ready, unsigned most)
{
    unsigned count = ready->tail - ready->head;

    return count - 1 < most ? count : 0; /* one comparison: 0 - 1 is the largest number */
}

/* pt_ready_push_ - queue NODE for the next batch; there must be room; O(1) */
PT_ALWAYS void pt_ready_push_(struct pt_ready_ *ready, struct pt_node *node)
{
    ready->ring[ready->tail++ & ready->mask] = node;
}

#define pt_ready_add_(ready, node) pt_ready_push_(ready, node)

/* A batch. The compiler keeps it in registers. */
struct pt_batch_ {
    unsigned head, end;
};

/* pt_ready_begin_ - a batch of all nodes that are queued now; O(1) */
PT_ALWAYS struct pt_batch_ pt_ready_begin_(struct pt_ready_ *ready)
{
    struct pt_batch_ batch;

    batch.head = ready->head;
    batch.end = ready->tail;
    PT_IF_(PT_HAS_DIRECT_, ready->end = batch.end;)
    return batch;
}

/* pt_ready_take_ - store the next node of the batch in *NODE; returns false at its end; O(1)
 * Prefetches a later node, and the memory BEHIND bytes after its start; with 0, nothing. */
PT_ALWAYS bool pt_ready_take_(struct pt_ready_ *ready, struct pt_batch_ *batch,
                              struct pt_node **node, size_t behind)
{
    struct pt_node **slot;

    if (batch->head == batch->end)
        return false;
    slot = &ready->ring[batch->head & ready->mask];
    ready->head = ++batch->head;
    if (behind) {
        PT_PREFETCH((const void *)slot[PT_READY_AHEAD_]);
        PT_PREFETCH((const void *)((uintptr_t)slot[PT_READY_AHEAD_] + behind));
    }
    *node = *slot;
    return true;
}

/* pt_ready_storage_ - let the queue use an array of LENGTH pointers, a power of two, and
 * PT_READY_AHEAD_ more; the nodes that are queued move over to it; O(n) */
PT_API void pt_ready_storage_(struct pt_ready_ *ready, struct pt_node **ring, unsigned length)
{
    for (unsigned i = ready->head; i != ready->tail; i++)
        ring[i & (length - 1)] = ready->ring[i & ready->mask];
    for (unsigned i = 0; i < PT_READY_AHEAD_; i++)
        ring[length + i] = NULL;
    ready->ring = ring;
    ready->mask = length - 1;
}

#endif
#endif
