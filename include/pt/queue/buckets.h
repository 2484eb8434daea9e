/* buckets.h - timers that are far, in buckets by their deadline
 * SPDX-License-Identifier: MIT
 *
 * A pop from a heap is a chain of loads and comparisons, and a store to a task for each
 * entry that moves. So where there are many timers, the heap holds only some that are
 * near, and the others wait here.
 *
 *     now              horizon: here the first bucket that is used begins
 *      |  heap, front     |  buckets
 *
 * When no timer is left before the horizon, the first bucket is opened: its entries become
 * the front, move to narrower buckets, or to the heap (buckets_open.h). Within a bucket they have
 * no order; each keeps the number of its arming. What the buckets do not take is in the
 * front or the heap, which takes any timer at any time: a timer that is near, one that finds
 * its bucket or the chunks full.
 *
 * Level L has 1,024 buckets that are 2^L ticks wide each: a ring. A timer joins the lowest level
 * that reaches to its deadline, but none below `finest`, which follows from how many timers were
 * found, on average, in the buckets that were opened, and from whether that level reaches to most
 * timers. A bucket is a chain of chunks of eight entries. Only its last chunk has room: an entry
 * that leaves is replaced by the last one. So a removal is O(1). */
#ifndef PT_BUCKETS_H
#define PT_BUCKETS_H

#include "heap.h"

/* Fewer timers than this are not far. */
#ifndef PT_BUCKETS_FROM_
#define PT_BUCKETS_FROM_ 64
#endif

/* --- implementation ------------------------------------------------------------------------ */

#define PT_BUCKET_BITS_ 10u
#define PT_BUCKET_RING_ (1u << PT_BUCKET_BITS_)  /* buckets of a level */
#define PT_BUCKET_WORDS_ (PT_BUCKET_RING_ / 64u) /* words of its bitmap */
#define PT_LEVELS_ (66u - PT_BUCKET_BITS_)       /* so that the highest reaches to every deadline */
#define PT_CHUNK_ 8u                             /* entries of a chunk */
#define PT_BUCKET_MOST_ 4096u /* entries of a bucket: opening it takes one step */
#define PT_BUCKET_FEW_ 6u     /* fewer, on average, are a bucket too narrow */
#define PT_BUCKET_MANY_ 24u   /* more are one too wide */
#define PT_BUCKETS_ABOVE_ 16u /* more timers above the finest one: see pt_buckets_tune_ */
#define PT_BUCKETS_SEEN_ 128u /* entries of which the average is taken */
#define PT_FRONT_MOST_ 48u  /* more, and not in order, go to the heap when their bucket is opened */
#define PT_NEAR_MANY_ 1024u /* more in the heap: see pt_buckets_reject_ */
#define PT_NEAR_FEW_ 16u    /* fewer are no matter there */
#define PT_BUCKETS_REJECTED_ 65536u /* so many entries that belong to no bucket */
#define PT_BUCKETS_EARLY_ 128u      /* widths ahead: see pt_buckets_early_ */
#define PT_NO_CHUNK_ (~0u)
#define PT_IN_FRONT_ 0x80000000u /* of a chunk: it is in the front, behind the one of that number */
#define PT_TIMER_FAR_ 0x80000000u /* in a timer's index: the rest is a place in the chunks */

PT_STATIC_ASSERT(PT_BUCKET_MOST_ % PT_CHUNK_ == 0, "a full bucket has full chunks");

/* A bucket. Defined while its bit in `used` is set. */
struct pt_bucket_ {
    unsigned last;  /* its last chunk */
    unsigned count; /* entries, at least 1 */
};

/* A chunk: its entries are entries[8 * i ..]. */
struct pt_chunk_ {
    unsigned
        before; /* the chunk before it in its bucket, after it in the front; or the next free one */
    unsigned
        bucket; /* the number of its bucket: level * 1,024 + place in the ring; or PT_IN_FRONT_ */
};

/* The timers of a bucket that was opened, in order: front.h. */
struct pt_front_ {
    unsigned place; /* of the first entry, if there are any left */
    unsigned left;  /* entries, and such that were removed */
    unsigned chunk; /* its first chunk, from which `before` leads to the last one */
    unsigned end;   /* the place of the last entry in that */
    bool sorted;    /* their order is in `places`; else they are in order in the chunks */
    unsigned at;    /* if sorted: where the first is in... */
    unsigned places[PT_FRONT_MOST_]; /* the places of the entries */
};

