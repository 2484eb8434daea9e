/* front.h - timers of buckets that were opened: they leave in order, without a heap
 * SPDX-License-Identifier: MIT
 *
 * A bucket (buckets.h) has no order. When it is opened (buckets_open.h) it can become the front:
 * its entries stay in its chunks, and leave one by one, in order, without a search. Timers that are
 * armed for the same delay are in order already, however many they are. Up to 48 others are sorted:
 *
 *     places   [ 17 | 20 | 16 | -- | 19 ]
 *                     ^at                      --: a timer that was removed: its entry has no index
 *
 * pt_front_add_ puts further timers behind these. */
#ifndef PT_FRONT_H
#define PT_FRONT_H

#include "buckets.h"

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

#endif
