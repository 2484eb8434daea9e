/* timers_buckets.h - the timer queue of timers.h as a heap with buckets in front: PT_BUCKETS
 * SPDX-License-Identifier: MIT
 *
 * The buckets need memory of the port, for as many timers as the heap, and exist only in a loop with
 * room for PT_BUCKETS_FROM_ tasks. Of both, only what is used is touched. The heap has room for all
 * timers: so whatever happens to the buckets, nothing can fail.
 *
 * What always holds: if a bucket is used, the heap has a timer that is due before the bucket begins.
 * So the heap's first timer is the first of all. */
#ifndef PT_TIMERS_BUCKETS_H
#define PT_TIMERS_BUCKETS_H

#include "buckets.h"

#if PT_TIMERS == PT_TIMERS_HEAP && PT_HEAP_ARRAY && PT_BUCKETS

#define PT_TIMERS_STORAGE_ 1 /* needs an entry per task */
#define PT_HAS_BUCKETS_ 1

/* The index of a heap's entry; or a place in the buckets, with the bit PT_TIMER_FAR_. */
typedef unsigned pt_timer_;

struct pt_timers_ {
    struct pt_heap heap;
    struct pt_buckets_ *far; /* or NULL */
};

PT_ALWAYS void pt_timers_init_(struct pt_timers_ *timers, pt_time epoch)
{
    pt_heap_init(&timers->heap, epoch);
    timers->far = NULL;
}

/* The heap has no timer before the first bucket: open it. */
PT_NOINLINE void pt_timers_open_(struct pt_timers_ *timers)
{
    pt_buckets_open_(timers->far, &timers->heap);
}

/* A timer has left the heap, or joined a bucket. */
PT_ALWAYS void pt_timers_refill_(struct pt_timers_ *timers)
{
    while (PT_UNLIKELY(timers->heap.count ? timers->heap.entries[0].deadline >= timers->far->horizon
                                          : timers->far->count))
        pt_timers_open_(timers);
}

/* Add a timer where there are buckets. */
PT_NOINLINE void pt_timers_add_far_(struct pt_timers_ *timers, pt_timer_ *timer, pt_time at)
{
    struct pt_heap *heap = &timers->heap;
    struct pt_heap_entry entry;

    pt_heap_fill_(heap, &entry, timer, at);
    if (pt_buckets_add_(timers->far, heap, &entry))
        pt_timers_refill_(timers);
    else
        pt_heap_rise_(heap, heap->count++, &entry);
}

PT_ALWAYS void pt_timers_add_(struct pt_timers_ *timers, pt_timer_ *timer, pt_time at)
{
    if (PT_LIKELY(!timers->far))
        pt_heap_push_index_(&timers->heap, timer, at);
    else
        pt_timers_add_far_(timers, timer, at);
}

PT_ALWAYS void pt_timers_remove_(struct pt_timers_ *timers, pt_timer_ *timer)
{
    if (*timer & PT_TIMER_FAR_) {
        pt_buckets_remove_(timers->far, *timer & ~PT_TIMER_FAR_);
        return;
    }
    pt_heap_remove_at_(&timers->heap, *timer);
    if (PT_UNLIKELY(timers->far != NULL))
        pt_timers_refill_(timers);
}

PT_ALWAYS pt_timer_ *pt_timers_first_(const struct pt_timers_ *timers)
{
    return timers->heap.count ? timers->heap.entries[0].index : NULL;
}

PT_ALWAYS pt_time pt_timers_first_at_(const struct pt_timers_ *timers)
{
    return pt_heap_at_(&timers->heap, 0);
}

PT_ALWAYS pt_time pt_timers_at_(const struct pt_timers_ *timers, const pt_timer_ *timer)
{
    const struct pt_heap_entry *entry = *timer & PT_TIMER_FAR_
                                            ? &timers->far->entries[*timer & ~PT_TIMER_FAR_]
                                            : &timers->heap.entries[*timer];

    return entry->deadline + timers->heap.epoch;
}

PT_ALWAYS pt_timer_ *pt_timers_pop_(struct pt_timers_ *timers)
{
    pt_timer_ *first = timers->heap.entries[0].index;

    pt_heap_remove_at_(&timers->heap, 0);
    if (PT_UNLIKELY(timers->far != NULL))
        pt_timers_refill_(timers);
    return first;
}

/* The time is NOW, and no timer is before it: new timers are far if they are far from it. */
PT_API void pt_timers_move_on_(struct pt_timers_ *timers, pt_time now)
{
    struct pt_buckets_ *far = timers->far;
    pt_time passed = now - timers->heap.epoch;

    if (PT_UNLIKELY(passed > PT_DELAY_MAX / 2)) { /* the epoch moves, and with it all buckets */
        while (far->count)
            pt_timers_open_(timers);
        far->base = 0;
    } else if (passed > far->base) {
        far->base = passed;
    }
}

PT_ALWAYS void pt_timers_rebase_(struct pt_timers_ *timers, pt_time now)
{
    if (PT_UNLIKELY(timers->far != NULL))
        pt_timers_move_on_(timers, now);
    pt_heap_rebase(&timers->heap, now);
}

#endif
#endif
