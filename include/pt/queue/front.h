/* front.h - the bucket that comes first is opened: its timers are sorted, or move to the heap
 * SPDX-License-Identifier: MIT
 *
 * A bucket (buckets.h) has no order. When it is opened it becomes the front: its entries stay in
 * its chunks, and leave one by one, in order, without a search. Timers that are armed for the same
 * delay are in order already, however many they are. Up to 48 others are sorted:
 *
 *     places   [ 17 | 20 | 16 | -- | 19 ]
 *                     ^at                      --: a timer that was removed: its entry has no index
 *
 * A timer that is armed and belongs to no bucket joins the front, unless the front was sorted, or
 * has a timer that is due later: then it goes to the heap.
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
#ifndef PT_FRONT_H
#define PT_FRONT_H

#include "buckets.h"

#if PT_TIMERS == PT_TIMERS_ARRAY && PT_PORT

/* --- implementation ------------------------------------------------------------------------ */

/* Prefetch the tasks of the first SOME entries of a chunk that leaves next. They run
 * soon: so also prefetch what is before and after their timers, in steps of less than a
 * line, so that none is missed. */
PT_ALWAYS void pt_chunk_prefetch_timers_(const struct pt_buckets_ *later, unsigned chunk,
                                         unsigned some)
{
    for (unsigned i = 0; i < some && i < PT_CHUNK_; i++) {
        uintptr_t timer = (uintptr_t)later->entries[chunk * PT_CHUNK_ + i].index;

        PT_PREFETCH((const void *)(timer - 48));
        PT_PREFETCH((const void *)(timer - 4));
        PT_PREFETCH((const void *)(timer + 40));
    }
}

/* Prefetch the entries of a chunk that is read soon. */
PT_ALWAYS void pt_chunk_prefetch_(const struct pt_buckets_ *later, unsigned chunk)
{
    const char *first = (const char *)&later->entries[chunk * PT_CHUNK_];

    PT_STATIC_ASSERT(PT_CHUNK_ * sizeof(struct pt_heap_entry) <= 192, "three lines hold a chunk");
    PT_PREFETCH(first);
    PT_PREFETCH(first + 64);
    PT_PREFETCH(first + 128);
}

/* The first entry of the front, or NULL. */
PT_ALWAYS const struct pt_heap_entry *pt_front_first_(const struct pt_buckets_ *later)
{
    return later->front.left ? &later->entries[later->front.place] : NULL;
}

/* The entries of a chunk are the first ones now. */
PT_ALWAYS void pt_front_begin_(struct pt_buckets_ *later, unsigned chunk)
{
    unsigned left = later->front.left;

    later->front.chunk = chunk;
    later->front.place = chunk * PT_CHUNK_;
    if (left > PT_CHUNK_)
        pt_chunk_prefetch_timers_(later, later->chunks[chunk].before, left - PT_CHUNK_);
}

/* Take out the first entry, and not those that were removed behind it. */
PT_ALWAYS void pt_front_step_(struct pt_buckets_ *later)
{
    struct pt_front_ *front = &later->front;
    unsigned chunk = front->chunk;

    if (!--front->left)
        return;
    if (front->sorted) {
        front->place = front->places[++front->at];
    } else if (front->place % PT_CHUNK_ != PT_CHUNK_ - 1) {
        front->place++;
    } else {
        pt_front_begin_(later, later->chunks[chunk].before);
        pt_chunk_give_(later, chunk);
    }
}

/* Give the chunks of a front without timers back. */
PT_ALWAYS void pt_front_close_(struct pt_buckets_ *later)
{
    later->chunks[later->front.end / PT_CHUNK_].before = later->free;
    later->free = later->front.chunk;
}

/* pt_front_pop_ - take out the first entry, and those that were removed behind it; O(1) */
PT_API void pt_front_pop_(struct pt_buckets_ *later)
{
    do
        pt_front_step_(later);
    while (later->front.left && !later->entries[later->front.place].index);
    if (!later->front.left)
        pt_front_close_(later);
}

