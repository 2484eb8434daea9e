/* timers.h - the timer queue: seven operations, and the structures that implement them
 * SPDX-License-Identifier: MIT
 *
 * The loop needs no more than this; PT_TIMERS (config.h) chooses the structure.
 *
 *     operation             list (sorted)    heap
 *     pt_timers_init_        O(1)             O(1)
 *     pt_timers_add_         O(n)             O(log n); pairing.h: O(1)
 *     pt_timers_remove_      O(n)             O(log n); pairing.h: O(n)
 *     pt_timers_first_       O(1)             O(1)
 *     pt_timers_at_          O(1)             O(1)
 *     pt_timers_pop_         O(1)             O(log n)
 *     pt_timers_rebase_      nothing          O(1), rarely O(n); pairing.h: nothing
 *
 * Timers with equal deadlines come out in the order in which they were added. No deadline in the
 * queue is before the epoch, or before the NOW of a rebase.
 *
 * The queue holds pt_timer_, a member of the owner's struct: a node, or for the heap in an array
 * only the index of its entry, which has the deadline. */
#ifndef PT_TIMERS_H
#define PT_TIMERS_H

#include "heap.h"
#include "pairing.h"

#if PT_TIMERS == PT_TIMERS_HEAP && PT_HEAP_ARRAY

#define PT_TIMERS_STORAGE_ 1 /* needs an entry per task */

/* pt_timer_ - a place in the queue; written by the queue */
typedef unsigned pt_timer_;

/* The queue. Write through the functions. */
struct pt_timers_ {
    struct pt_heap heap;
};

PT_ALWAYS void pt_timers_init_(struct pt_timers_ *timers, pt_time epoch)
{
    pt_heap_init(&timers->heap, epoch);
}

PT_ALWAYS void pt_timers_add_(struct pt_timers_ *timers, pt_timer_ *timer, pt_time at)
{
    pt_heap_push_index_(&timers->heap, timer, at);
}

PT_ALWAYS void pt_timers_remove_(struct pt_timers_ *timers, pt_timer_ *timer)
{
    pt_heap_remove_at_(&timers->heap, *timer);
}

PT_ALWAYS pt_timer_ *pt_timers_first_(const struct pt_timers_ *timers)
{
    return timers->heap.count ? timers->heap.entries[0].index : NULL;
}

PT_ALWAYS pt_time pt_timers_at_(const struct pt_timers_ *timers, const pt_timer_ *timer)
{
    return pt_heap_at_(&timers->heap, *timer);
}

PT_ALWAYS pt_timer_ *pt_timers_pop_(struct pt_timers_ *timers)
{
    pt_timer_ *first = timers->heap.entries[0].index;

    pt_heap_remove_at_(&timers->heap, 0);
    return first;
}

PT_ALWAYS void pt_timers_rebase_(struct pt_timers_ *timers, pt_time now)
{
    pt_heap_rebase(&timers->heap, now);
}

#else

#define PT_TIMERS_STORAGE_ 0

#if PT_HAS_TIMERS_

struct pt_timers_;
typedef struct pt_node pt_timer_;

PT_ALWAYS pt_time pt_timers_at_(const struct pt_timers_ *timers, const pt_timer_ *timer)
{
    (void)timers;
    return timer->at;
}

#endif

#if PT_TIMERS == PT_TIMERS_HEAP

struct pt_timers_ {
    struct pt_heap heap;
};

PT_ALWAYS void pt_timers_init_(struct pt_timers_ *timers, pt_time epoch)
{
    pt_heap_init(&timers->heap, epoch);
}

PT_ALWAYS void pt_timers_add_(struct pt_timers_ *timers, pt_timer_ *timer, pt_time at)
{
    timer->at = at;
    pt_heap_push(&timers->heap, timer);
}

PT_ALWAYS void pt_timers_remove_(struct pt_timers_ *timers, pt_timer_ *timer)
{
    pt_heap_remove(&timers->heap, timer);
}

PT_ALWAYS pt_timer_ *pt_timers_first_(const struct pt_timers_ *timers)
{
    return pt_heap_first(&timers->heap);
}

PT_ALWAYS pt_timer_ *pt_timers_pop_(struct pt_timers_ *timers)
{
    return pt_heap_pop(&timers->heap);
}

PT_ALWAYS void pt_timers_rebase_(struct pt_timers_ *timers, pt_time now)
{
    pt_heap_rebase(&timers->heap, now);
}

#elif PT_TIMERS == PT_TIMERS_LIST

struct pt_timers_ {
    struct pt_list list;
};

PT_ALWAYS void pt_timers_init_(struct pt_timers_ *timers, pt_time epoch)
{
    (void)epoch;
    pt_list_init(&timers->list);
}

PT_ALWAYS void pt_timers_add_(struct pt_timers_ *timers, pt_timer_ *timer, pt_time at)
{
    timer->at = at;
    pt_list_add_sorted(&timers->list, timer);
}

PT_ALWAYS void pt_timers_remove_(struct pt_timers_ *timers, pt_timer_ *timer)
{
    pt_list_remove(&timers->list, timer);
}

PT_ALWAYS pt_timer_ *pt_timers_first_(const struct pt_timers_ *timers)
{
    return timers->list.first;
}

PT_ALWAYS pt_timer_ *pt_timers_pop_(struct pt_timers_ *timers)
{
    return pt_list_pop(&timers->list);
}

PT_ALWAYS void pt_timers_rebase_(struct pt_timers_ *timers, pt_time now)
{
    (void)timers;
    (void)now;
}

#endif
#endif
#endif
