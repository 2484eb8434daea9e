/* ready.h - the ready queue: first in, first out, each node at most once; taken in batches
 * SPDX-License-Identifier: MIT
 *
 * pt_ready_begin_ makes a batch of the nodes that are queued at that moment. pt_ready_take_ returns
 * them in order; nodes that are pushed meanwhile wait for the next batch.
 *
 * PT_READY (config.h) chooses between a list, linked through the nodes, and a ring of pointers.
 * With the ring the loop can prefetch the memory of later tasks while it runs others. The ring has
 * room for all tasks, so a push cannot fail. */
#ifndef PT_READY_H
#define PT_READY_H

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
#if PT_HAS_DIRECT_
    unsigned end; /* takes at the end of the batch */
#endif
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

/* pt_ready_push_ - queue NODE for the next batch; there must be room; O(1) */
PT_ALWAYS void pt_ready_push_(struct pt_ready_ *ready, struct pt_node *node)
{
    ready->ring[ready->tail++ & ready->mask] = node;
}

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
#if PT_HAS_DIRECT_
    ready->end = batch.end;
#endif
    return batch;
}

#if PT_HAS_DIRECT_
/* The rest of the current batch. */
PT_ALWAYS struct pt_batch_ pt_ready_tail_(const struct pt_ready_ *ready)
{
    struct pt_batch_ batch;

    batch.head = ready->head;
    batch.end = ready->end;
    return batch;
}

/* The node of a batch that is I places after its first, or NULL. */
PT_ALWAYS struct pt_node *pt_ready_look_(const struct pt_ready_ *ready,
                                         const struct pt_batch_ *batch, unsigned i)
{
    return batch->end - batch->head > i ? ready->ring[(batch->head + i) & ready->mask] : NULL;
}
#endif

/* pt_ready_take_ - store the next node of the batch in *NODE; returns false at its end; O(1)
 * Prefetches a later node, and the memory BEHIND bytes after its start. */
PT_ALWAYS bool pt_ready_take_(struct pt_ready_ *ready, struct pt_batch_ *batch,
                              struct pt_node **node, size_t behind)
{
    struct pt_node **slot;

    if (batch->head == batch->end)
        return false;
    slot = &ready->ring[batch->head & ready->mask];
    ready->head = ++batch->head;
    PT_PREFETCH((const void *)slot[PT_READY_AHEAD_]);
    PT_PREFETCH((const void *)((uintptr_t)slot[PT_READY_AHEAD_] + behind));
    *node = *slot;
    return true;
}

#if PT_INSPECT
/* pt_ready_left_ - the number of nodes left in a batch; O(1) */
PT_API size_t pt_ready_left_(const struct pt_ready_ *ready, const struct pt_batch_ *batch)
{
    (void)ready;
    return batch->end - batch->head;
}

/* pt_ready_peek_ - the node of a batch that would be taken after I others; O(1) */
PT_API struct pt_node *pt_ready_peek_(const struct pt_ready_ *ready, const struct pt_batch_ *batch,
                                      size_t i)
{
    return ready->ring[(batch->head + (unsigned)i) & ready->mask];
}

/* pt_ready_promote_ - make that node the next, before those others; O(i) */
PT_API void pt_ready_promote_(struct pt_ready_ *ready, struct pt_batch_ *batch, size_t i)
{
    struct pt_node *node = pt_ready_peek_(ready, batch, i);

    for (unsigned at = batch->head + (unsigned)i; at != batch->head; at--)
        ready->ring[at & ready->mask] = ready->ring[(at - 1) & ready->mask];
    ready->ring[batch->head & ready->mask] = node;
}
#endif

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

#else

/* The list: the same functions without pt_ready_storage_; count, left and peek are O(n). */
#define PT_READY_STORAGE_ 0

struct pt_ready_ {
    struct pt_fifo fifo;   /* the nodes for the next batch */
#if PT_CENSUS
    struct pt_node *batch; /* the rest of the current batch, linked up to the end */
#endif
};