/* pt_front_add_ - put an entry that belongs to no bucket behind the last one; O(1)
 * False if it does not belong there, or if there is no chunk. */
PT_API bool pt_front_add_(struct pt_buckets_ *later, const struct pt_heap_entry *entry)
{
    struct pt_front_ *front = &later->front;
    unsigned chunk;

    if (front->left && (front->sorted || entry->deadline < later->entries[front->end].deadline))
        return false;
    if (front->left && front->end % PT_CHUNK_ != PT_CHUNK_ - 1) {
        front->end++;
    } else {
        chunk = pt_chunk_take_(later, PT_IN_FRONT_ | front->end / PT_CHUNK_, PT_NO_CHUNK_);
        if (chunk == PT_NO_CHUNK_)
            return false;
        if (front->left)
            later->chunks[front->end / PT_CHUNK_].before = chunk;
        else
            pt_front_begin_(later, chunk);
        front->sorted = false;
        front->end = chunk * PT_CHUNK_;
    }
    pt_chunk_put_(later, front->end, entry);
    front->left++;
    return true;
}

/* Whether the entry at a place of the chunks is in the front. */
PT_ALWAYS bool pt_front_has_(const struct pt_buckets_ *later, unsigned place)
{
    return later->chunks[place / PT_CHUNK_].bucket & PT_IN_FRONT_;
}

/* A chunk of entries in order, not the first one: take it out if none is
 * left, so that a pop passes few. */
PT_API void pt_front_leave_(struct pt_buckets_ *later, unsigned chunk)
{
    unsigned before = later->chunks[chunk].bucket & ~PT_IN_FRONT_,
             after = later->chunks[chunk].before;
    bool is_last = chunk == later->front.end / PT_CHUNK_;
    unsigned count = is_last ? later->front.end % PT_CHUNK_ + 1 : PT_CHUNK_;

    for (unsigned i = 0; i < count; i++)
        if (later->entries[chunk * PT_CHUNK_ + i].index)
            return;
    later->front.left -= count;
    if (is_last) {
        later->front.end = before * PT_CHUNK_ + PT_CHUNK_ - 1;
    } else {
        later->chunks[before].before = after;
        later->chunks[after].bucket = PT_IN_FRONT_ | before;
    }
    pt_chunk_give_(later, chunk);
}

/* pt_front_remove_ - take out the entry at a place; O(1) */
PT_API void pt_front_remove_(struct pt_buckets_ *later, unsigned place)
{
    later->entries[place].index = NULL;
    if (place == later->front.place)
        pt_front_pop_(later);
    else if (!later->front.sorted && place / PT_CHUNK_ != later->front.chunk)
        pt_front_leave_(later, place / PT_CHUNK_);
}

/* --- opening a bucket --- */

/* A bucket that BEGINS there was opened, with COUNT entries: let new ones have 6 to 24 on average;
 * and 12 to 24 if the grain does not reach to many timers, since a timer above it moves twice. The
 * average is that of so many entries, and the limits are so far apart, that chance does not change
 * the width: a bucket is not opened while narrower ones begin in it. */
PT_ALWAYS void pt_buckets_tune_(struct pt_buckets_ *later, uint64_t begins, unsigned count)
{
    unsigned few = later->above > PT_BUCKETS_ABOVE_ ? PT_BUCKET_MANY_ / 2 : PT_BUCKET_FEW_;
    uint64_t wide;

    if (begins < later->since) { /* for a while all timers were farther */
        later->seen = later->above = 0;
        later->since = begins;
    }
    later->seen += count;
    if (later->seen < PT_BUCKETS_SEEN_)
        return;
    wide = (begins - later->since) >> later->grain;
    if (later->seen > PT_BUCKET_MANY_ * (wide + 1) && later->grain)
        later->grain--;
    else if (later->seen < few * wide && later->grain < PT_LEVELS_ - 2)
        later->grain++;
    later->seen = later->above = 0;
    later->since = begins;
}

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

