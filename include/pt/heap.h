/* heap.h - a 4-ary heap of nodes, ordered by deadline and, among equals, by arming order
 * SPDX-License-Identifier: MIT
 *
 *     struct pt_heap heap;
 *     struct pt_heap_entry entries[8];
 *     pt_heap_init(&heap, now);
 *     pt_heap_storage(&heap, entries, 8);
 *     node.at = now + 5;
 *     pt_heap_push(&heap, &node);
 *
 * An implicit heap: the children of entry i are 4i+1 .. 4i+4 (narrow: 2i+1, 2i+2). Both sifts move a hole and write
 * the travelling entry once; a removal sinks the hole to a leaf and lets the last entry rise
 * from there, which costs fewer compares than sinking it (Wegener, "Bottom-up heapsort", 1993).
 *
 * It comes in two widths (config.h, PT_HEAP_WIDE) that differ only in what an entry is:
 *
 *     wide    {deadline - epoch, order} as one 128-bit number, and the node; a compare is one
 *             subtraction with borrow and touches no node; a node knows its index, so a removal
 *             is O(log n)
 *     narrow  a pointer to the node, which holds deadline and order; a removal searches for its
 *             entry first, O(n): meant for the few timers of a microcontroller
 *
 * Orders that run out are renumbered, so that the order among equals is exact for ever. */
#ifndef PT_HEAP_H
#define PT_HEAP_H

#include "list.h"

#if PT_TIMERS != PT_TIMERS_NONE

/* An index into the entries. Where memory is counted in single kilobytes, 255 of them do. */
#if UINTPTR_MAX > 0xffff
typedef unsigned pt_heap_index;
#else
typedef uint8_t pt_heap_index;
#endif

#if PT_HEAP_WIDE
__extension__ typedef unsigned __int128 pt_heap_key_;

struct pt_heap_entry {
    uint64_t order;    /* how many pushes came before this one */
    uint64_t deadline; /* ticks since the heap's epoch */
    struct pt_node *node;
};
#else
struct pt_heap_entry {
    struct pt_node *node;
};
#endif

#define PT_HEAP_ARITY (PT_HEAP_WIDE ? 4u : 2u)

struct pt_heap {
    struct pt_heap_entry *entries; /* the caller's array */
    pt_heap_index count;                /* entries in use */
    pt_heap_index capacity;             /* entries there are */
#if PT_HEAP_WIDE
    uint64_t order; /* pushes so far */
    pt_time epoch;  /* no deadline in the heap is before it */
#else
    uintptr_t order; /* pushes since the last renumbering */
#endif
};

/* pt_heap_init - an empty heap without storage
 * EPOCH: a time that no deadline will be before. */
PT_API void pt_heap_init(struct pt_heap *heap, pt_time epoch)
{
    heap->entries = NULL;
    heap->count = heap->capacity = 0;
    heap->order = 0;
#if PT_HEAP_WIDE
    heap->epoch = epoch;
#else
    (void)epoch;
#endif
}

/* pt_heap_storage - let the heap use the caller's array of CAPACITY entries
 * Entries in use must have been copied to it; a larger one may follow later. */
PT_API void pt_heap_storage(struct pt_heap *heap, struct pt_heap_entry *entries, pt_heap_index capacity)
{
    heap->entries = entries;
    heap->capacity = capacity;
}

/* pt_heap_first - the node that pt_heap_pop would give, or NULL; O(1) */
PT_ALWAYS struct pt_node *pt_heap_first(const struct pt_heap *heap)
{
    return heap->count ? heap->entries[0].node : NULL;
}

#if PT_HEAP_WIDE

PT_ALWAYS bool pt_heap_before_(const struct pt_heap_entry *a, const struct pt_heap_entry *b)
{
    return ((pt_heap_key_)a->deadline << 64 | a->order) <
           ((pt_heap_key_)b->deadline << 64 | b->order);
}

PT_ALWAYS void pt_heap_put_(struct pt_heap *heap, pt_heap_index at, struct pt_heap_entry entry)
{
    heap->entries[at] = entry;
    entry.node->link.index = at;
}

PT_ALWAYS pt_heap_index pt_heap_find_(const struct pt_heap *heap, const struct pt_node *node)
{
    (void)heap;
    return node->link.index;
}

/* The entry for a node that is armed now. A 64-bit order cannot run out. */
PT_ALWAYS struct pt_heap_entry pt_heap_entry_(struct pt_heap *heap, struct pt_node *node)
{
    struct pt_heap_entry entry;

    entry.order = heap->order++;
    entry.deadline = node->at - heap->epoch;
    entry.node = node;
    return entry;
}

/* pt_heap_rebase - move the epoch up to NOW, before a deadline overflows; O(1), rarely O(n)
 * To be called now and then, with no deadline in the heap before NOW. */
PT_ALWAYS void pt_heap_rebase(struct pt_heap *heap, pt_time now)
{
    pt_time passed = now - heap->epoch;

    if (PT_UNLIKELY(passed > PT_DELAY_MAX / 2)) {
        for (pt_heap_index i = 0; i < heap->count; i++)
            heap->entries[i].deadline -= passed;
        heap->epoch = now;
    }
}

#else

/* One subtraction with borrow: of two equal deadlines, the one armed first is "before". */
PT_API bool pt_heap_before_(const struct pt_heap_entry *a, const struct pt_heap_entry *b)
{
    const struct pt_node *x = a->node, *y = b->node;

    return (pt_time)(x->at - y->at - (x->link.order < y->link.order)) > PT_DELAY_MAX;
}

PT_ALWAYS void pt_heap_put_(struct pt_heap *heap, pt_heap_index at, struct pt_heap_entry entry)
{
    heap->entries[at] = entry;
}

