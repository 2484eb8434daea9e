/* sync.h - shared by the files of the bench of synchronization
 * SPDX-License-Identifier: MIT */
#ifndef PT_BENCH_SYNC_H
#define PT_BENCH_SYNC_H

#include "bench.h"

#ifdef __cplusplus
extern "C" {
#endif

struct pt_loop;

enum { SYNC_STEPS = 1000000 };

/* The yields of each of N tasks: at least 32, so that its end is a small part. */
#define SYNC_YIELDS(n) ((n) > SYNC_STEPS / 32 ? 32 : SYNC_STEPS / (n))

/* The measured steps: values sent, hand-offs, selects. */
extern unsigned long sync_steps;

/* Run turns of a loop until enough steps are done; returns nanoseconds a step. */
double sync_turn(struct pt_loop *loop);

/* sync_cxx.cc */
double sync_cxx_yield(unsigned long n, void **state);
double sync_cxx_yield_shuffled(unsigned long n, void **state);
double sync_cxx_hop(unsigned long n, void **state);
double sync_cxx_hop_by_turns(unsigned long n, void **state);
double sync_cxx_spawn_join(unsigned long n, void **state);
double sync_cxx_await(unsigned long n, void **state);
double sync_cxx_lock(unsigned long n, void **state);
double sync_cxx_fan_in(unsigned long n, void **state);

extern const struct bench_case sync_hop_cases[], sync_select_cases[], sync_remote_cases[],
    sync_run_cases[], sync_call_cases[];

#ifdef __cplusplus
}
#endif

#endif