/* The buckets. One block of the port's memory, most of which is not touched. */
struct pt_buckets_ {
    struct pt_heap_entry *entries; /* the chunks' entries */
    struct pt_chunk_ *chunks;
    unsigned room;     /* chunks that there are; written by the loop, as the two above */
    unsigned fresh;    /* chunks that were ever in use */
    unsigned free;     /* the first free one of these; or PT_NO_CHUNK_ */
    unsigned count;    /* entries, without those of the front */
    unsigned finest;   /* the lowest level for new entries */
    unsigned rejected; /* entries since a bucket was opened that belong to none */
    unsigned seen;     /* entries of the buckets that were opened after `since` */
    unsigned above;    /* entries after it that only a level above the finest one reaches */
    bool fills;        /* no bucket was opened since there were no entries */
    unsigned first;    /* the number of the first bucket, if count is not 0 */
    uint64_t horizon;  /* where that begins; UINT64_MAX: there is none */
    uint64_t base;     /* the loop's time: no bucket begins before it */
    uint64_t since;    /* the average that sets it is taken of buckets from here on */
    uint64_t levels;   /* bit L: level L has buckets that are used */
    uint32_t words[PT_LEVELS_];                   /* bit I: used[16 * L + I] is not 0 */
    uint64_t used[PT_LEVELS_ * PT_BUCKET_WORDS_]; /* a bit for each bucket */
    struct pt_front_ front;
    struct pt_bucket_ buckets[PT_LEVELS_ * PT_BUCKET_RING_];
};

/* pt_buckets_init_ - no timers, and no room for any */
PT_API void pt_buckets_init_(struct pt_buckets_ *later)
{
    later->entries = NULL;
    later->chunks = NULL;
    later->room = later->fresh = later->count = later->finest = later->first = later->seen =
        later->above = 0;
    later->free = PT_NO_CHUNK_;
    later->horizon = UINT64_MAX;
    later->base = later->since = later->levels = 0;
    later->fills = false;
    later->rejected = 0;
    later->front.left = later->front.end = 0;
    for (unsigned level = 0; level < PT_LEVELS_; level++) {
        later->words[level] = 0;
        for (unsigned word = 0; word < PT_BUCKET_WORDS_; word++)
            later->used[level * PT_BUCKET_WORDS_ + word] = 0;
    }
}

/* --- bits and levels --- */

/* The number of the highest bit of a word that is not 0. */
PT_ALWAYS unsigned pt_high_bit_(uint64_t word)
{
#ifdef __GNUC__
    return 63u - (unsigned)__builtin_clzll(word);
#else
    unsigned bit = 0;

    for (; word >>= 1; bit++)
        ;
    return bit;
#endif
}

/* The number of the lowest bit of a word that is not 0. */
PT_ALWAYS unsigned pt_low_bit_(uint64_t word)
{
    return pt_high_bit_(word & (0u - word));
}

/* How far it is in a level's ring from AT to the first bucket that is used; there is one. */
PT_ALWAYS unsigned pt_ring_ahead_(const struct pt_buckets_ *later, unsigned level, unsigned at)
{
    const uint64_t *used = &later->used[level * PT_BUCKET_WORDS_];
    uint64_t here = used[at / 64] >> at % 64;
    uint32_t after = later->words[level] >> at / 64 >> 1;
    unsigned word;

    if (here)
        return pt_low_bit_(here);
    word = after ? at / 64 + 1 + pt_low_bit_(after) : pt_low_bit_(later->words[level]);
    return (word * 64 + pt_low_bit_(used[word]) - at) % PT_BUCKET_RING_;
}

/* Find the bucket that begins first. */
PT_API void pt_buckets_find_(struct pt_buckets_ *later)
{
    later->horizon = UINT64_MAX;
    for (uint64_t left = later->levels; left; left &= left - 1) {
        unsigned level = pt_low_bit_(left), at = (unsigned)(later->base >> level) % PT_BUCKET_RING_;
        unsigned ahead = pt_ring_ahead_(later, level, at);
        uint64_t begins = ((later->base >> level) + ahead) << level;

        if (begins <= later->horizon) {
            later->horizon = begins;
            later->first = level * PT_BUCKET_RING_ + (at + ahead) % PT_BUCKET_RING_;
        }
    }
}

PT_ALWAYS void pt_bucket_use_(struct pt_buckets_ *later, unsigned number)
{
    unsigned level = number / PT_BUCKET_RING_, place = number % PT_BUCKET_RING_;

    later->used[number / 64] |= UINT64_C(1) << number % 64;
    later->words[level] |= UINT32_C(1) << place / 64;
    later->levels |= UINT64_C(1) << level;
}

