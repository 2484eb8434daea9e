/* config.h - every knob, in one place
 * SPDX-License-Identifier: MIT
 *
 * Define a knob before <pt/pt.h>, the same in every file of a program; or name a header of
 * yours that does:   cc -DPT_CONFIG_H='"my_pt_config.h"' ...
 * A feature is on or off: a plain 1 or 0, not an expression. One knob is elsewhere: PT_CODE_ONCE,
 * in compiler.h.
 *
 * On a microcontroller a program has what it names: one that joins tasks sets PT_JOINS 1. Whatever
 * that feature needs is then on by itself. A use of a feature that is off is a compile error that
 * names its knob (off.h). `make size` prints what each knob costs in flash and RAM. */
#ifndef PT_CONFIG_H_
#define PT_CONFIG_H_

#include "strict.h"
#ifdef PT_CONFIG_H
#include PT_CONFIG_H
#endif

/* A knob without a value: below, - - 1 is 1. */
/* clang-format off */
#if (defined(PT_AWAIT) && -PT_AWAIT - 1 > 0) || (defined(PT_CANCEL) && -PT_CANCEL - 1 > 0) || \
    (defined(PT_CENSUS) && -PT_CENSUS - 1 > 0) || \
    (defined(PT_CHANNELS) && -PT_CHANNELS - 1 > 0) || \
    (defined(PT_CLEANUP) && -PT_CLEANUP - 1 > 0) || \
    (defined(PT_GROUPS) && -PT_GROUPS - 1 > 0) || \
    (defined(PT_INSPECT) && -PT_INSPECT - 1 > 0) || \
    (defined(PT_JOINS) && -PT_JOINS - 1 > 0) || \
    (defined(PT_NESTING) && -PT_NESTING - 1 > 0) || \
    (defined(PT_PAUSE) && -PT_PAUSE - 1 > 0) || (defined(PT_POOLS) && -PT_POOLS - 1 > 0) || \
    (defined(PT_PORT) && -PT_PORT - 1 > 0) || (defined(PT_REMOTE) && -PT_REMOTE - 1 > 0) || \
    (defined(PT_SELECTS) && -PT_SELECTS - 1 > 0) || \
    (defined(PT_SLOWMO) && -PT_SLOWMO - 1 > 0) || \
    (defined(PT_SUBGENERATORS) && -PT_SUBGENERATORS - 1 > 0) || \
    (defined(PT_SYNC) && -PT_SYNC - 1 > 0) || \
    (defined(PT_TIMED_PARKS) && -PT_TIMED_PARKS - 1 > 0) || \
    (defined(PT_TIMEOUTS) && -PT_TIMEOUTS - 1 > 0) || \
    (defined(PT_TRACE) && -PT_TRACE - 1 > 0) || (defined(PT_WAKERS) && -PT_WAKERS - 1 > 0) || \
    (defined(PT_DEBUG) && -PT_DEBUG - 1 > 0)
#error "a feature has no value: write #define PT_JOINS 1, not #define PT_JOINS (config.h)"
#endif
/* clang-format on */

/* 1: every feature is on, unless its knob is 0. 0: a feature is on if its knob is 1, or if one that
 * is on needs it (needs.h); the timers are a sorted list. The default is 1 where there is an
 * operating system, 0 on a microcontroller. */
#ifndef PT_ALL
#define PT_ALL PT_HOSTED
#endif
#include "needs.h" /* what features need, and their defaults, with PT_ALL 0 */

/* --- time ------------------------------------------------------------------------------ */

/* The timer queue. NONE: no PT_WAIT at all. LIST: a sorted list, best below about 20 timers. HEAP:
 * a heap linked through the tasks; an arming or removal is O(log n), expected. ARRAY: a heap in an
 * array, fast with many timers, with PT_TIME_BITS 64 only; on a port with memory, buckets hold
 * those that are far. */
#define PT_TIMERS_NONE 0
#define PT_TIMERS_LIST 1
#define PT_TIMERS_HEAP 2
#define PT_TIMERS_ARRAY 3
#if defined(PT_TIMERS) /* the program has it, or needs.h */
#elif PT_HOSTED && (!defined(PT_TIME_BITS) || PT_TIME_BITS == 64)
#define PT_TIMERS PT_TIMERS_ARRAY
#else
#define PT_TIMERS PT_TIMERS_HEAP
#endif
#define PT_HAS_TIMERS_ PT_GLUE_(PT_TIMERS_ON_, PT_TIMERS)
#define PT_TIMERS_ON_0 0
#define PT_TIMERS_ON_1 1
#define PT_TIMERS_ON_2 1
#define PT_TIMERS_ON_3 1

/* Bits of a time stamp: 16, 32 or 64. Without timers pt stores no stamps. */
#ifndef PT_TIME_BITS
#define PT_TIME_BITS PT_CHOOSE_(PT_HOSTED, 64, PT_CHOOSE_(PT_HAS_TIMERS_, 32, 16))
#endif

