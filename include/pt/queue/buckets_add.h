/* buckets_add.h - a timer joins its bucket; how wide the buckets are
 * SPDX-License-Identifier: MIT
 *
 * Buckets of 6 to 24 timers cost least. Which width has so many depends on how far the timers are:
 *
 *     pt_buckets_guess_      until a bucket is opened: by the farthest timer
 *     pt_buckets_tune_       then: by the average of those that were opened
 *     pt_buckets_reject_     narrower: many timers belong to none, as their buckets begin now
 *     pt_buckets_overflow_   wider: too many buckets share the chunks */
#ifndef PT_BUCKETS_ADD_H
#define PT_BUCKETS_ADD_H

#include "buckets.h"

/* --- implementation ------------------------------------------------------------------------ */

/* An entry belongs to no bucket, because its bucket begins now. If the heap is large, or if
 * that happens again and again, the buckets are too wide for what is armed now, and none is
 * opened that would show it. */
PT_ALWAYS bool pt_buckets_reject_(struct pt_buckets_ *later, const struct pt_heap *heap)
{
    if (later->finest &&
        (heap->count > PT_NEAR_MANY_ ||
         (heap->count > PT_NEAR_FEW_ && ++later->rejected > PT_BUCKETS_REJECTED_))) {
        later->finest--;
        later->rejected = 0;
    }
    return false;
}

/* There is no chunk: too many buckets have one that is not full. That passes slowly: so the finest
 * level follows slowly. */
PT_ALWAYS void pt_buckets_overflow_(struct pt_buckets_ *later, const struct pt_heap_entry *entry)
{
    if (entry->order % 64 == 0 && later->finest < PT_LEVELS_ - 2)
        later->finest++;
}

/* No bucket has been opened since there were none: guess the finest level from how far the farthest
 * timer is. If as many timers are armed as there is room for, evenly, some 8 are in a bucket, and
 * 16 near the loop's time as soon as those that leave are armed again. */
PT_ALWAYS void pt_buckets_guess_(struct pt_buckets_ *later, uint64_t ahead)
{
    unsigned wide = pt_high_bit_(ahead) + 4, many = pt_high_bit_(later->room * PT_CHUNK_ | 1);
    unsigned finest = wide > many ? wide - many : 0;

    if (!later->count)
        later->finest = 0;
    if (finest > later->finest)
        later->finest = finest < PT_LEVELS_ - 2 ? finest : PT_LEVELS_ - 2;
}

/* A bucket that BEGINS there was opened, with COUNT entries: let new ones have 6 to 24 on average;
 * and 12 to 24 if the finest level does not reach to many timers, since a timer above it moves
 * twice. The average is that of so many entries, and the limits are so far apart, that chance does
 * not change the width: a bucket is not opened while narrower ones begin in it. */
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
    wide = (begins - later->since) >> later->finest;
    if (later->seen > PT_BUCKET_MANY_ * (wide + 1) && later->finest)
        later->finest--;
    else if (later->seen < few * wide && later->finest < PT_LEVELS_ - 2)
        later->finest++;
    later->seen = later->above = 0;
    later->since = begins;
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
    later->above += level > later->finest;
    if (begins <= later->base || begins <= first)
        return pt_buckets_reject_(later, heap);
    if (pt_bucket_put_(later, level, entry))
        return true;
    if (later->free == PT_NO_CHUNK_ && later->fresh == later->room)
        pt_buckets_overflow_(later, entry);
    return false;
}

#endif
