/* sync.h - what the files of the bench of coordination share
 * SPDX-License-Identifier: MIT */
#ifndef PT_BENCH_SYNC_H
#define PT_BENCH_SYNC_H

#include "bench.h"

struct pt_loop;

enum { SYNC_STEPS = 1000000 };

/* What is measured: values that went over, hand-offs, selects. */
extern unsigned long sync_steps;

/* Turn a loop until so many steps are done; nanoseconds a step. */
double sync_turn(struct pt_loop *loop);

extern const struct bench_case sync_hop_cases[], sync_select_cases[], sync_remote_cases[];

#endif
