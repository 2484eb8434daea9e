/* timers.h - the timer queue: eight operations, and the files that implement them
 * SPDX-License-Identifier: MIT
 *
 * The loop needs no more than this: loop/timer.h adds and removes a task's timer, pt_loop_expire_
 * (run/turn.h) takes those that are due. PT_TIMERS (config.h) chooses one of them. On a port the
 * heap of timers_array.h has buckets beside it.
 *
 *     timers_array.h:        without a port       on a port          heap_linked.h   list.h
 *     pt_timers_init_        O(1)                 O(1)               O(1)            O(1)
 *     pt_timers_add_         O(log n)             O(1) or O(log n)   O(log n)        O(n)
 *     pt_timers_remove_      O(log n)             O(1) or O(log n)   O(log n)        O(n)
 *     pt_timers_first_       O(1)                 O(1)               O(1)            O(1)
 *     pt_timers_first_at_    O(1)                 O(1)               O(1)            O(1)
 *     pt_timers_at_          O(1)                 O(1)               O(1)            O(1)
 *     pt_timers_pop_         O(log n)             O(1) or O(log n)   O(log n)        O(1)
 *     pt_timers_rebase_      O(1), rarely O(n)    O(1) or O(n log n) nothing         nothing
 *
 * With buckets: O(1) for what is far, and for what leaves a bucket that was opened. Any of its
 * operations can open buckets, one of each width at most; each takes up to 8,192 pushes.
 * heap_linked.h throws coins: its O(log n) is what is expected, whatever the deadlines are.
 *
 * pt_timers_first_at_ is the deadline of the first; there must be one. In a heap
 * in an array it reads no task.
 *
 * Timers with equal deadlines come out in the order in which they were added. No deadline in the
 * queue is before the epoch, or before the NOW of a rebase.
 *
 * The queue holds pt_timer_, a member of the owner's struct, which the queue writes: a node, or in
 * an array only the index of the heap's entry, which has the deadline. PT_TIMERS_STORAGE_: whether
 * the queue needs such an entry for each task. */
#ifndef PT_TIMERS_H
#define PT_TIMERS_H

#include "heap_linked.h"
#include "timers_array.h"

#ifndef PT_TIMERS_STORAGE_ /* no queue at all: PT_TIMERS_NONE */
#define PT_TIMERS_STORAGE_ 0
#define pt_timers_init_(timers, epoch) ((void)0)
#endif
#ifndef PT_HAS_BUCKETS_
#define PT_HAS_BUCKETS_ 0
#endif

#endif
