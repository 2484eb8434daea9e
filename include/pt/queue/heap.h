/* heap.h - a 4-ary heap of nodes, ordered by deadline; equal deadlines by the order of arming
 * SPDX-License-Identifier: MIT
 *
 *     struct pt_heap heap;
 *     struct pt_heap_entry entries[8];
 *     pt_heap_init(&heap, now);
 *     pt_heap_storage(&heap, entries, 8);
 *     node.at = now + 5;
 *     pt_heap_push(&heap, &node);
 *
 * An implicit heap: the children of entry i are 4i+1 .. 4i+4. Both sifts move a hole and write the
 * moving entry once. A removal sinks the hole to a leaf; the last entry rises from there. This
 * costs fewer compares than sinking that entry (Wegener, "Bottom-up heapsort", 1993).
 *
 * An entry holds its key, {deadline - epoch, order}. So a compare touches no node, and it is one
 * subtraction with borrow if the compiler has 128-bit integers. A node stores its index. The heap
 * keeps nothing else in a node, so in timers.h a timer is only that index.
 *
 * It needs PT_TIMERS_ARRAY. With PT_TIMERS_HEAP, for small memories, heap_linked.h has the same
 * functions. */
#ifndef PT_HEAP_H
#define PT_HEAP_H

#include "list.h"

#if PT_TIMERS == PT_TIMERS_ARRAY

/* An element of the caller's array, one for each node; written by the heap. */
struct pt_heap_entry {
    uint64_t order;    /* the number of pushes before this one */
    uint64_t deadline; /* ticks since the heap's epoch */
    unsigned *index;   /* the index in the node or timer: where this entry is */
};

#define PT_HEAP_ARITY_ 4u       /* children of an entry */
#define PT_HEAP_CACHED_ 0x8000u /* a larger heap, in bytes, is prefetched level by level */

#define pt_heap_node pt_node /* heap_linked.h can have nodes of their own kind */

/* The heap. Read `count`; write through the functions. */
struct pt_heap {
    struct pt_heap_entry *entries; /* the caller's array */
    unsigned count;                /* entries in use */
    unsigned capacity;             /* entries in the array */
    uint64_t order;                /* pushes so far */
    pt_time epoch;                 /* no deadline in the heap is before it */
};

/* pt_heap_init - an empty heap without storage
 * EPOCH: no deadline will be before this time. */
PT_API void pt_heap_init(struct pt_heap *heap, pt_time epoch);

/* pt_heap_storage - let the heap use the caller's array of CAPACITY entries
 * Copy the entries in use to it first. To grow, call this again with a larger array. */
PT_API void pt_heap_storage(struct pt_heap *heap, struct pt_heap_entry *entries, unsigned capacity);

/* pt_heap_push - arm NODE for the deadline in its `at`; O(log n)
 * There must be room: the caller keeps count below capacity. */
PT_API void pt_heap_push(struct pt_heap *heap, struct pt_heap_node *node);

/* pt_heap_first - the node that pt_heap_pop would return, or NULL; O(1) */
PT_ALWAYS struct pt_heap_node *pt_heap_first(const struct pt_heap *heap);

/* pt_heap_pop - take the first node of a heap that is not empty; O(log n) */
PT_API struct pt_heap_node *pt_heap_pop(struct pt_heap *heap);

/* pt_heap_remove - disarm NODE, which is in the heap; O(log n) */
PT_API void pt_heap_remove(struct pt_heap *heap, const struct pt_heap_node *node);

/* pt_heap_rekey - arm NODE, which is in the heap, again for a changed `at`; cost: as a removal */
PT_API void pt_heap_rekey(struct pt_heap *heap, struct pt_heap_node *node);

/* pt_heap_rebase - move the epoch up to NOW before a deadline overflows; O(1), rarely O(n)
 * Call it now and then, when no deadline in the heap is before NOW. */
PT_ALWAYS void pt_heap_rebase(struct pt_heap *heap, pt_time now);

/* --- implementation ------------------------------------------------------------------------ */

PT_API void pt_heap_init(struct pt_heap *heap, pt_time epoch)
{
    heap->entries = NULL;
    heap->count = heap->capacity = 0;
    heap->order = 0;
    heap->epoch = epoch;
}

PT_API void pt_heap_storage(struct pt_heap *heap, struct pt_heap_entry *entries, unsigned capacity)
{
    heap->entries = entries;
    heap->capacity = capacity;
}

PT_ALWAYS struct pt_node *pt_node_of_index_(unsigned *index)
{
    return (struct pt_node *)(void *)((char *)index - offsetof(struct pt_node, link.index));
}