/* List the entries of the front, in the order in which they came: their PLACES, and
 * for each a word of its deadline, from BEGINS on, and its number. Returns whether
 * they were armed in that order. */
PT_API bool pt_front_list_(const struct pt_buckets_ *later, uint64_t begins, unsigned *places,
                           uint64_t *words)
{
    unsigned chunk = later->front.chunk;
    uint64_t order = 0;
    bool armed = true;

    for (unsigned i = 0; i < later->front.left; i++) {
        unsigned place = chunk * PT_CHUNK_ + i % PT_CHUNK_;
        const struct pt_heap_entry *entry = &later->entries[place];

        armed &= order <= entry->order;
        order = entry->order;
        places[i] = place;
        words[i] = (entry->deadline - begins) << 6 | i;
        if (i % PT_CHUNK_ == PT_CHUNK_ - 1) {
            chunk = later->chunks[chunk].before;
            pt_chunk_prefetch_timers_(later, chunk, later->front.left - i - 1);
        }
    }
    return armed;
}

/* Sort by the words: the place of an entry is the number of those that are before it. That
 * takes as many instructions as a sort by insertion, and none of its branches, which a
 * processor would guess wrong. */
PT_ALWAYS void pt_front_sort_(struct pt_front_ *front, const unsigned *places, uint64_t *words,
                              unsigned count)
{
    words[count] = words[count + 1] = words[count + 2] = UINT64_MAX;
    for (unsigned i = 0; i < count; i++) {
        uint64_t word = words[i];
        unsigned before = 0;

        for (const uint64_t *other = words; other < words + count; other += 4) {
            before += other[0] < word ? 1u : 0u;
            before += other[1] < word ? 1u : 0u;
            before += other[2] < word ? 1u : 0u;
            before += other[3] < word ? 1u : 0u;
        }
        front->places[before] = places[i];
    }
}

/* Entries in another order than that of arming can have equal deadlines: sort by insertion. */
PT_API void pt_front_settle_(struct pt_front_ *front, const struct pt_heap_entry *entries,
                             unsigned count)
{
    for (unsigned i = 1; i < count; i++) {
        unsigned place = front->places[i], at = i;

        for (; at && pt_heap_before_(&entries[place], &entries[front->places[at - 1]]); at--)
            front->places[at] = front->places[at - 1];
        front->places[at] = place;
    }
}

/* Sort the front: its entries are at most PT_FRONT_MOST_. */
PT_API void pt_front_order_(struct pt_buckets_ *later)
{
    struct pt_front_ *front = &later->front;
    unsigned places[PT_FRONT_MOST_];
    uint64_t words[PT_FRONT_MOST_ + 3];
    bool armed = pt_front_list_(later, later->horizon, places, words);

    PT_STATIC_ASSERT(PT_FRONT_MOST_ <= 64, "six bits hold the number of an entry");
    pt_front_sort_(front, places, words, front->left);
    if (!armed)
        pt_front_settle_(front, later->entries, front->left);
    front->sorted = true;
    front->at = 0;
    front->place = front->places[0];
}

/* Move the entries of a front that was sorted, so that they are in order in the chunks. */
PT_API void pt_front_straighten_(struct pt_buckets_ *later)
{
    struct pt_front_ *front = &later->front;
    struct pt_heap_entry entries[PT_FRONT_MOST_];
    unsigned chunk = front->chunk;

    for (unsigned i = 0; i < front->left; i++)
        entries[i] = later->entries[front->places[i]];
    for (unsigned i = 0; i < front->left; i++) {
        pt_chunk_put_(later, chunk * PT_CHUNK_ + i % PT_CHUNK_, &entries[i]);
        if (i % PT_CHUNK_ == PT_CHUNK_ - 1)
            chunk = later->chunks[chunk].before;
    }
    front->sorted = false;
    front->place = front->chunk * PT_CHUNK_;
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
           (later->horizon - later->base) >> later->grain > PT_BUCKETS_EARLY_;
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
#endif
