/* wait_queue.h - tasks that wait and are woken one by one, in the order of arrival
 * SPDX-License-Identifier: MIT
 *
 *     +--> end --> [node] --> [node] --+       A circular list. Its end is a node too, so a push
 *     +--------------------------------+       has no special case.
 *
 * Each node points back to the link that leads to it, so it can leave in O(1) without its queue. */
#ifndef PT_WAIT_QUEUE_H
#define PT_WAIT_QUEUE_H

#include "list.h"

#if PT_HAS_LEAVERS_

/* The queue. Write through the functions. It points into itself: do not copy it. */
struct pt_wait_queue_ {
    struct pt_node end; /* before the first and after the last */
};

/* PT_DEBUG: LINK is NULL if a channel, a lock or the like was zeroed but not initialized. */
#define PT_WAIT_QUEUE_MADE_(link)                                                              \
    PT_ASSERT_(link,                                                                           \
               "it was not initialized: call pt_channel_init, PT_QUEUE_INIT, pt_lock_init...", \
               "a channel, a queue, a lock")

/* pt_wait_queue_init_ - an empty queue; O(1) */
PT_API void pt_wait_queue_init_(struct pt_wait_queue_ *queue)
{
    queue->end.link.next = &queue->end;
    queue->end.prev = &queue->end.link.next;
}

/* pt_wait_queue_empty_ - whether no task waits; O(1) */
PT_ALWAYS bool pt_wait_queue_empty_(const struct pt_wait_queue_ *queue)
{
    return queue->end.link.next == &queue->end;
}

/* pt_wait_queue_first_ - the node that pop would return, or NULL; O(1) */
PT_API struct pt_node *pt_wait_queue_first_(const struct pt_wait_queue_ *queue)
{
    return pt_wait_queue_empty_(queue) ? NULL : queue->end.link.next;
}

/* pt_wait_queue_next_ - the node after NODE, or NULL; O(1) */
PT_API struct pt_node *pt_wait_queue_next_(const struct pt_wait_queue_ *queue,
                                           const struct pt_node *node)
{
    return node->link.next == &queue->end ? NULL : node->link.next;
}

/* pt_wait_queue_count_ - the number of nodes; O(n) */
PT_API int pt_wait_queue_count_(const struct pt_wait_queue_ *queue)
{
    int count = 0;

    for (const struct pt_node *node = pt_wait_queue_first_(queue); node; count++)
        node = pt_wait_queue_next_(queue, node);
    return count;
}

/* pt_wait_queue_push_ - append NODE, which is in no queue; O(1) */
PT_SHARED void pt_wait_queue_push_(struct pt_wait_queue_ *queue, struct pt_node *node)
{
    PT_WAIT_QUEUE_MADE_(queue->end.prev);
    node->link.next = &queue->end;
    node->prev = queue->end.prev;
    *node->prev = node;
    queue->end.prev = &node->link.next;
}

/* pt_wait_remove_ - take NODE out of its wait queue or wait list; O(1) */
PT_SHARED void pt_wait_remove_(struct pt_node *node)
{
    *node->prev = node->link.next;
    if (node->link.next) /* always, in a queue */
        node->link.next->prev = node->prev;
}

/* Mark NODE as being in no queue: removing it then has no effect. */
PT_ALWAYS void pt_wait_detached_(struct pt_node *node)
{
    node->link.next = NULL;
    node->prev = &node->link.next;
}

/* pt_wait_queue_pop_ - take the first node of a queue that is not empty; O(1) */
PT_ALWAYS struct pt_node *pt_wait_queue_pop_(struct pt_wait_queue_ *queue)
{
    struct pt_node *first = queue->end.link.next;

    PT_WAIT_QUEUE_MADE_(first);
    PT_OPAQUE_(first); /* gcc takes it for the end if it has seen the initialization */
    queue->end.link.next = first->link.next;
    first->link.next->prev = &queue->end.link.next;
    return first;
}

#elif PT_HAS_WAIT_QUEUES_

/* Without PT_HAS_LEAVERS_ no node leaves early. Then one pointer is enough, to the last node; its
 * link points to the first. There is no pt_wait_queue_next_ and no pt_wait_remove_. */
struct pt_wait_queue_ {
    struct pt_node *last; /* NULL: empty */
};

PT_ALWAYS void pt_wait_queue_init_(struct pt_wait_queue_ *queue)
{
    queue->last = NULL;
}

PT_ALWAYS bool pt_wait_queue_empty_(const struct pt_wait_queue_ *queue)
{
    return !queue->last;
}

PT_ALWAYS struct pt_node *pt_wait_queue_first_(const struct pt_wait_queue_ *queue)
{
    return queue->last ? queue->last->link.next : NULL;
}

PT_API void pt_wait_queue_push_(struct pt_wait_queue_ *queue, struct pt_node *node)
{
    struct pt_node *last = queue->last ? queue->last : node;

    node->link.next = last->link.next;
    last->link.next = node;
    queue->last = node;
}

PT_API struct pt_node *pt_wait_queue_pop_(struct pt_wait_queue_ *queue)
{
    struct pt_node *first = queue->last->link.next;

    if (first == queue->last)
        queue->last = NULL;
    else
        queue->last->link.next = first->link.next;
    return first;
}

#endif

/* A place in a wait queue, with a pointer to what the task waits with or for. */
struct pt_waiter_ {
    struct pt_node node; /* its place in the wait queue */
    void *item; /* the value, or where to store it; the waiter itself: a case of a select */
};

#endif