/* The end mark of a batch: the queue itself as a node, with `first` as its link. It is pushed like
 * any node; this closes the batch and leaves the queue empty for the next one. */
PT_ALWAYS struct pt_node *pt_ready_end_(const struct pt_ready_ *ready)
{
    PT_STATIC_ASSERT(offsetof(struct pt_fifo, first) == offsetof(struct pt_node, link),
                     "a queue begins as a node does");
    return (struct pt_node *)(uintptr_t)&ready->fifo;
}

#if PT_CENSUS
/* The current batch begins with NODE now. */
PT_ALWAYS void pt_ready_note_(struct pt_ready_ *ready, struct pt_node *node)
{
    ready->batch = node;
}

/* The number of nodes in a batch, from NODE to its end. */
PT_API size_t pt_ready_from_(const struct pt_ready_ *ready, const struct pt_node *node)
{
    size_t count = 0;

    for (; node != pt_ready_end_(ready); node = node->link.next)
        count++;
    return count;
}

PT_API size_t pt_ready_count_(const struct pt_ready_ *ready)
{
    return pt_fifo_count(&ready->fifo) + pt_ready_from_(ready, ready->batch);
}
#else
PT_ALWAYS void pt_ready_note_(struct pt_ready_ *ready, struct pt_node *node)
{
    (void)ready;
    (void)node;
}
#endif

PT_ALWAYS void pt_ready_init_(struct pt_ready_ *ready)
{
    pt_fifo_init(&ready->fifo);
    pt_ready_note_(ready, pt_ready_end_(ready));
}

PT_ALWAYS bool pt_ready_empty_(const struct pt_ready_ *ready)
{
    return pt_fifo_empty(&ready->fifo);
}

PT_ALWAYS void pt_ready_push_(struct pt_ready_ *ready, struct pt_node *node)
{
    pt_fifo_push(&ready->fifo, node);
}

struct pt_batch_ {
    struct pt_node *next; /* the rest of it, linked up to the end */
};

PT_ALWAYS struct pt_batch_ pt_ready_begin_(struct pt_ready_ *ready)
{
    struct pt_batch_ batch;

    batch.next = pt_fifo_push(&ready->fifo, pt_ready_end_(ready));
    if (PT_INSPECT)
        pt_ready_note_(ready, batch.next); /* an observer can count before the first is taken */
    return batch;
}

#if PT_HAS_DIRECT_
PT_ALWAYS struct pt_batch_ pt_ready_tail_(const struct pt_ready_ *ready)
{
    struct pt_batch_ batch;

    batch.next = ready->batch;
    return batch;
}

PT_ALWAYS struct pt_node *pt_ready_look_(const struct pt_ready_ *ready,
                                         const struct pt_batch_ *batch, unsigned i)
{
    return i || batch->next == pt_ready_end_(ready) ? NULL
                                                    : batch->next; /* no further: a walk costs */
}
#endif

PT_ALWAYS bool pt_ready_take_(struct pt_ready_ *ready, struct pt_batch_ *batch,
                              struct pt_node **node, size_t behind)
{
    (void)behind;
    *node = batch->next;
    if (*node == pt_ready_end_(ready))
        return false;
    batch->next = (*node)->link.next;
    pt_ready_note_(ready, batch->next);
    return true;
}

#if PT_INSPECT
PT_API size_t pt_ready_left_(const struct pt_ready_ *ready, const struct pt_batch_ *batch)
{
    return pt_ready_from_(ready, batch->next);
}

PT_API struct pt_node *pt_ready_peek_(const struct pt_ready_ *ready, const struct pt_batch_ *batch,
                                      size_t i)
{
    struct pt_node *node = batch->next;

    (void)ready;
    while (i--)
        node = node->link.next;
    return node;
}

PT_API void pt_ready_promote_(struct pt_ready_ *ready, struct pt_batch_ *batch, size_t i)
{
    struct pt_node **link = &batch->next, *node;

    (void)ready;
    while (i--)
        link = &(*link)->link.next;
    node = *link;
    *link = node->link.next;
    node->link.next = batch->next;
    batch->next = node;
}
#endif

#endif
#endif
