/* timers.h - the timer queue: five operations, and the two structures that offer them
 * SPDX-License-Identifier: MIT
 *
 * The loop asks for no more than this; PT_TIMERS (config.h) chooses who answers.
 *
 *     operation             list (sorted)    heap
 *     pt_timers_init        O(1)             O(1)
 *     pt_timers_add         O(n)             O(log n)
 *     pt_timers_remove      O(n)             O(log n), of pairing.h O(n)
 *     pt_timers_first       O(1)             O(1)
 *     pt_timers_pop         O(1)             O(log n)
 *     pt_timers_rebase      nothing          O(1), rarely O(n)
 *
 * Nodes with equal deadlines come out in the order in which they were added. An epoch, or the
 * NOW of a rebase, is a time that no deadline in the queue is before. */
#ifndef PT_TIMERS_H
#define PT_TIMERS_H

#include "heap.h"
#include "pairing.h"

#if PT_TIMERS == PT_TIMERS_HEAP

#define PT_TIMERS_STORAGE PT_HEAP_ARRAY /* needs an entry a task */

/* The queue. Written through the functions. */
struct pt_timers {
    struct pt_heap heap;
};

PT_ALWAYS void pt_timers_init(struct pt_timers *timers, pt_time epoch)
{
    pt_heap_init(&timers->heap, epoch);
}

PT_ALWAYS void pt_timers_add(struct pt_timers *timers, struct pt_node *node)
{
    pt_heap_push(&timers->heap, node);
}

PT_ALWAYS void pt_timers_remove(struct pt_timers *timers, struct pt_node *node)
{
    pt_heap_remove(&timers->heap, node);
}

PT_ALWAYS struct pt_node *pt_timers_first(const struct pt_timers *timers)
{
    return pt_heap_first(&timers->heap);
}

PT_ALWAYS struct pt_node *pt_timers_pop(struct pt_timers *timers)
{
    return pt_heap_pop(&timers->heap);
}

PT_ALWAYS void pt_timers_rebase(struct pt_timers *timers, pt_time now)
{
    pt_heap_rebase(&timers->heap, now);
}

#else

#define PT_TIMERS_STORAGE 0

#if PT_TIMERS == PT_TIMERS_LIST

struct pt_timers {
    struct pt_list list;
};

PT_ALWAYS void pt_timers_init(struct pt_timers *timers, pt_time epoch)
{
    (void)epoch;
    pt_list_init(&timers->list);
}

PT_ALWAYS void pt_timers_add(struct pt_timers *timers, struct pt_node *node)
{
    pt_list_add_sorted(&timers->list, node);
}

PT_ALWAYS void pt_timers_remove(struct pt_timers *timers, struct pt_node *node)
{
    pt_list_remove(&timers->list, node);
}

PT_ALWAYS struct pt_node *pt_timers_first(const struct pt_timers *timers)
{
    return timers->list.first;
}

PT_ALWAYS struct pt_node *pt_timers_pop(struct pt_timers *timers)
{
    return pt_list_pop(&timers->list);
}

PT_ALWAYS void pt_timers_rebase(struct pt_timers *timers, pt_time now)
{
    (void)timers;
    (void)now;
}

#endif
#endif
#endif
