/* default_loop.h - what needs libpt: its version, and a default loop for each thread
 * SPDX-License-Identifier: MIT
 *
 *     struct pt_loop *loop = pt_loop_default();
 *
 *     PT_START(loop, &task, rocket, .delay = PT_SEC(1));
 *     pt_loop_run(loop);
 *     pt_loop_close(loop);
 *
 *     cc launch.c $(pkg-config --cflags --libs pt) */
#ifndef PT_DEFAULT_LOOP_H
#define PT_DEFAULT_LOOP_H

#include "../base/strict.h"
#include "../pt.h"
#include "../ports/posix.h"

/* The library and its caller must agree on struct pt_loop and on what a tick is. */
PT_STATIC_ASSERT(PT_TIMERS == PT_TIMERS_ARRAY && PT_READY == PT_READY_RING && PT_TIME_BITS == 64 &&
                     (PT_TICKS_PER_SEC) == 1000000000 && PT_CENSUS && PT_NESTING && PT_SLOWMO &&
                     PT_PORT && PT_POOLS && PT_CANCEL && PT_INSPECT && PT_ATOMICS && PT_REMOTE &&
                     !PT_WAKERS && PT_TRACE,
                 "libpt is built with the default knobs of config.h: use <pt/posix.h> with others");

/* pt_version - the version of the linked library, "major.minor.patch"; static storage
 * PT_VERSION is the version of the headers. Any thread may call it. */
PT_EXPORT const char *pt_version(void);

/* pt_loop_default - the calling thread's own loop, on the POSIX port; O(1)
 * The first call opens it; so does the first call after pt_loop_close. Each thread has its own
 * loop, and only that thread uses it. Never NULL; the call allocates nothing. A thread that
 * spawned tasks in it calls pt_loop_close before it ends; otherwise the loop's memory leaks. */
PT_EXPORT struct pt_loop *pt_loop_default(void);

#endif