/* Ticks per second, a constant expression of an integer type. The default is nanoseconds with
 * 64-bit stamps, as on a PC, and milliseconds with shorter ones. */
#ifndef PT_TICKS_PER_SEC
#define PT_TICKS_PER_SEC PT_GLUE_(PT_TICKS_BY_, PT_TIME_BITS)
#define PT_TICKS_BY_16 1000
#define PT_TICKS_BY_32 1000
#define PT_TICKS_BY_64 1000000000
#endif

/* --- the queues ------------------------------------------------------------------------ */

/* The ready queue. LIST: linked through the tasks, no storage. RING: an array of pointers,
 * so that a loop with many tasks can prefetch. URGENT: a list, and urgent tasks (run/urgent.h). */
#define PT_READY_LIST 0
#define PT_READY_RING 1
#define PT_READY_URGENT 2
#ifndef PT_READY
#define PT_READY PT_CHOOSE_(PT_HOSTED, PT_READY_RING, PT_READY_LIST)
#endif

/* --- features: 0 leaves the code and the bytes out ------------------------------------- */

/* PT_WAIT_COMPLETE: frames that await frames. */
#ifndef PT_AWAIT
#define PT_AWAIT PT_ALL
#endif

/* PT_YIELD_FROM: generators that yield the values of other generators. */
#ifndef PT_SUBGENERATORS
#define PT_SUBGENERATORS PT_AWAIT
#endif

/* pt_loop_current, pt_loop_live and pt_loop_ready: which task runs, how many are alive, how many
 * are ready; and pt_loop_update, which must know which task runs. With the array heap or the ring,
 * a loop always counts its tasks. */
#ifndef PT_CENSUS
#define PT_CENSUS 1
#endif

/* PT_FINALLY and pt_close. */
#ifndef PT_CLEANUP
#define PT_CLEANUP 1
#endif

/* PT_JOIN. */
#ifndef PT_JOINS
#define PT_JOINS PT_ALL
#endif

/* pt_cancel: make a task end; its cleanups run. */
#ifndef PT_CANCEL
#define PT_CANCEL PT_CLEANUP
#endif

/* PT_WITH_TIMEOUT: a block that ends when its time is over. */
#ifndef PT_TIMEOUTS
#define PT_TIMEOUTS PT_AND_(PT_CLEANUP, PT_HAS_TIMERS_)
#endif

/* PT_PARK_FOR: park until a wake, or until a time. */
#ifndef PT_TIMED_PARKS
#define PT_TIMED_PARKS PT_HAS_TIMERS_
#endif

/* PT_WITH_GROUP: tasks that do not outlive a block. */
#ifndef PT_GROUPS
#define PT_GROUPS PT_CANCEL
#endif

/* A list of all tasks, with names and what each waits for; an observer of each step. */
#ifndef PT_INSPECT
#define PT_INSPECT PT_AND_(PT_HOSTED, PT_CENSUS)
#endif

/* When each task ran last, so that pt_dump and pt-ps show how long it has waited: a time stamp in
 * each task, a store in each step. Without it they show that for parked tasks only. */
#ifndef PT_SINCE
#define PT_SINCE 0
#endif

/* Observers get calls for what makes a task ready: a wake, a timer, a post. For a trace (trace.h)
 * and for metrics (metrics.h). */
#ifndef PT_TRACE
#define PT_TRACE PT_CHOOSE_(PT_HOSTED, PT_INSPECT, 0)
#endif

/* pt_pause and pt_resume. */
#ifndef PT_PAUSE
#define PT_PAUSE PT_ALL
#endif

/* Events, locks, semaphores. */
#ifndef PT_SYNC
#define PT_SYNC 1
#endif

/* Channels, queues, flags, conditions, barriers, reader-writer locks. Each task has one more
 * pointer, to what it waits with or for. */
#ifndef PT_CHANNELS
#define PT_CHANNELS PT_SYNC
#endif

/* PT_SELECT: wait for whichever comes first. */
#ifndef PT_SELECTS
#define PT_SELECTS PT_CHANNELS
#endif

/* 1: the compiler has lock-free atomics for words and pointers. */
#if defined(PT_ATOMICS) /* the program has it */
#elif defined(__GCC_ATOMIC_POINTER_LOCK_FREE) && __GCC_ATOMIC_POINTER_LOCK_FREE == 2 && \
    defined(__GCC_ATOMIC_INT_LOCK_FREE) && __GCC_ATOMIC_INT_LOCK_FREE == 2
#define PT_ATOMICS 1
#else
#define PT_ATOMICS 0
#endif

/* pt_remote_post: from another thread or an interrupt. It uses atomics, or else
 * PT_CRITICAL_ENTER and PT_CRITICAL_LEAVE, which critical.h has or you define; for posts from
 * another core PT_POST_ENTER and PT_POST_LEAVE. */
