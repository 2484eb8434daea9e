/* inspect.h - what the tasks of a loop do, what each waits for, and what happened
 * SPDX-License-Identifier: MIT
 *
 * On top of <pt/pt.h>, or of the face that the program includes: <pt/posix.h>, <pt/host.h> and so
 * on. The page for Prometheus is <pt/inspect/prometheus.h>. */
#ifndef PT_FACE_INSPECT_H
#define PT_FACE_INSPECT_H

#include "pt.h"

PT_QUIET_OPEN_
#include "inspect/inspect.h"    /* what each task waits for */
#include "inspect/dump.h"       /* a picture of that */
#include "inspect/observe.h"    /* a call at each step */
#include "inspect/trace_ring.h" /* events in a ring in memory */
#include "inspect/trace.h"      /* what happened */
#include "inspect/histogram.h"  /* how long something takes */
#include "inspect/metrics.h"    /* histograms and counters of a loop */
#include "inspect/watch.h"      /* how long each step takes */
#include "inspect/memory.h"     /* what can still be reached */
#include "inspect/keep.h"       /* what a loop has in memory, for that */
#include "inspect/live.h"       /* which tasks can go on */
#include "inspect/stuck.h"      /* deadlocks, and tasks that are forgotten */
PT_QUIET_CLOSE_

#endif
