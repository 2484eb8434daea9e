/* waits.h - a queue of those who wait: first come, first served, and anybody can leave
 * SPDX-License-Identifier: MIT
 *
 *     +--> end --> [node] --> [node] --+
 *     +--------------------------------+
 *
 * A circle of links. Each node knows the link that leads to it, so that it can leave without
 * knowing its queue; the queue's end is a node too, so that no operation has a special case. */
#ifndef PT_WAITS_H
#define PT_WAITS_H

#include "list.h"

#if PT_HAS_LEAVERS_

/* The queue. Write through the functions. It points into itself: do not copy it. */
struct pt_waits {
    struct pt_node end; /* in front of the first and behind the last */
};

/* pt_waits_init - an empty queue; O(1) */
PT_API void pt_waits_init(struct pt_waits *waits)
{
    waits->end.link.next = &waits->end;
    waits->end.prev = &waits->end.link.next;
}

/* pt_waits_first - who would be served next, or NULL; O(1) */
PT_API struct pt_node *pt_waits_first(const struct pt_waits *waits)
{
    return waits->end.link.next == &waits->end ? NULL : waits->end.link.next;
}

/* pt_waits_next - who stands behind NODE, or NULL; O(1) */
PT_API struct pt_node *pt_waits_next(const struct pt_waits *waits, const struct pt_node *node)
{
    return node->link.next == &waits->end ? NULL : node->link.next;
}

/* pt_waits_push - put NODE, which is in no queue, at the end; O(1) */
PT_SHARED void pt_waits_push(struct pt_waits *waits, struct pt_node *node)
{
    node->link.next = &waits->end;
    node->prev = waits->end.prev;
    *node->prev = node;
    waits->end.prev = &node->link.next;
}

/* pt_waits_remove - take NODE out of the queue in which it is; O(1) */
PT_SHARED void pt_waits_remove(struct pt_node *node)
{
    *node->prev = node->link.next;
    node->link.next->prev = node->prev;
}

/* pt_waits_pop - take the first of a queue that is not empty; O(1) */
PT_ALWAYS struct pt_node *pt_waits_pop(struct pt_waits *waits)
{
    struct pt_node *first = waits->end.link.next;

    pt_waits_remove(first);
    return first;
}

#elif PT_HAS_WAITS_

/* Where nobody leaves before he is served, one pointer will do: the last, whose link leads to the
 * first. The same functions, but for pt_waits_next and pt_waits_remove. */
struct pt_waits {
    struct pt_node *last; /* NULL: empty */
};

PT_ALWAYS void pt_waits_init(struct pt_waits *waits)
{
    waits->last = NULL;
}

PT_ALWAYS struct pt_node *pt_waits_first(const struct pt_waits *waits)
{
    return waits->last ? waits->last->link.next : NULL;
}

PT_API void pt_waits_push(struct pt_waits *waits, struct pt_node *node)
{
    struct pt_node *last = waits->last ? waits->last : node;

    node->link.next = last->link.next;
    last->link.next = node;
    waits->last = node;
}

PT_API struct pt_node *pt_waits_pop(struct pt_waits *waits)
{
    struct pt_node *first = waits->last->link.next;

    if (first == waits->last)
        waits->last = NULL;
    else
        waits->last->link.next = first->link.next;
    return first;
}

#endif
#endif
