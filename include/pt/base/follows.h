/* follows.h - what follows from the knobs: which do not go together, and what a build has
 * SPDX-License-Identifier: MIT */
#ifndef PT_FOLLOWS_H
#define PT_FOLLOWS_H

#include "config.h"

PT_STATIC_ASSERT(PT_TIMERS >= PT_TIMERS_NONE && PT_TIMERS <= PT_TIMERS_ARRAY,
                 "PT_TIMERS must be PT_TIMERS_NONE, _LIST, _HEAP or _ARRAY");
PT_STATIC_ASSERT(PT_READY >= PT_READY_LIST && PT_READY <= PT_READY_URGENT,
                 "PT_READY must be PT_READY_LIST, _RING or _URGENT");
PT_STATIC_ASSERT(PT_TIME_BITS == 16 || PT_TIME_BITS == 32 || PT_TIME_BITS == 64,
                 "PT_TIME_BITS must be 16, 32 or 64");
PT_STATIC_ASSERT(PT_LABEL_BITS == 8 || PT_LABEL_BITS == 16, "PT_LABEL_BITS must be 8 or 16");
PT_STATIC_ASSERT(PT_TIMERS != PT_TIMERS_ARRAY || PT_TIME_BITS == 64,
                 "PT_TIMERS 3, an array, needs PT_TIME_BITS 64");
PT_STATIC_ASSERT(!PT_SUBGENERATORS || PT_AWAIT,
                 "PT_SUBGENERATORS needs PT_AWAIT: set PT_AWAIT 1, or PT_SUBGENERATORS 0");
PT_STATIC_ASSERT(!(PT_CANCEL || PT_TIMEOUTS) || PT_CLEANUP,
                 "PT_CANCEL and PT_TIMEOUTS need PT_CLEANUP: set PT_CLEANUP 1, or both of them 0");
PT_STATIC_ASSERT(!PT_TIMEOUTS || PT_HAS_TIMERS_,
                 "PT_TIMEOUTS needs a timer queue: set PT_TIMERS, or PT_TIMEOUTS 0");
PT_STATIC_ASSERT(!PT_TIMED_PARKS || PT_HAS_TIMERS_,
                 "PT_TIMED_PARKS needs a timer queue: set PT_TIMERS, or PT_TIMED_PARKS 0");
PT_STATIC_ASSERT(!PT_GROUPS || PT_CANCEL,
                 "PT_GROUPS needs PT_CANCEL: set PT_CANCEL 1, or PT_GROUPS 0");
PT_STATIC_ASSERT(
    !(PT_NESTING || PT_PORT || PT_INSPECT) || PT_CENSUS,
    "PT_NESTING, PT_PORT and PT_INSPECT need PT_CENSUS: set PT_CENSUS 1, or all of them 0");
PT_STATIC_ASSERT(!PT_TRACE || PT_INSPECT,
                 "PT_TRACE needs PT_INSPECT: set PT_INSPECT 1, or PT_TRACE 0");
PT_STATIC_ASSERT(!PT_NESTING || PT_HAS_TIMERS_,
                 "PT_NESTING needs a timer queue: set PT_TIMERS, or PT_NESTING 0");
PT_STATIC_ASSERT(!PT_CHANNELS || PT_SYNC,
                 "PT_CHANNELS needs PT_SYNC: set PT_SYNC 1, or PT_CHANNELS 0");
PT_STATIC_ASSERT(!PT_SELECTS || PT_CHANNELS,
                 "PT_SELECTS needs PT_CHANNELS: set PT_CHANNELS 1, or PT_SELECTS 0");
PT_STATIC_ASSERT(!(PT_WAKERS && PT_PORT) || PT_REMOTE,
                 "with PT_PORT, PT_WAKERS needs PT_REMOTE: set PT_REMOTE 1, or PT_WAKERS 0");
PT_STATIC_ASSERT(!PT_SINCE || PT_HAS_TIMERS_, "PT_SINCE needs time: set PT_TIMERS, or PT_SINCE 0");
PT_STATIC_ASSERT(!PT_SLOWMO || PT_HAS_TIMERS_,
                 "PT_SLOWMO needs time: set PT_TIMERS, or PT_SLOWMO 0");

/* Whether a loop has urgent tasks. */
#define PT_HAS_URGENT_ PT_GLUE_(PT_URGENT_BY_, PT_READY)
#define PT_URGENT_BY_0 0
#define PT_URGENT_BY_1 0
#define PT_URGENT_BY_2 1
PT_STATIC_ASSERT(!PT_FAST_ || !PT_HAS_URGENT_, "PT_FAST_ needs a PT_READY without urgent tasks");

/* Whether something can end what a task does; whether a body has blocks that can be ended; whether
 * the loop has a list of its tasks; whether tasks wait in queues; whether they can leave those
 * before the wait is complete. */
#define PT_HAS_INTERRUPTS_ PT_OR_(PT_CANCEL, PT_TIMEOUTS)
#define PT_HAS_SCOPES_ PT_OR_(PT_TIMEOUTS, PT_GROUPS)
#define PT_HAS_MEMBERS_ PT_OR_(PT_OR_(PT_GROUPS, PT_INSPECT), PT_AND_(PT_CANCEL, PT_NESTING))
#define PT_HAS_WAIT_QUEUES_ \
    PT_OR_(PT_OR_(PT_JOINS, PT_POOLS), PT_OR_(PT_SYNC, PT_OR_(PT_NESTING, PT_HAS_MEMBERS_)))
#define PT_HAS_LEAVERS_ \
    PT_AND_(PT_HAS_WAIT_QUEUES_, PT_OR_(PT_OR_(PT_HAS_INTERRUPTS_, PT_HAS_MEMBERS_), PT_CHANNELS))

/* Whether a body can reach its loop's clock (clock.h). Then pt_loop_run can run several batches on
 * one reading of it (fast.h): a body that uses the time reads it again first; a delay need not. */
#define PT_HAS_CLOCK_ PT_AND_(PT_PORT, PT_HAS_TIMERS_)

/* Whether tasks that are stuck can be found: inspect/stuck.h. */
#define PT_HAS_STUCK_ PT_AND_(PT_INSPECT, PT_CHANNELS)

/* Whether native tasks switch to one another directly, not through the loop: native_body.h. */
#define PT_HAS_DIRECT_                    \
    PT_AND_(PT_AND_(PT_FAST_, PT_CENSUS), \
            PT_AND_(PT_AND_(PT_AWAIT, PT_CLEANUP), PT_HAS_WAIT_QUEUES_))

/* Whether a body transfers values without a call: sync/transfer.h. */
#define PT_HAS_QUICK_ PT_AND_(PT_FAST_, PT_AWAIT)

/* 1: a site takes no room, as its offset fits after the bytes of a frame. Then a frame always has
 * it, so that programs and libraries with and without PT_SITES link with each other. */
#if PT_HOSTED && UINTPTR_MAX > 0xffffffffu && PT_LABEL_BITS == 8 && PT_AWAIT && PT_CLEANUP
#define PT_SITE_FITS_ 1
#else
#define PT_SITE_FITS_ 0
#endif
#define PT_HAS_SITE_ PT_AND_(PT_SITES, PT_NOT_(PT_SITE_FITS_))

/* 1: the name of a task takes no room, either: the base frame has it in the place of its caller. */
#define PT_NAME_FITS_ PT_AND_(PT_INSPECT, PT_SITE_FITS_)

#endif