PT_ALWAYS void pt_bucket_leave_(struct pt_buckets_ *later, unsigned number)
{
    unsigned level = number / PT_BUCKET_RING_, place = number % PT_BUCKET_RING_;

    if (later->used[number / 64] &= ~(UINT64_C(1) << number % 64))
        return;
    if (later->words[level] &= ~(UINT32_C(1) << place / 64))
        return;
    later->levels &= ~(UINT64_C(1) << level);
}

/* --- chunks --- */

/* A chunk for a bucket, after the chunk BEFORE; or PT_NO_CHUNK_. */
PT_ALWAYS unsigned pt_chunk_take_(struct pt_buckets_ *later, unsigned bucket, unsigned before)
{
    unsigned chunk = later->free;

    if (chunk != PT_NO_CHUNK_)
        later->free = later->chunks[chunk].before;
    else if (later->fresh < later->room)
        chunk = later->fresh++;
    else
        return chunk;
    later->chunks[chunk].before = before;
    later->chunks[chunk].bucket = bucket;
    return chunk;
}

PT_ALWAYS void pt_chunk_give_(struct pt_buckets_ *later, unsigned chunk)
{
    later->chunks[chunk].before = later->free;
    later->free = chunk;
}

/* Store an entry in a chunk, and in its timer where it is. */
PT_ALWAYS void pt_chunk_put_(struct pt_buckets_ *later, unsigned place,
                             const struct pt_heap_entry *entry)
{
    pt_heap_copy_(&later->entries[place], entry);
    *entry->index = PT_TIMER_FAR_ | place;
}

/* --- a bucket --- */

/* The level of a deadline: the lowest that reaches to it, but none below the finest one in
 * use. */
PT_ALWAYS unsigned pt_buckets_level_(const struct pt_buckets_ *later, uint64_t deadline)
{
    uint64_t ahead = deadline - later->base;
    uint64_t reach =
        ahead + (ahead >> (PT_BUCKET_BITS_ - 1)); /* base can be at the end of its bucket */
    unsigned level = pt_high_bit_(reach | PT_BUCKET_RING_ / 2) - (PT_BUCKET_BITS_ - 1);

    return level < later->finest ? later->finest : level;
}

/* Put an entry into its bucket of a level; O(1). False if that is full, or if there is no chunk. */
PT_ALWAYS bool pt_bucket_put_(struct pt_buckets_ *later, unsigned level,
                              const struct pt_heap_entry *entry)
{
    unsigned number =
        level * PT_BUCKET_RING_ + (unsigned)(entry->deadline >> level) % PT_BUCKET_RING_;
    struct pt_bucket_ *bucket = &later->buckets[number];
    uint64_t begins = entry->deadline >> level << level;
    unsigned chunk;

    if (!(later->used[number / 64] >> number % 64 & 1))
        bucket->last = PT_NO_CHUNK_, bucket->count = 0;
    if (bucket->count % PT_CHUNK_ == 0) {
        if (bucket->count == PT_BUCKET_MOST_)
            return false;
        chunk = pt_chunk_take_(later, number, bucket->last);
        if (chunk == PT_NO_CHUNK_)
            return false;
        bucket->last = chunk;
        if (!bucket->count)
            pt_bucket_use_(later, number);
    }
    pt_chunk_put_(later, bucket->last * PT_CHUNK_ + bucket->count++ % PT_CHUNK_, entry);
    later->count++;
    if (begins < later->horizon || (begins == later->horizon && number > later->first)) {
        later->horizon = begins;
        later->first = number; /* of two that begin together the wider one */
    }
    return true;
}

/* pt_buckets_remove_ - take out the entry at a place; O(1) */
PT_API void pt_buckets_remove_(struct pt_buckets_ *later, unsigned place)
{
    unsigned number = later->chunks[place / PT_CHUNK_].bucket;
    struct pt_bucket_ *bucket = &later->buckets[number];
    unsigned chunk = bucket->last, last = chunk * PT_CHUNK_ + --bucket->count % PT_CHUNK_;

    later->count--;
    if (place != last)
        pt_chunk_put_(later, place, &later->entries[last]);
    if (last % PT_CHUNK_)
        return;
    bucket->last = later->chunks[chunk].before;
    pt_chunk_give_(later, chunk);
    if (bucket->count)
        return;
    pt_bucket_leave_(later, number);
    if (number == later->first)
        pt_buckets_find_(later);
}

#endif
