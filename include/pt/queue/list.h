/* list.h - a node that is in one queue at a time, and two lists of nodes
 * SPDX-License-Identifier: MIT
 *
 *     struct pt_list    one pointer: a stack, or sorted by deadline
 *     struct pt_fifo    two pointers: first in, first out
 *
 *     first --> [node] --> [node] --> [node]       The fifo's tail points to the last link; when
 *                                        ^         the fifo is empty, to `first`. So a push is
 *     tail ------------------------------+         two stores and has no special case. */
#ifndef PT_LIST_H
#define PT_LIST_H

#include "../base/ticks.h"

/* The meaning of a node's link depends on where the node is; it is never in two places. */
struct pt_node {
    union {
        struct pt_node *next; /* in a list, or a sibling in heap_linked.h: written by it */
        unsigned index;       /* in the heap of heap.h: where its entry is, written by the heap */
        void *operand;        /* in no queue: free for its owner */
    } link;
#if PT_TIMERS == PT_TIMERS_HEAP && !PT_TIMEOUTS /* else a task has a timer besides its node */
    struct pt_node *child; /* in the heap of heap_linked.h: the last child, written by the heap */
#endif
#if PT_HAS_LEAVERS_ || PT_HAS_TIMERS_
    PT_EXTENSION union {
        /* In a wait queue or wait list: the link that points here. In a timer queue: the deadline,
         * written by the owner before the push. */
        PT_IF_(PT_HAS_LEAVERS_, struct pt_node **prev;)
        PT_IF_(PT_HAS_TIMERS_, pt_time at;)
    };
#endif
};
PT_FIELD_(PT_HAS_TIMERS_, pt_node, pt_node, at, pt_time, 0)
PT_FIELD_(PT_HAS_LEAVERS_, pt_node, pt_node, prev, struct pt_node **, NULL)

/* --- the stack, and the sorted list -------------------------------------------------------- */

/* The list. Read `first`; write through the functions. */
struct pt_list {
    struct pt_node *first; /* NULL: empty */
};

/* pt_list_init - an empty list; O(1) */
PT_ALWAYS void pt_list_init(struct pt_list *list);

/* pt_list_push - put NODE at the front; O(1) */
PT_ALWAYS void pt_list_push(struct pt_list *list, struct pt_node *node);

/* pt_list_pop - take the first node of a list that is not empty; O(1) */
PT_ALWAYS struct pt_node *pt_list_pop(struct pt_list *list);

/* pt_list_remove - take out NODE, which is in the list; O(n) */
PT_API void pt_list_remove(struct pt_list *list, const struct pt_node *node);

#if PT_HAS_TIMERS_
/* pt_list_add_sorted - put NODE after every node that is not later than it; O(n)
 * Nodes with equal deadlines keep the order in which they were added. The deadlines must be
 * within PT_DELAY_MAX of each other. */
PT_SHORT void pt_list_add_sorted(struct pt_list *list, struct pt_node *node);
#endif

/* --- first in, first out ------------------------------------------------------------------- */

/* The queue. Use pt_fifo_empty before you read `first`; write through the functions. */
struct pt_fifo {
    struct pt_node *first; /* meaningless when empty */
    struct pt_node **tail; /* where the next node will be linked; &first: empty */
};

/* pt_fifo_init - an empty queue; do not copy it, it points into itself; O(1) */
PT_ALWAYS void pt_fifo_init(struct pt_fifo *fifo);

/* pt_fifo_empty - whether the queue has no node; O(1) */
PT_ALWAYS bool pt_fifo_empty(const struct pt_fifo *fifo);

/* pt_fifo_push - put NODE at the end; returns the first node, possibly NODE; O(1) */
PT_SHORT struct pt_node *pt_fifo_push(struct pt_fifo *fifo, struct pt_node *node);

/* pt_fifo_pop - take the first node of a queue that is not empty; O(1) */
PT_API struct pt_node *pt_fifo_pop(struct pt_fifo *fifo);

/* pt_fifo_take_all - empty the queue; returns its first node, the links end with NULL; O(1)
 * Returns NULL if the queue was empty. */
PT_ALWAYS struct pt_node *pt_fifo_take_all(struct pt_fifo *fifo);