PT_ALWAYS struct pt_heap_node *pt_heap_first(const struct pt_heap *heap)
{
    return heap->count ? pt_node_of_index_(heap->entries[0].index) : NULL;
}

/* What entries are ordered by. */
#ifdef __SIZEOF_INT128__
__extension__ typedef unsigned __int128 pt_heap_key_;

PT_ALWAYS pt_heap_key_ pt_heap_key_of_(const struct pt_heap_entry *entry)
{
    return (pt_heap_key_)entry->deadline << 64 | entry->order;
}

PT_ALWAYS bool pt_heap_key_before_(pt_heap_key_ a, pt_heap_key_ b)
{
    return a < b;
}
#else
typedef struct pt_heap_entry pt_heap_key_;

PT_ALWAYS pt_heap_key_ pt_heap_key_of_(const struct pt_heap_entry *entry)
{
    return *entry;
}

PT_ALWAYS bool pt_heap_key_before_(pt_heap_key_ a, pt_heap_key_ b)
{
    return a.deadline < b.deadline || (a.deadline == b.deadline && a.order < b.order);
}
#endif

PT_ALWAYS bool pt_heap_before_(const struct pt_heap_entry *a, const struct pt_heap_entry *b)
{
    return pt_heap_key_before_(pt_heap_key_of_(a), pt_heap_key_of_(b));
}

/* Copy an entry by fields: on some parts a struct assignment would call memcpy. */
PT_ALWAYS void pt_heap_copy_(struct pt_heap_entry *to, const struct pt_heap_entry *from)
{
    to->order = from->order;
    to->deadline = from->deadline;
    to->index = from->index;
}

PT_ALWAYS void pt_heap_put_(struct pt_heap_entry *entries, unsigned at,
                            const struct pt_heap_entry *entry)
{
    pt_heap_copy_(&entries[at], entry);
    *entry->index = at;
}

/* Fill in the entry of a node or timer that is armed now for the time AT. A 64-bit order cannot run
 * out. */
PT_ALWAYS void pt_heap_fill_(struct pt_heap *heap, struct pt_heap_entry *entry, unsigned *index,
                             pt_time at)
{
    entry->order = heap->order++;
    entry->deadline = at - heap->epoch;
    entry->index = index;
}

PT_ALWAYS void pt_heap_rebase(struct pt_heap *heap, pt_time now)
{
    pt_time passed = now - heap->epoch;

    if (PT_UNLIKELY(passed > PT_DELAY_MAX / 2)) {
        for (unsigned i = 0; i < heap->count; i++)
            heap->entries[i].deadline -= passed;
        heap->epoch = now;
    }
}

/* Let the entry FROM rise from the hole at AT to its place. In both sifts, what is in the heap's
 * struct is read once: a store to a node's index could change it, as far as the compiler knows. */
PT_API void pt_heap_rise_(struct pt_heap *heap, unsigned at, const struct pt_heap_entry *from)
{
    struct pt_heap_entry *entries = heap->entries, entry;

    pt_heap_copy_(&entry, from);
    while (at) { /* pt-bounds: loop levels */
        unsigned parent = (at - 1) / PT_HEAP_ARITY_;

        if (!pt_heap_before_(&entry, &entries[parent]))
            break;
        pt_heap_put_(entries, at, &entries[parent]);
        at = parent;
    }
    pt_heap_put_(entries, at, &entry);
}

/* The entry at OFFSET, in bytes from the first. */
PT_ALWAYS struct pt_heap_entry *pt_heap_entry_at_(struct pt_heap_entry *entries, size_t offset)
{
    return (struct pt_heap_entry *)(void *)((char *)entries + offset);
}

/* Of four siblings, of which the first is at OFFSET, where the earliest is. No branches: they
 * would be unpredictable. The keys of the two winners stay in registers, and an offset in
 * bytes leads to the next level by one addition: what is computed from one load to the next
 * takes as long as the load. */
PT_ALWAYS size_t pt_heap_earliest_(struct pt_heap_entry *entries, size_t offset)
{
    const struct pt_heap_entry *entry = pt_heap_entry_at_(entries, offset);
    const size_t each = sizeof *entry;
    pt_heap_key_ first = pt_heap_key_of_(&entry[0]), second = pt_heap_key_of_(&entry[1]);
    pt_heap_key_ third = pt_heap_key_of_(&entry[2]), fourth = pt_heap_key_of_(&entry[3]);
    unsigned a = pt_heap_key_before_(second, first), b = pt_heap_key_before_(fourth, third);
    size_t left = offset + (each & (0u - (size_t)a));
    size_t right = offset + 2 * each + (each & (0u - (size_t)b));

    first = a == 1u ? second : first;
    third = b == 1u ? fourth : third;
    return left ^ ((left ^ right) & (0u - (size_t)pt_heap_key_before_(third, first)));
}

