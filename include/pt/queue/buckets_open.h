/* buckets_open.h - the bucket that begins first is opened, and its timers go elsewhere
 * SPDX-License-Identifier: MIT
 *
 * What becomes of a bucket that is opened, by the first line that holds:
 *
 *     in no order, and narrower buckets reach to its end now   its timers are spread over these
 *     few timers, long before their time                       they move to the heap
 *     in order or few, before a front that was not sorted      they precede the front
 *     fewer timers than the front has                          they move to the heap
 *     in order, or few                                         the front moves to the heap for them
 *     any other                                                both move to the heap
 *
 * Of the buckets that begin at one time the widest is opened first: one that is spread then
 * replaces no front. */
#ifndef PT_BUCKETS_OPEN_H
#define PT_BUCKETS_OPEN_H

#include "buckets_add.h"
#include "front.h"

/* --- implementation ------------------------------------------------------------------------ */

/* Turn a chain of chunks around: each then leads to the one after it. Prefetches all. Returns its
 * first chunk. */
PT_ALWAYS unsigned pt_chunks_turn_(struct pt_buckets_ *later, unsigned last, unsigned chunks)
{
    unsigned after = PT_NO_CHUNK_;

    for (unsigned before; chunks--; last = before) {
        pt_chunk_prefetch_(later, last);
        before = later->chunks[last].before;
        later->chunks[last].before = after;
        after = last;
    }
    return after;
}

/* Put an entry of a bucket that was opened into a narrower one. */
PT_ALWAYS bool pt_buckets_spread_(struct pt_buckets_ *later, const struct pt_heap_entry *entry)
{
    return pt_bucket_put_(later, pt_buckets_level_(later, entry->deadline), entry);
}

/* Move the entries of a chain of chunks to the heap, in the order in which they came. SPREAD: to
 * buckets, and to the heap what these do not take. */
PT_API void pt_chunks_pour_(struct pt_buckets_ *later, struct pt_heap *heap, unsigned chunk,
                            unsigned left, bool spread)
{
    unsigned soon = chunk;

    pt_chunk_prefetch_timers_(later, chunk, left);
    for (unsigned i = 0; i < 3 && soon != PT_NO_CHUNK_; i++)
        soon = later->chunks[soon].before;
    while (left) {
        const struct pt_heap_entry *entries = &later->entries[chunk * PT_CHUNK_];
        unsigned next = later->chunks[chunk].before, some = left < PT_CHUNK_ ? left : PT_CHUNK_;

        if (soon != PT_NO_CHUNK_) {
            pt_chunk_prefetch_(later, soon);
            soon = later->chunks[soon].before;
        }
        left -= some;
        pt_chunk_prefetch_timers_(later, next, left);
        for (unsigned i = 0; i < some; i++)
            if (!spread || !pt_buckets_spread_(later, &entries[i]))
                pt_heap_rise_(heap, heap->count++, &entries[i]);
        pt_chunk_give_(later, chunk);
        chunk = next;
    }
}

/* Move what is left of the front to the heap. */
PT_API void pt_front_pour_(struct pt_buckets_ *later, struct pt_heap *heap)
{
    if (!later->front.left)
        return;
    for (; later->front.left; pt_front_step_(later)) {
        const struct pt_heap_entry *entry = &later->entries[later->front.place];

        if (entry->index)
            pt_heap_rise_(heap, heap->count++, entry);
    }
    pt_front_close_(later);
}

/* Whether the COUNT entries of a chain of chunks are in order. */
PT_API bool pt_chunks_in_order_(const struct pt_buckets_ *later, unsigned chunk, unsigned count)
{
    const struct pt_heap_entry *before = &later->entries[chunk * PT_CHUNK_];

    for (unsigned i = 0; i < count; i++) {
        const struct pt_heap_entry *entry = &later->entries[chunk * PT_CHUNK_ + i % PT_CHUNK_];

        if (pt_heap_before_(entry, before))
            return false;
        before = entry;
        if (i % PT_CHUNK_ == PT_CHUNK_ - 1)
            chunk = later->chunks[chunk].before;
    }
    return true;
}

/* The COUNT entries of a chain of chunks are in the front. */
PT_ALWAYS void pt_chunks_to_front_(struct pt_buckets_ *later, unsigned chunk, unsigned last,
                                   unsigned count)
{
    struct pt_front_ *front = &later->front;

    front->left = count;
    front->sorted = false;
    front->end = last * PT_CHUNK_ + (count - 1) % PT_CHUNK_;
    pt_chunk_prefetch_timers_(later, chunk, count);
    pt_front_begin_(later, chunk);
    for (last = 0; chunk != PT_NO_CHUNK_; last = chunk, chunk = later->chunks[chunk].before)
        later->chunks[chunk].bucket = PT_IN_FRONT_ | last;
}

/* The entry at PLACE was the last one of a chain that goes on now: fill the rest of its chunk with
 * removed entries of the same deadline. Returns the number of these. */