#if defined(PT_REMOTE) /* the program has it, or needs.h */
#elif defined(PT_CRITICAL_ENTER) || defined(__AVR__) || (defined(__riscv) && !PT_HOSTED) || \
    (defined(__ARM_ARCH_PROFILE) && __ARM_ARCH_PROFILE == 'M')
#define PT_REMOTE 1
#else
#define PT_REMOTE PT_ATOMICS
#endif

/* PT_POOL, PT_SPAWN_NEW: storage that goes back to its owner when the task is done. */
#ifndef PT_POOLS
#define PT_POOLS PT_ALL
#endif

/* pt_loop_async: a loop that runs as a task of another loop. */
#ifndef PT_NESTING
#define PT_NESTING PT_ALL
#endif

/* pt_loop_slow: a delay after each turn. */
#ifndef PT_SLOWMO
#define PT_SLOWMO PT_ALL
#endif

/* pt_loop_open, pt_loop_run: a port table with a clock, an idle step and memory. Without it
 * the program calls pt_loop_turn itself and all storage is static. */
#ifndef PT_PORT
#define PT_PORT PT_AND_(PT_ALL, PT_HOSTED)
#endif

/* The most steps that pt_loop_run on a PC runs, batch by batch, before it reads the clock again;
 * 0: it reads the clock before each batch. A body that uses the time reads it, too: run/fast.h. */
#ifndef PT_TURN_STEPS
#define PT_TURN_STEPS PT_CHOOSE_(PT_HOSTED, 128, 0)
#endif

/* How a waker (waker.h) is posted. 1: by one store, for interrupts of the loop's own processor.
 * 0: as a remote, for threads and other processors too; then a waker costs a loop nothing. With
 * PT_ALL 0, PT_WAKERS 1 and no PT_REMOTE 1: a program has wakers alone, and its loop no inbox. */
#ifndef PT_WAKERS
#define PT_WAKERS PT_AND_(PT_REMOTE, PT_NOT_(PT_PORT))
#endif

/* --- resumable functions --------------------------------------------------------------- */

/* Bits of a label: 8 allows about 250 suspensions in a function, or 250 lines if suspensions are
 * numbered by line; 16 allows about 65,000. */
#ifndef PT_LABEL_BITS
#define PT_LABEL_BITS 8
#endif

/* PT_BACKEND, a header such as `"stacks.h"`: other hooks for how a body is entered and left
 * (suspend.h). The tests have one, which runs each body on a stack of its own. */

/* 0: a PC runs the plain forms, as a part does, without the shortcuts of run/fast.h. For tests. */
#ifndef PT_FAST_
#define PT_FAST_ PT_CHOOSE_(PT_HAS_URGENT_, 0, PT_HOSTED)
#endif

/* 1: this file links with files that have other knobs (same_knobs.h). It must not share a task or a
 * loop with them. For a library that uses pt only inside. */
#ifndef PT_OTHER_KNOBS
#define PT_OTHER_KNOBS 0
#endif

/* --- debugging ------------------------------------------------------------------------- */

/* Assertions with messages. Each resume first overwrites the dead stack, so that a stale local is
 * seen at once. A macro that evaluates an argument several times stops at one that is another one
 * each time: all macros with arguments evaluate each once, or check it. On a Unix pt_loop_run
 * prints the tasks and their deadlocks before it returns PT_EDEADLK, with PT_INSPECT and
 * PT_CHANNELS; (pt_loop_run)(&loop) does not. */
#ifndef PT_DEBUG
#define PT_DEBUG 0
#endif

/* The line of each suspension and PT_RETURN in its frame, for pt_dump: costs a store for each. */
#ifndef PT_SITES
#define PT_SITES PT_DEBUG
#endif

/* Called for misuse that no status can report. WHAT and WHERE are static texts; LINE is 0 if it is
 * not known. It must not return. */
#if defined(PT_PANIC) /* the program has it */
#elif PT_HOSTED && !defined(_WIN32)
/* clang-format off */
PT_C_LINKAGE_ int (dprintf)(int fd, const char *text, ...);
/* clang-format on */
#define PT_PANIC(what, where, line)                                                        \
    ((void)((line) ? (dprintf)(2, "pt: %s: %s (line %u)\n", where, what, (unsigned)(line)) \
                   : (dprintf)(2, "pt: %s: %s\n", where, what)),                           \
     PT_TRAP())
#else
#define PT_PANIC(what, where, line) ((void)(what), (void)(where), (void)(line), PT_TRAP())
#endif

/* PT_ASSERT_ - a check that only PT_DEBUG makes */
#define PT_ASSERT_(cond, what, where) \
    PT_CHOOSE_(PT_DEBUG, ((cond) ? (void)0 : (void)PT_PANIC(what, where, 0)), ((void)0))

#include "follows.h"

#endif