/* pt_fifo_count - the number of nodes in the queue; O(n) */
PT_API size_t pt_fifo_count(const struct pt_fifo *fifo);

/* --- implementation ------------------------------------------------------------------------ */

PT_ALWAYS void pt_list_init(struct pt_list *list)
{
    list->first = NULL;
}

PT_ALWAYS void pt_list_push(struct pt_list *list, struct pt_node *node)
{
    node->link.next = list->first;
    list->first = node;
}

PT_ALWAYS struct pt_node *pt_list_pop(struct pt_list *list)
{
    struct pt_node *first = list->first;

    list->first = first->link.next;
    return first;
}

PT_API void pt_list_remove(struct pt_list *list, const struct pt_node *node)
{
    struct pt_node **link = &list->first;

    while (*link != node) /* pt-bounds: loop tasks */
        link = &(*link)->link.next;
    *link = node->link.next;
}

#if PT_HAS_TIMERS_
PT_SHORT void pt_list_add_sorted(struct pt_list *list, struct pt_node *node)
{
    struct pt_node **link = &list->first;

    while (*link && !pt_time_before(node->at, (*link)->at)) /* pt-bounds: loop tasks */
        link = &(*link)->link.next;
    node->link.next = *link;
    *link = node;
}
#endif

PT_ALWAYS void pt_fifo_init(struct pt_fifo *fifo)
{
    fifo->tail = &fifo->first;
}

PT_ALWAYS bool pt_fifo_empty(const struct pt_fifo *fifo)
{
    return fifo->tail == &fifo->first;
}

/* As pt_fifo_add, always inlined, for where instructions count more than bytes. */
PT_ALWAYS void pt_fifo_add_(struct pt_fifo *fifo, struct pt_node *node)
{
    *fifo->tail = node;
    fifo->tail = &node->link.next;
}

PT_SHORT struct pt_node *pt_fifo_push(struct pt_fifo *fifo, struct pt_node *node)
{
    pt_fifo_add_(fifo, node);
    return fifo->first;
}

PT_API struct pt_node *pt_fifo_pop(struct pt_fifo *fifo)
{
    struct pt_node *first = fifo->first;

    if (fifo->tail == &first->link.next)
        fifo->tail = &fifo->first;
    else
        fifo->first = first->link.next;
    return first;
}

PT_ALWAYS struct pt_node *pt_fifo_take_all(struct pt_fifo *fifo)
{
    *fifo->tail = NULL;
    fifo->tail = &fifo->first;
    return fifo->first;
}

PT_API size_t pt_fifo_count(const struct pt_fifo *fifo)
{
    struct pt_node *const *link = &fifo->first;
    size_t count = 0;

    for (; link != fifo->tail; link = &(*link)->link.next) /* pt-bounds: loop ready */
        count++;
    return count;
}

/* --- the timer queue of timers.h, as a sorted list ------------------------------------------ */

#if PT_TIMERS == PT_TIMERS_LIST

#define PT_TIMERS_STORAGE_ 0

typedef struct pt_node pt_timer_;

struct pt_timers_ {
    struct pt_list list;
};

PT_ALWAYS void pt_timers_init_(struct pt_timers_ *timers, pt_time epoch)
{
    pt_list_init(&timers->list);
}

PT_ALWAYS void pt_timers_add_(struct pt_timers_ *timers, pt_timer_ *timer, pt_time at)
{
    timer->at = at;
    pt_list_add_sorted(&timers->list, timer);
}

PT_ALWAYS void pt_timers_remove_(struct pt_timers_ *timers, pt_timer_ *timer)
{
    pt_list_remove(&timers->list, timer);
}

PT_ALWAYS pt_timer_ *pt_timers_first_(const struct pt_timers_ *timers)
{
    return timers->list.first;
}

PT_ALWAYS pt_time pt_timers_first_at_(const struct pt_timers_ *timers)
{
    return timers->list.first->at;
}

PT_ALWAYS pt_time pt_timers_at_(const struct pt_timers_ *timers, const pt_timer_ *timer)
{
    return timer->at;
}

PT_ALWAYS pt_timer_ *pt_timers_pop_(struct pt_timers_ *timers)
{
    return pt_list_pop(&timers->list);
}

PT_ALWAYS void pt_timers_rebase_(struct pt_timers_ *timers, pt_time now)
{
}

#endif

#endif