PT_ALWAYS pt_heap_index pt_heap_find_(const struct pt_heap *heap, const struct pt_node *node)
{
    pt_heap_index at = 0;

    while (heap->entries[at].node != node)
        at++;
    return at;
}

PT_ALWAYS struct pt_heap_entry pt_heap_entry_(struct pt_heap *heap, struct pt_node *node)
{
    struct pt_heap_entry entry;

    node->link.order = heap->order++;
    entry.node = node;
    return entry;
}

/* Deadlines are compared by their difference, so there is no epoch to move. */
PT_ALWAYS void pt_heap_rebase(struct pt_heap *heap, pt_time now)
{
    (void)heap;
    (void)now;
}

#endif

/* Let ENTRY rise from the hole at AT to its place. */
PT_API void pt_heap_rise_(struct pt_heap *heap, pt_heap_index at, struct pt_heap_entry entry)
{
    while (at) {
        pt_heap_index parent = (pt_heap_index)((at - 1u) / PT_HEAP_ARITY);

        if (!pt_heap_before_(&entry, &heap->entries[parent]))
            break;
        pt_heap_put_(heap, at, heap->entries[parent]);
        at = parent;
    }
    pt_heap_put_(heap, at, entry);
}

#if PT_HEAP_WIDE
/* The earliest of four entries, without a branch: which one it is cannot be predicted. */
PT_ALWAYS unsigned pt_heap_earliest_(const struct pt_heap_entry *entry)
{
    unsigned a = pt_heap_before_(&entry[1], &entry[0]);
    unsigned b = 2u + pt_heap_before_(&entry[3], &entry[2]);

    return a ^ ((a ^ b) & (0u - pt_heap_before_(&entry[b], &entry[a])));
}

/* Fetch the 16 children of four siblings while these are compared: a level less to wait for.
 * There may be fewer, or none. */
PT_ALWAYS void pt_heap_prefetch_(const struct pt_heap *heap, size_t child)
{
    uintptr_t first = (uintptr_t)heap->entries + (4 * child + 1) * sizeof(struct pt_heap_entry);

    for (unsigned line = 0; line < 16 * sizeof(struct pt_heap_entry); line += 64)
        PT_PREFETCH((const void *)(first + line));
}
#endif

/* Sink the hole at AT to a leaf, filling it from its earliest child; where it ends. */
PT_API pt_heap_index pt_heap_sink_(struct pt_heap *heap, pt_heap_index at)
{
    for (;;) {
        unsigned child = PT_HEAP_ARITY * (unsigned)at + 1, least = child;

        if (child >= heap->count)
            return at;
#if PT_HEAP_WIDE
        if (PT_LIKELY(child + 3 < heap->count)) {
            pt_heap_prefetch_(heap, child);
            least += pt_heap_earliest_(&heap->entries[child]);
        } else
#endif
            for (unsigned i = 1; i < PT_HEAP_ARITY && child + i < heap->count; i++)
                if (pt_heap_before_(&heap->entries[child + i], &heap->entries[least]))
                    least = child + i;
        pt_heap_put_(heap, at, heap->entries[least]);
        at = (pt_heap_index)least;
    }
}

#if !PT_HEAP_WIDE
PT_NOINLINE void pt_heap_renumber_(struct pt_heap *heap);
#endif

/* pt_heap_push - arm NODE, whose `at` is its deadline; O(log n)
 * There must be room: who counts the nodes keeps count below capacity. */
PT_API void pt_heap_push(struct pt_heap *heap, struct pt_node *node)
{
    struct pt_heap_entry entry = pt_heap_entry_(heap, node);

    PT_ASSERT_(heap->count < heap->capacity, "no room in the heap", "pt_heap_push");
    pt_heap_rise_(heap, heap->count++, entry);
#if !PT_HEAP_WIDE
    if (heap->order == UINTPTR_MAX)
        pt_heap_renumber_(heap);
#endif
}

PT_API void pt_heap_remove_at_(struct pt_heap *heap, pt_heap_index at)
{
    struct pt_heap_entry last = heap->entries[--heap->count];

    if (at != heap->count)
        pt_heap_rise_(heap, pt_heap_sink_(heap, at), last);
}

/* pt_heap_remove - disarm NODE, which is in the heap; O(log n) wide, O(n) narrow */
PT_API void pt_heap_remove(struct pt_heap *heap, const struct pt_node *node)
{
    pt_heap_remove_at_(heap, pt_heap_find_(heap, node));
}

/* pt_heap_pop - take the first node of a heap that is not empty; O(log n) */
PT_API struct pt_node *pt_heap_pop(struct pt_heap *heap)
{
    struct pt_node *first = heap->entries[0].node;

    pt_heap_remove_at_(heap, 0);
    return first;
}

#if !PT_HEAP_WIDE
/* Orders have run out: take all nodes out, in order, and arm them again. */
PT_NOINLINE void pt_heap_renumber_(struct pt_heap *heap)
{
    struct pt_fifo fifo;

    pt_fifo_init(&fifo);
    while (heap->count)
        pt_fifo_push(&fifo, pt_heap_pop(heap));
    heap->order = 0;
    while (!pt_fifo_empty(&fifo))
        pt_heap_push(heap, pt_fifo_pop(&fifo));
}
#endif

/* pt_heap_rekey - arm NODE, which is in the heap, anew for a changed `at`; cost as a removal */
PT_API void pt_heap_rekey(struct pt_heap *heap, struct pt_node *node)
{
    pt_heap_index at = pt_heap_find_(heap, node);

    pt_heap_rise_(heap, pt_heap_sink_(heap, at), pt_heap_entry_(heap, node));
}

#endif
#endif