PT_ALWAYS unsigned pt_chunk_end_(struct pt_buckets_ *later, unsigned place)
{
    unsigned behind = place;

    while (++behind % PT_CHUNK_) {
        later->entries[behind] = later->entries[place];
        later->entries[behind].index = NULL;
    }
    return behind - place - 1;
}

/* The COUNT entries of a chain of chunks, ORDERED or few enough to be sorted, are before
 * the front: put them there. */
PT_API void pt_front_precede_(struct pt_buckets_ *later, unsigned chunk, unsigned last,
                              unsigned count, bool ordered)
{
    struct pt_front_ *front = &later->front;
    unsigned end = front->end, behind = front->chunk, left = front->left;

    while (front->place % PT_CHUNK_) /* these have left */
        later->entries[--front->place].index = NULL, left++;
    pt_chunks_to_front_(later, chunk, last, count);
    if (!ordered) {
        pt_front_order_(later);
        pt_front_straighten_(later);
    }
    left += pt_chunk_end_(later, front->end);
    later->chunks[last].before = behind;
    later->chunks[behind].bucket = PT_IN_FRONT_ | last;
    front->left += left;
    front->end = end;
}

/* The COUNT entries of a chain of chunks become the front, if they are ORDERED or can be sorted. */
PT_API void pt_front_open_(struct pt_buckets_ *later, struct pt_heap *heap, unsigned chunk,
                           unsigned last, unsigned count, bool ordered)
{
    pt_front_pour_(later, heap);
    if (!ordered && count > PT_FRONT_MOST_) {
        pt_chunks_pour_(later, heap, chunk, count, false);
        return;
    }
    pt_chunks_to_front_(later, chunk, last, count);
    if (!ordered)
        pt_front_order_(later);
}

/* Whether entries of a bucket of a level, the first one, can move to narrower ones. */
PT_ALWAYS bool pt_buckets_can_spread_(const struct pt_buckets_ *later, unsigned level)
{
    uint64_t last = later->horizon + ((UINT64_C(1) << level) - 1);

    return pt_buckets_level_(later, last) < level;
}

/* Whether the first bucket, with COUNT entries, is opened long before its time,
 * because no other timer is left. As the front it would keep those out of it that are
 * armed for the time until then. */
PT_ALWAYS bool pt_buckets_early_(const struct pt_buckets_ *later, unsigned count)
{
    return count <= PT_FRONT_MOST_ &&
           (later->horizon - later->base) >> later->finest > PT_BUCKETS_EARLY_;
}

/* Whether the COUNT entries of the first bucket can precede the front. LAST is the last chunk of
 * the bucket. Either the entries are ORDERED, and the last one is before the front, usually with
 * the same deadline. Or there are few, and the bucket ends before the front. */
PT_ALWAYS bool pt_front_follows_(const struct pt_buckets_ *later, unsigned last, unsigned count,
                                 bool ordered)
{
    const struct pt_heap_entry *first = pt_front_first_(later);
    unsigned level = later->first / PT_BUCKET_RING_;

    if (!first || later->front.sorted)
        return false;
    if (ordered)
        return pt_heap_before_(&later->entries[last * PT_CHUNK_ + (count - 1) % PT_CHUNK_], first);
    return count <= PT_FRONT_MOST_ &&
           later->horizon + ((UINT64_C(1) << level) - 1) < first->deadline;
}

/* pt_buckets_open_ - open the first bucket; there is one
 * If the front is not empty, and the bucket neither precedes it nor is spread, the shorter of both
 * moves to the heap. At most 2 * PT_BUCKET_MOST_ pushes. */
PT_API void pt_buckets_open_(struct pt_buckets_ *later, struct pt_heap *heap)
{
    unsigned number = later->first, last = later->buckets[number].last;
    unsigned count = later->buckets[number].count;
    unsigned chunk = pt_chunks_turn_(later, last, (count + PT_CHUNK_ - 1) / PT_CHUNK_);
    bool ordered = pt_chunks_in_order_(later, chunk, count);
    bool spread = !ordered && pt_buckets_can_spread_(later, number / PT_BUCKET_RING_);
    uint64_t begins = later->horizon;

    later->count -= count;
    later->fills = false;
    later->rejected = 0;
    pt_bucket_leave_(later, number);
    if (spread || pt_buckets_early_(later, count))
        pt_chunks_pour_(later, heap, chunk, count, spread);
    else if (pt_front_follows_(later, last, count, ordered))
        pt_front_precede_(later, chunk, last, count, ordered);
    else if (later->front.left > count)
        pt_chunks_pour_(later, heap, chunk, count, false);
    else
        pt_front_open_(later, heap, chunk, last, count, ordered);
    pt_buckets_find_(later);
    pt_buckets_tune_(later, begins, spread ? 0 : count); /* the narrower ones are counted */
}

#endif