/* Prefetch the 16 children of four siblings while these are compared: saves a miss per level.
 * There can be fewer children, or none. */
PT_ALWAYS void pt_heap_prefetch_(const struct pt_heap_entry *entries, size_t offset)
{
    uintptr_t first = (uintptr_t)entries + 4 * offset + sizeof(struct pt_heap_entry);

    PT_STATIC_ASSERT(16 * sizeof(struct pt_heap_entry) <= 384, "six lines hold 16 entries");
    PT_PREFETCH((const void *)first);
    PT_PREFETCH((const void *)(first + 64));
    PT_PREFETCH((const void *)(first + 128));
    PT_PREFETCH((const void *)(first + 192));
    PT_PREFETCH((const void *)(first + 256));
    PT_PREFETCH((const void *)(first + 320));
}

/* Where the earliest of the children at OFFSET and up to END is, at most three. */
PT_ALWAYS size_t pt_heap_earliest_last_(struct pt_heap_entry *entries, size_t offset, size_t end)
{
    size_t least = offset;

    while ((offset += sizeof *entries) < end) /* pt-bounds: loop 3 */
        if (pt_heap_before_(pt_heap_entry_at_(entries, offset), pt_heap_entry_at_(entries, least)))
            least = offset;
    return least;
}

/* Sink the hole at AT to a leaf by filling it with its earliest child; returns where it ends. No
 * offset is beyond the last entry: where size_t has 16 bits, four times a leaf's would wrap. */
PT_API unsigned pt_heap_sink_(struct pt_heap *heap, unsigned at)
{
    struct pt_heap_entry *entries = heap->entries;
    const size_t each = sizeof *entries;
    size_t hole = at * each, end = heap->count * each, least;
    size_t leaves = end ? (end - each + PT_HEAP_ARITY_ - 1) / PT_HEAP_ARITY_ : 0;

    for (; hole < leaves; hole = least) { /* pt-bounds: loop levels */
        size_t child = PT_HEAP_ARITY_ * hole + each;

        if (PT_LIKELY(end - child > 3 * each)) {
            if (PT_UNLIKELY(end > PT_HEAP_CACHED_))
                pt_heap_prefetch_(entries, child);
            least = pt_heap_earliest_(entries, child);
        } else {
            least = pt_heap_earliest_last_(entries, child, end);
        }
        pt_heap_copy_(pt_heap_entry_at_(entries, hole), pt_heap_entry_at_(entries, least));
        *pt_heap_entry_at_(entries, hole)->index = (unsigned)(hole / each);
    }
    return (unsigned)(hole / each);
}

PT_API void pt_heap_push_index_(struct pt_heap *heap, unsigned *index, pt_time at)
{
    struct pt_heap_entry entry;

    pt_heap_fill_(heap, &entry, index, at);
    PT_ASSERT_(heap->count < heap->capacity, "no room in the heap", "pt_heap_push");
    pt_heap_rise_(heap, heap->count++, &entry);
}

/* The deadline of an entry. */
PT_ALWAYS pt_time pt_heap_deadline_(const struct pt_heap *heap, unsigned index)
{
    return heap->entries[index].deadline + heap->epoch;
}

PT_API void pt_heap_push(struct pt_heap *heap, struct pt_heap_node *node)
{
    pt_heap_push_index_(heap, &node->link.index, node->at);
}

PT_API void pt_heap_remove_at_(struct pt_heap *heap, unsigned at)
{
    unsigned last = --heap->count;

    if (at != last)
        pt_heap_rise_(heap, pt_heap_sink_(heap, at), &heap->entries[last]);
}

PT_API void pt_heap_remove(struct pt_heap *heap, const struct pt_heap_node *node)
{
    pt_heap_remove_at_(heap, node->link.index);
}

PT_API struct pt_heap_node *pt_heap_pop(struct pt_heap *heap)
{
    unsigned *first = heap->entries[0].index;

    pt_heap_remove_at_(heap, 0);
    return pt_node_of_index_(first);
}

PT_API void pt_heap_rekey(struct pt_heap *heap, struct pt_heap_node *node)
{
    struct pt_heap_entry entry;

    pt_heap_fill_(heap, &entry, &node->link.index, node->at);
    pt_heap_rise_(heap, pt_heap_sink_(heap, node->link.index), &entry);
}

#endif
#endif
