/* heap_linked.h - a heap linked through its nodes: no storage, two pointers per node
 * SPDX-License-Identifier: MIT
 *
 * The functions of heap.h, for small machines. A binary tree: no node is later than its children,
 * which are two at most. A ring of links leads from each node to its right child, to the left
 * child, and back to the node. So a node finds its parent without a third pointer:
 *
 *         3          child of 3: 9, of 5: 5 itself, which has no children
 *        / \         next of 9: 5, of 5: 3, of the root: NULL
 *       5   9        equal deadlines: the one armed earlier is above, or further left
 *
 * Two trees join: the later root becomes a child of the other root. If that has three
 * children then, two neighbors among them join in turn, the right or the left ones: a coin
 * decides. So the way down is random, and has about log n steps whatever the shape of the
 * trees is (Gambin, Malinowski, "Randomized meldable priority queues", 1998; the ring:
 * Fredman, Sedgewick, Sleator, Tarjan, "The pairing heap", 1986). A removal puts the node's
 * children in its place, and they join.
 *
 * Only neighbors are joined, and a child joins on the side that it comes from. So the order among
 * equals needs no number and is always exact. It does not depend on the coins. */
#ifndef PT_HEAP_LINKED_H
#define PT_HEAP_LINKED_H

#include "list.h"

#if PT_TIMERS == PT_TIMERS_HEAP

/* A node of the heap; a program that names it so works with the heap of heap.h, too. Without
 * PT_TIMEOUTS the node of a task is its timer, and has the child. */
#if !PT_TIMEOUTS
#define pt_heap_node pt_node
#else
struct pt_heap_node {
    struct {
        struct pt_heap_node *next; /* in the ring, written by the heap */
    } link;
    struct pt_heap_node *child; /* the last child, written by the heap */
    pt_time at;                 /* the deadline, written by the owner before the push */
};
#endif

/* The heap. Write through the functions. */
struct pt_heap {
    struct pt_heap_node *first; /* the earliest node, NULL: empty */
    unsigned coins;             /* a random number; a join uses its bits, the highest first */
};

/* Only the heap of heap.h needs storage; a program that provides it works with this heap too. */
struct pt_heap_entry {
    unsigned char none;
};
#define pt_heap_storage(heap, entries, capacity) ((void)(heap), (void)(entries), (void)(capacity))

/* pt_heap_init - an empty heap; only heap.h uses the epoch */
PT_ALWAYS void pt_heap_init(struct pt_heap *heap, pt_time epoch);

/* pt_heap_push - arm NODE for the deadline in its `at`; O(log n), expected */
PT_API void pt_heap_push(struct pt_heap *heap, struct pt_heap_node *node);

/* pt_heap_first - the node that pt_heap_pop would return, or NULL; O(1) */
PT_ALWAYS struct pt_heap_node *pt_heap_first(const struct pt_heap *heap);

/* pt_heap_pop - take the first node of a heap that is not empty; O(log n), expected */
PT_API struct pt_heap_node *pt_heap_pop(struct pt_heap *heap);

/* pt_heap_remove - disarm NODE, which is in the heap; O(log n), expected
 * O(1) for a node with less than two children; more than half of the nodes have no more. */
PT_API void pt_heap_remove(struct pt_heap *heap, const struct pt_heap_node *node);

/* pt_heap_rekey - arm NODE, which is in the heap, for a changed `at`; cost: a removal, a push */
PT_API void pt_heap_rekey(struct pt_heap *heap, struct pt_heap_node *node);

/* pt_heap_rebase - nothing; O(1)
 * Deadlines are compared by their difference, so there is no epoch to move. */
PT_ALWAYS void pt_heap_rebase(struct pt_heap *heap, pt_time now);

/* --- implementation ------------------------------------------------------------------------ */

PT_ALWAYS void pt_heap_init(struct pt_heap *heap, pt_time epoch)
{
    heap->first = NULL;
    heap->coins = 0;
}

PT_ALWAYS void pt_heap_rebase(struct pt_heap *heap, pt_time now)
{
}

PT_ALWAYS struct pt_heap_node *pt_heap_first(const struct pt_heap *heap)
{
    return heap->first;
}

/* Join the tree at LINK with its left sibling, the next one in the ring. One tree is left. */
PT_NOINLINE void pt_heap_join_(struct pt_heap *heap, struct pt_heap_node **link)
{
    struct pt_heap_node *right = *link, *left = right->link.next;
    unsigned coins = heap->coins * 5 + 1;

    heap->coins = coins;
    for (;;) {
        struct pt_heap_node *root = left, *first = left;

        if (pt_time_before(right->at, left->at)) {
            root = right;
            root->link.next = left->link.next;
            left->link.next = root;
            right = root->child;
            if (right == root) {
                root->child = first;
                return;
            }
            left = right->link.next;
            if (left == root) {
                right->link.next = first;
                return;
            }
            left->link.next = first;
        } else {
            *link = root;
            left = root->child;
            right->link.next = left;
            root->child = right;
            if (left == root)
                return;
            first = left->link.next;
            if (first == root)
                return;
        }
        link = &root->child;
        if (coins > ~0u >> 1) {
            link = &right->link.next;
            right = left;
            left = first;
        }
        coins <<= 1;
    }
}

PT_API void pt_heap_push(struct pt_heap *heap, struct pt_heap_node *node)
{
    node->child = node;
    node->link.next = heap->first;
    heap->first = node;
    if (node->link.next)
        pt_heap_join_(heap, &heap->first);
}

PT_API void pt_heap_remove(struct pt_heap *heap, const struct pt_heap_node *node)
{
    struct pt_heap_node **link = &heap->first, *last = node->child, *first = last->link.next;

    if (*link != node) {
        link = &node->link.next->child;
        if (*link != node)
            link = &(*link)->link.next;
        if (*link != node)
            link = &node->link.next->link.next->child;
    }
    *link = last;
    if (last == node) {
        *link = first;
    } else if (first == node) {
        last->link.next = node->link.next;
    } else {
        first->link.next = node->link.next;
        pt_heap_join_(heap, link);
    }
}

PT_API struct pt_heap_node *pt_heap_pop(struct pt_heap *heap)
{
    struct pt_heap_node *first = heap->first;

    pt_heap_remove(heap, first);
    return first;
}

PT_API void pt_heap_rekey(struct pt_heap *heap, struct pt_heap_node *node)
{
    pt_heap_remove(heap, node);
    pt_heap_push(heap, node);
}

/* --- the timer queue of timers.h, with this heap ------------------------------------------- */

#define PT_TIMERS_STORAGE_ 0

typedef struct pt_heap_node pt_timer_;

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

PT_ALWAYS pt_time pt_timers_first_at_(const struct pt_timers_ *timers)
{
    return pt_heap_first(&timers->heap)->at;
}

PT_ALWAYS pt_time pt_timers_at_(const struct pt_timers_ *timers, const pt_timer_ *timer)
{
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
