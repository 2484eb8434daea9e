/* grain.h - the bucket that a timer joins, and how wide the buckets are
 * SPDX-License-Identifier: MIT */
#ifndef PT_GRAIN_H
#define PT_GRAIN_H

#include "buckets.h"

/* --- implementation ------------------------------------------------------------------------ */

/* An entry belongs to no bucket, because its bucket begins now. If the heap is large, or if
 * that happens again and again, the buckets are too wide for what is armed now, and none is
 * opened that would show it. */
PT_ALWAYS bool pt_buckets_reject_(struct pt_buckets_ *later, const struct pt_heap *heap)
{
    if (later->grain &&
        (heap->count > PT_NEAR_MANY_ ||
         (heap->count > PT_NEAR_FEW_ && ++later->rejected > PT_BUCKETS_REJECTED_))) {
        later->grain--;
        later->rejected = 0;
    }
    return false;
}

/* There is no chunk: too many buckets have one that is not full. That passes slowly: so the grain
 * follows slowly. */
PT_ALWAYS void pt_buckets_overflow_(struct pt_buckets_ *later, const struct pt_heap_entry *entry)
{
    if (entry->order % 64 == 0 && later->grain < PT_LEVELS_ - 2)
        later->grain++;
}

/* No bucket has been opened since there were none: guess the grain from how far the farthest timer
 * is. If as many timers are armed as there is room for, evenly, some 8 are in a bucket, and 16 near
 * the loop's time as soon as those that leave are armed again. */
PT_ALWAYS void pt_buckets_guess_(struct pt_buckets_ *later, uint64_t ahead)
{
    unsigned wide = pt_high_bit_(ahead) + 4, many = pt_high_bit_(later->room * PT_CHUNK_ | 1);
    unsigned grain = wide > many ? wide - many : 0;

    if (!later->count)
        later->grain = 0;
    if (grain > later->grain)
        later->grain = grain < PT_LEVELS_ - 2 ? grain : PT_LEVELS_ - 2;
}

/* The level of a deadline: the lowest that reaches to it, but none below the grain. */
PT_ALWAYS unsigned pt_buckets_level_(const struct pt_buckets_ *later, uint64_t deadline)
{
    uint64_t ahead = deadline - later->base;
    uint64_t reach =
        ahead + (ahead >> (PT_BUCKET_BITS_ - 1)); /* base can be at the end of its bucket */
    unsigned level = pt_high_bit_(reach | PT_BUCKET_RING_ / 2) - (PT_BUCKET_BITS_ - 1);

    return level < later->grain ? later->grain : level;
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

/* pt_buckets_add_ - put an entry into its bucket; O(1)
 * False if it belongs to none: also if its bucket begins before the FIRST deadline of all. */
PT_API bool pt_buckets_add_(struct pt_buckets_ *later, const struct pt_heap *heap,
                            const struct pt_heap_entry *entry, uint64_t first)
{
    uint64_t begins;
    unsigned level;

    if (entry->deadline <= later->base ||
        heap->count + later->front.left + later->count < PT_BUCKETS_FROM_)
        return false;
    later->fills |= !later->count;
    if (later->fills)
        pt_buckets_guess_(later, entry->deadline - later->base);
    level = pt_buckets_level_(later, entry->deadline);
    begins = entry->deadline >> level << level;
    later->above += level > later->grain;
    if (begins <= later->base || begins <= first)
        return pt_buckets_reject_(later, heap);
    if (pt_bucket_put_(later, level, entry))
        return true;
    if (later->free == PT_NO_CHUNK_ && later->fresh == later->room)
        pt_buckets_overflow_(later, entry);
    return false;
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

#endif
