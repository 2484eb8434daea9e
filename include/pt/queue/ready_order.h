/* ready_order.h - what observers ask of the ready queue, and the order that they may change
 * SPDX-License-Identifier: MIT
 *
 *     pt_ready_left_      how many nodes are left in the batch
 *     pt_ready_peek_      the node that would be taken after I others
 *     pt_ready_promote_   make that node the next, before those others
 *     pt_ready_last_      the node that was pushed last; there must be one (PT_TRACE)
 *
 * With the ring O(1), a promotion O(i); with the list the first is O(n), the next two are O(i). */
#ifndef PT_READY_ORDER_H
#define PT_READY_ORDER_H

#include "ready.h"

#if PT_READY == PT_READY_LIST

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

#if PT_TRACE
PT_API struct pt_node *pt_ready_last_(const struct pt_ready_ *ready)
{
    PT_STATIC_ASSERT(offsetof(struct pt_node, link) == 0, "a node begins with its link");
    return (struct pt_node *)(void *)ready->fifo.tail;
}
#endif

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

PT_API void pt_ready_promote_(struct pt_ready_ *ready, struct pt_batch_ *batch, size_t i)
{
    struct pt_node *node = pt_ready_peek_(ready, batch, i);

    for (unsigned at = batch->head + (unsigned)i; at != batch->head; at--)
        ready->ring[at & ready->mask] = ready->ring[(at - 1) & ready->mask];
    ready->ring[batch->head & ready->mask] = node;
}

#if PT_TRACE
PT_API struct pt_node *pt_ready_last_(const struct pt_ready_ *ready)
{
    return ready->ring[(ready->tail - 1) & ready->mask];
}
#endif

#endif
#endif
