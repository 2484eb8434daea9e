/* ready_order.h - a batch as observers and native tasks see it, and the order that they change
 * SPDX-License-Identifier: MIT
 *
 *     pt_ready_left_      how many nodes are left in the batch
 *     pt_ready_peek_      the node that would be taken after I others
 *     pt_ready_look_      as peek, but NULL if there is none, or it is not cheap to find
 *     pt_ready_promote_   make that node the next, before those others
 *     pt_ready_last_      the node that was pushed last: not in an empty queue
 *     pt_ready_tail_      the rest of the current batch
 *
 * With the ring O(1), a promotion O(i); with the list what is left O(n), peek and promote O(i). */
#ifndef PT_READY_ORDER_H
#define PT_READY_ORDER_H

#include "ready.h"

#if PT_READY != PT_READY_RING

PT_API size_t pt_ready_left_(const struct pt_ready_ *ready, const struct pt_batch_ *batch)
{
    return pt_ready_from_(ready, batch->next);
}

PT_API struct pt_node *pt_ready_peek_(const struct pt_ready_ *ready, const struct pt_batch_ *batch,
                                      size_t i)
{
    struct pt_node *node = batch->next;

    while (i--)
        node = node->link.next;
    return node;
}

PT_ALWAYS struct pt_node *pt_ready_look_(const struct pt_ready_ *ready,
                                         const struct pt_batch_ *batch, unsigned i)
{
    if (i || batch->next == pt_ready_end_(ready))
        return NULL; /* no further: a walk costs */
    return batch->next;
}

PT_API void pt_ready_promote_(struct pt_ready_ *ready, struct pt_batch_ *batch, size_t i)
{
    struct pt_node **link = &batch->next, *node;

    while (i--)
        link = &(*link)->link.next;
    node = *link;
    *link = node->link.next;
    node->link.next = batch->next;
    batch->next = node;
}

#if PT_CENSUS
PT_ALWAYS struct pt_batch_ pt_ready_tail_(const struct pt_ready_ *ready)
{
    struct pt_batch_ batch;

    batch.next = ready->batch;
    return batch;
}
#endif

PT_API struct pt_node *pt_ready_last_(const struct pt_ready_ *ready)
{
    PT_STATIC_ASSERT(offsetof(struct pt_node, link) == 0, "a node begins with its link");
    return (struct pt_node *)(void *)ready->fifo.tail;
}

#else

PT_API size_t pt_ready_left_(const struct pt_ready_ *ready, const struct pt_batch_ *batch)
{
    return batch->end - batch->head;
}

PT_API struct pt_node *pt_ready_peek_(const struct pt_ready_ *ready, const struct pt_batch_ *batch,
                                      size_t i)
{
    return ready->ring[(batch->head + (unsigned)i) & ready->mask];
}

PT_ALWAYS struct pt_node *pt_ready_look_(const struct pt_ready_ *ready,
                                         const struct pt_batch_ *batch, unsigned i)
{
    return batch->end - batch->head > i ? ready->ring[(batch->head + i) & ready->mask] : NULL;
}

PT_API void pt_ready_promote_(struct pt_ready_ *ready, struct pt_batch_ *batch, size_t i)
{
    struct pt_node *node = pt_ready_peek_(ready, batch, i);

    for (unsigned at = batch->head + (unsigned)i; at != batch->head; at--)
        ready->ring[at & ready->mask] = ready->ring[(at - 1) & ready->mask];
    ready->ring[batch->head & ready->mask] = node;
}

#if PT_HAS_DIRECT_
PT_ALWAYS struct pt_batch_ pt_ready_tail_(const struct pt_ready_ *ready)
{
    struct pt_batch_ batch;

    batch.head = ready->head;
    batch.end = ready->end;
    return batch;
}
#endif

PT_API struct pt_node *pt_ready_last_(const struct pt_ready_ *ready)
{
    return ready->ring[(ready->tail - 1) & ready->mask];
}

#endif
#endif
