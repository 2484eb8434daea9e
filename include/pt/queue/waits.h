/* waits.h - those who wait, and may leave: a queue, served in order, and a crowd, served at once
 * SPDX-License-Identifier: MIT
 *
 *     +--> end --> [node] --> [node] --+       The queue is a circle of links, and its end is a
 *     +--------------------------------+       node too, so that a push has no special case.
 *
 *     first --> [node] --> [node] --> NULL     The crowd is one pointer, to who came last.
 *
 * Each node knows the link that leads to it, so that it can leave without knowing where it stands. */
#ifndef PT_WAITS_H
#define PT_WAITS_H

#include "list.h"

#if PT_HAS_LEAVERS_

/* The queue. Write through the functions. It points into itself: do not copy it. */
struct pt_waits {
    struct pt_node end; /* in front of the first and behind the last */
};

/* PT_DEBUG: a link of a queue in a zeroed channel, lock or the like, which needs its init. */
#define PT_WAITS_MADE_(link)                                                                   \
    PT_ASSERT_(link,                                                                           \
               "it was not initialized: call pt_channel_init, PT_QUEUE_INIT, pt_lock_init...", \
               "a channel, a queue, a lock")

/* pt_waits_init - an empty queue; O(1) */
PT_API void pt_waits_init(struct pt_waits *waits)
{
    waits->end.link.next = &waits->end;
    waits->end.prev = &waits->end.link.next;
}

/* pt_waits_empty - whether nobody waits; O(1) */
PT_ALWAYS bool pt_waits_empty(const struct pt_waits *waits)
{
    return waits->end.link.next == &waits->end;
}

/* pt_waits_first - who would be served next, or NULL; O(1) */
PT_API struct pt_node *pt_waits_first(const struct pt_waits *waits)
{
    return pt_waits_empty(waits) ? NULL : waits->end.link.next;
}

/* pt_waits_next - who stands behind NODE, or NULL; O(1) */
PT_API struct pt_node *pt_waits_next(const struct pt_waits *waits, const struct pt_node *node)
{
    return node->link.next == &waits->end ? NULL : node->link.next;
}

/* pt_waits_count - how many wait; O(that) */
PT_API int pt_waits_count(const struct pt_waits *waits)
{
    int count = 0;

    for (const struct pt_node *node = pt_waits_first(waits); node; count++)
        node = pt_waits_next(waits, node);
    return count;
}

/* pt_waits_push - put NODE, which is in no queue, at the end; O(1) */
PT_SHARED void pt_waits_push(struct pt_waits *waits, struct pt_node *node)
{
    PT_WAITS_MADE_(waits->end.prev);
    node->link.next = &waits->end;
    node->prev = waits->end.prev;
    *node->prev = node;
    waits->end.prev = &node->link.next;
}

/* pt_waits_remove - take NODE out of the queue, or the crowd, in which it is; O(1) */
PT_SHARED void pt_waits_remove(struct pt_node *node)
{
    *node->prev = node->link.next;
    if (node->link.next) /* always, in a queue */
        node->link.next->prev = node->prev;
}

/* A node that stands nowhere may be removed, and nothing happens. */
PT_ALWAYS void pt_waits_alone_(struct pt_node *node)
{
    node->link.next = NULL;
    node->prev = &node->link.next;
}

/* pt_waits_pop - take the first of a queue that is not empty; O(1) */
PT_ALWAYS struct pt_node *pt_waits_pop(struct pt_waits *waits)
{
    struct pt_node *first = waits->end.link.next;

    PT_WAITS_MADE_(first);
    PT_OPAQUE_(first); /* of a queue that it has seen made, gcc believes that it is the end */
    waits->end.link.next = first->link.next;
    first->link.next->prev = &waits->end.link.next;
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

PT_ALWAYS bool pt_waits_empty(const struct pt_waits *waits)
{
    return !waits->last;
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

#if PT_HAS_WAITS_

/* The crowd. Zero it, or see pt_crowd_init; read first, write through the functions. */
struct pt_crowd {
    struct pt_node *first; /* who came last, or NULL */
};

/* pt_crowd_init - nobody waits; O(1) */
PT_ALWAYS void pt_crowd_init(struct pt_crowd *crowd)
{
    crowd->first = NULL;
}

/* pt_crowd_push - NODE, which is in no queue, comes; O(1) */
PT_API void pt_crowd_push(struct pt_crowd *crowd, struct pt_node *node)
{
    node->link.next = crowd->first;
    PT_IF_(PT_HAS_LEAVERS_, if (crowd->first) crowd->first->prev = &node->link.next;)
    PT_IF_(PT_HAS_LEAVERS_, node->prev = &crowd->first;)
    crowd->first = node;
}

/* pt_crowd_pop - take who came last of a crowd that is not empty; O(1) */
PT_API struct pt_node *pt_crowd_pop(struct pt_crowd *crowd)
{
    struct pt_node *first = crowd->first;

    crowd->first = first->link.next;
    PT_IF_(PT_HAS_LEAVERS_, if (crowd->first) crowd->first->prev = &crowd->first;)
    return first;
}

/* pt_crowd_turn - move all into the empty crowd TO, where pops find them as they came; O(n) */
PT_API void pt_crowd_turn(struct pt_crowd *crowd, struct pt_crowd *to)
{
    while (crowd->first)
        pt_crowd_push(to, pt_crowd_pop(crowd));
}

#endif

#if PT_CHANNELS
/* One who waits for a value, or with one. */
struct pt_waiter {
    struct pt_node node; /* its place among those who wait */
    void *item;          /* the value, or where it goes; itself: a case of a select, select.h */
};
#endif
#endif
