/* timers_array.h - the timer queue of timers.h as a heap; with many timers on a port, buckets, too
 * SPDX-License-Identifier: MIT
 *
 * A loop with room for at most PT_BUCKETS_FROM_ tasks, or without a port's memory, has no buckets:
 * there `later` is NULL, and all timers are in the heap. A larger loop has room for all timers in
 * both; of both, only what is used is touched. So whatever happens to the buckets, nothing can
 * fail.
 *
 * What always holds with buckets: if one is used, the heap or the front has a timer that is due
 * before the bucket begins. So the earlier of their first timers is the first of all. A timer that
 * is armed joins its bucket, if that is narrow enough to begin later; else the front, unless the
 * front was sorted, or has a timer that is due later; else the heap. */
#ifndef PT_TIMERS_ARRAY_H
#define PT_TIMERS_ARRAY_H

#include "heap.h"

#if PT_TIMERS == PT_TIMERS_ARRAY

#include "buckets_open.h"

#define PT_TIMERS_STORAGE_ 1 /* needs an entry per task */
#define PT_HAS_BUCKETS_ PT_PORT

/* The index of a heap's entry; or a place in the buckets, with the bit PT_TIMER_FAR_. */
typedef unsigned pt_timer_;

/* The queue stores which timer is the first, so that a turn compares and loads no entries. */
struct pt_timers_ {
    struct pt_heap heap;
    struct pt_buckets_ *later; /* or NULL */
    pt_timer_ *first;          /* or NULL */
    pt_time first_at;          /* its deadline */
};

PT_ALWAYS void pt_timers_init_(struct pt_timers_ *timers, pt_time epoch)
{
    pt_heap_init(&timers->heap, epoch);
    timers->later = NULL;
    timers->first = NULL;
}

/* Whether there are buckets. */
PT_ALWAYS bool pt_timers_have_buckets_(const struct pt_timers_ *timers)
{
    return PT_HAS_BUCKETS_ && PT_UNLIKELY(timers->later != NULL);
}

/* A deadline as in an entry. */
PT_ALWAYS pt_time pt_timers_since_epoch_(const struct pt_timers_ *timers, pt_time at)
{
    return at - timers->heap.epoch;
}

/* Find the entry of the first timer, in the heap or in the front; or NULL. */
PT_ALWAYS const struct pt_heap_entry *pt_timers_entry_(const struct pt_timers_ *timers)
{
    const struct pt_heap_entry *heap = timers->heap.count ? timers->heap.entries : NULL;
    const struct pt_heap_entry *front =
        pt_timers_have_buckets_(timers) ? pt_front_first_(timers->later) : NULL;

    return !front || (heap && pt_heap_before_(heap, front)) ? heap : front;
}

/* Open the bucket that comes first. */
PT_NOINLINE void pt_timers_open_(struct pt_timers_ *timers)
{
    pt_buckets_open_(timers->later, &timers->heap);
}

/* The first timer has left: find the next one. */
PT_ALWAYS void pt_timers_find_first_(struct pt_timers_ *timers)
{
    const struct pt_heap_entry *first = pt_timers_entry_(timers);
    const struct pt_buckets_ *later = timers->later;

    while (PT_UNLIKELY(PT_HAS_BUCKETS_ && later &&
                       (first ? first->deadline >= later->horizon : later->count != 0))) {
        pt_timers_open_(timers);
        first = pt_timers_entry_(timers);
    }
    timers->first = first ? first->index : NULL;
    if (first)
        timers->first_at = first->deadline + timers->heap.epoch;
}

/* Add a timer where there are buckets: to its bucket, to the front, or to the heap. */
PT_NOINLINE void pt_timers_add_far_(struct pt_timers_ *timers, pt_timer_ *timer, pt_time at)
{
    uint64_t first = timers->first ? pt_timers_since_epoch_(timers, timers->first_at) : UINT64_MAX;
    struct pt_heap *heap = &timers->heap;
    struct pt_heap_entry entry;

    pt_heap_fill_(heap, &entry, timer, at);
    if (!pt_buckets_add_(timers->later, heap, &entry, first) &&
        !pt_front_add_(timers->later, &entry))
        pt_heap_rise_(heap, heap->count++, &entry);
}

PT_ALWAYS void pt_timers_add_(struct pt_timers_ *timers, pt_timer_ *timer, pt_time at)
{
    if (!pt_timers_have_buckets_(timers))
        pt_heap_push_index_(&timers->heap, timer, at);
    else
        pt_timers_add_far_(timers, timer, at);
    if (!timers->first ||
        pt_timers_since_epoch_(timers, at) < pt_timers_since_epoch_(timers, timers->first_at)) {
        timers->first = timer;
        timers->first_at = at;
    }
}

PT_ALWAYS void pt_timers_remove_(struct pt_timers_ *timers, pt_timer_ *timer)
{
    unsigned place = *timer & ~PT_TIMER_FAR_;

    if (!PT_HAS_BUCKETS_ || place == *timer)
        pt_heap_remove_at_(&timers->heap, place);
    else if (pt_front_has_(timers->later, place))
        pt_front_remove_(timers->later, place);
    else
        pt_buckets_remove_(timers->later, place);
    if (timer == timers->first)
        pt_timers_find_first_(timers);
}

PT_ALWAYS pt_timer_ *pt_timers_first_(const struct pt_timers_ *timers)
{
    return timers->first;
}

PT_ALWAYS pt_time pt_timers_first_at_(const struct pt_timers_ *timers)
{
    return timers->first_at;
}

PT_ALWAYS pt_time pt_timers_at_(const struct pt_timers_ *timers, const pt_timer_ *timer)
{
    const struct pt_heap_entry *entry = *timer & PT_TIMER_FAR_
                                            ? &timers->later->entries[*timer & ~PT_TIMER_FAR_]
                                            : &timers->heap.entries[*timer];

    return entry->deadline + timers->heap.epoch;
}

PT_ALWAYS pt_timer_ *pt_timers_pop_(struct pt_timers_ *timers)
{
    pt_timer_ *timer = timers->first;

    if (PT_HAS_BUCKETS_ && (*timer & PT_TIMER_FAR_))
        pt_front_pop_(timers->later);
    else
        pt_heap_remove_at_(&timers->heap, 0);
    pt_timers_find_first_(timers);
    return timer;
}

/* The time is NOW, and no timer is before it: new timers are far if they are far from it. */
PT_API void pt_timers_move_on_(struct pt_timers_ *timers, pt_time now)
{
    struct pt_buckets_ *later = timers->later;
    pt_time passed = now - timers->heap.epoch;

    if (PT_UNLIKELY(passed > PT_DELAY_MAX / 2)) { /* the epoch moves, and with it all buckets */
        while (later->count)
            pt_timers_open_(timers);
        pt_front_pour_(later, &timers->heap);
        later->base = later->since = 0;
    } else if (passed > later->base) {
        later->base = passed;
    }
}

PT_ALWAYS void pt_timers_rebase_(struct pt_timers_ *timers, pt_time now)
{
    if (pt_timers_have_buckets_(timers))
        pt_timers_move_on_(timers, now);
    pt_heap_rebase(&timers->heap, now);
}

#endif
#endif
