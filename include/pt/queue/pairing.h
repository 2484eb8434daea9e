/* pairing.h - a heap linked through its nodes: no storage, two pointers per node
 * SPDX-License-Identifier: MIT
 *
 * The functions of heap.h, for small machines. No node is later than its children. The children
 * are a circular list; the parent points to the last one, so a child joins at either end in O(1):
 *
 *     first --> 3            equal deadlines: the one armed earlier is further left,
 *              /|\           or above
 *             5 4 9  <-- child
 *
 * To join two heaps is to make the later root a child of the other root. A pop leaves a row of
 * children: it joins neighbors in pairs, and then the pairs from right to left. This keeps later
 * rows short (Fredman, Sedgewick, Sleator, Tarjan, "The pairing heap", 1986).
 *
 * Only neighbors are joined, and a child joins on the side that it comes from. So the order among
 * equals needs no number and is always exact. */
#ifndef PT_PAIRING_H
#define PT_PAIRING_H

#include "list.h"

#if PT_TIMERS == PT_TIMERS_HEAP && !PT_HEAP_ARRAY

/* The heap. Write through the functions. */
struct pt_heap {
    struct pt_node *first; /* the earliest node, NULL: empty */
};

/* Only the heap of heap.h needs storage; a program that provides it works with this heap too. */
struct pt_heap_entry {
    unsigned char none;
};
#define pt_heap_storage(heap, entries, capacity) ((void)(heap), (void)(entries), (void)(capacity))

/* pt_heap_init - an empty heap; only heap.h uses the epoch */
PT_ALWAYS void pt_heap_init(struct pt_heap *heap, pt_time epoch);

/* pt_heap_push - arm NODE for the deadline in its `at`; O(1) */
PT_API void pt_heap_push(struct pt_heap *heap, struct pt_node *node);

/* pt_heap_first - the node that pt_heap_pop would return, or NULL; O(1) */
PT_ALWAYS struct pt_node *pt_heap_first(const struct pt_heap *heap);

/* pt_heap_pop - take the first node of a heap that is not empty
 * Amortized O(log n); a single pop, after pushes or a removal, is O(n). */
PT_API struct pt_node *pt_heap_pop(struct pt_heap *heap);

/* pt_heap_remove - disarm NODE, which is in the heap; O(n)
 * A node does not know its parent. So this takes the heap apart, parents before children and left
 * before right, and arms the others again in that order, which keeps the order among equals. */
PT_API void pt_heap_remove(struct pt_heap *heap, const struct pt_node *node);

/* pt_heap_rekey - arm NODE, which is in the heap, again for a changed `at`; cost: as a removal */
PT_API void pt_heap_rekey(struct pt_heap *heap, struct pt_node *node);

/* pt_heap_rebase - nothing; O(1)
 * Deadlines are compared by their difference, so there is no epoch to move. */
PT_ALWAYS void pt_heap_rebase(struct pt_heap *heap, pt_time now);

/* --- implementation ------------------------------------------------------------------------ */

PT_ALWAYS void pt_heap_init(struct pt_heap *heap, pt_time epoch)
{
    (void)epoch;
    heap->first = NULL;
}

PT_ALWAYS void pt_heap_rebase(struct pt_heap *heap, pt_time now)
{
    (void)heap;
    (void)now;
}

PT_ALWAYS struct pt_node *pt_heap_first(const struct pt_heap *heap)
{
    return heap->first;
}

/* Join two heaps; LEFT goes first among equals. Returns the root of both. */
PT_NOINLINE struct pt_node *pt_heap_join_(struct pt_node *left, struct pt_node *right)
{
    bool swap = pt_time_before(right->at, left->at);
    struct pt_node *root = swap ? right : left;
    struct pt_node *child = swap ? left : right;
    struct pt_node *last = root->child;

    if (last) {
        child->link.next = last->link.next;
        last->link.next = child;
    } else {
        child->link.next = child;
    }
    if (!last || !swap)
        root->child = child;
    return root;
}

PT_API void pt_heap_push(struct pt_heap *heap, struct pt_node *node)
{
    node->child = NULL;
    heap->first = heap->first ? pt_heap_join_(heap->first, node) : node;
}

/* Join the row of siblings that ends with LAST; returns the root of all. */
PT_API struct pt_node *pt_heap_join_row_(struct pt_node *last)
{
    struct pt_node *left, *right, *next = last->link.next, *pairs = NULL;

    last->link.next = NULL;
    do {
        left = next;
        right = left->link.next;
        next = NULL;
        if (right) {
            next = right->link.next;
            left = pt_heap_join_(left, right);
        }
        left->link.next = pairs;
        pairs = left;
    } while (next);
    for (right = pairs; (left = right->link.next); right->link.next = next) {
        next = left->link.next;
        right = pt_heap_join_(left, right);
    }
    return right;
}

PT_API struct pt_node *pt_heap_pop(struct pt_heap *heap)
{
    struct pt_node *first = heap->first;

    heap->first = first->child ? pt_heap_join_row_(first->child) : NULL;
    return first;
}

PT_API void pt_heap_remove(struct pt_heap *heap, const struct pt_node *node)
{
    struct pt_node *rest = heap->first;

    heap->first = NULL;
    rest->link.next = NULL;
    while (rest) {
        struct pt_node *next = rest, *last = rest->child;

        rest = rest->link.next;
        if (last) {
            struct pt_node *first = last->link.next;

            last->link.next = rest;
            rest = first;
        }
        if (next != node)
            pt_heap_push(heap, next);
    }
}

PT_API void pt_heap_rekey(struct pt_heap *heap, struct pt_node *node)
{
    pt_heap_remove(heap, node);
    pt_heap_push(heap, node);
}

/* --- the timer queue of timers.h, with this heap ------------------------------------------- */

#define PT_TIMERS_STORAGE_ 0

typedef struct pt_node pt_timer_;

struct pt_timers_ {
    struct pt_heap heap;
};

PT_ALWAYS void pt_timers_init_(struct pt_timers_ *timers, pt_time epoch)
{
    pt_heap_init(&timers->heap, epoch);
}

PT_ALWAYS void pt_timers_add_(struct pt_timers_ *timers, pt_timer_ *timer, pt_time at)
{
    timer->at = at;
    pt_heap_push(&timers->heap, timer);
}

PT_ALWAYS void pt_timers_remove_(struct pt_timers_ *timers, pt_timer_ *timer)
{
    pt_heap_remove(&timers->heap, timer);
}

PT_ALWAYS pt_timer_ *pt_timers_first_(const struct pt_timers_ *timers)
{
    return pt_heap_first(&timers->heap);
}

PT_ALWAYS pt_time pt_timers_at_(const struct pt_timers_ *timers, const pt_timer_ *timer)
{
    (void)timers;
    return timer->at;
}

PT_ALWAYS pt_timer_ *pt_timers_pop_(struct pt_timers_ *timers)
{
    return pt_heap_pop(&timers->heap);
}

PT_ALWAYS void pt_timers_rebase_(struct pt_timers_ *timers, pt_time now)
{
    pt_heap_rebase(&timers->heap, now);
}

#endif
#endif
