/* core.h - shared by the files of the core's bench
 * SPDX-License-Identifier: MIT */
#ifndef PT_BENCH_CORE_H
#define PT_BENCH_CORE_H

#include "bench.h"

#ifdef __cplusplus
extern "C" {
#endif

struct pt_loop;
struct pt_port;

/* Rockets fly again until there were so many wakes: the first flight of a round mostly fills the caches. */
enum { CORE_WAKES = 300000 };

/* Open a loop with room for N tasks that never grows. */
void bench_open_loop(struct pt_loop *loop, const struct pt_port *port, unsigned long n);

/* End the program if a result is wrong. */
void core_check(bool right, const char *what);

struct core_tree {
    const struct core_tree *left, *right;
    unsigned long number;
};

/* A balanced tree of N nodes, numbered in order; the same in each call. */
const struct core_tree *core_plant(unsigned long n);

/* core_cxx.cc, core_timers_cxx.cc */
double core_cxx_generator_tree(unsigned long n, void **state);
double core_cxx_timers(unsigned long n, void **state);
double core_cxx_rockets(unsigned long n, void **state);
double core_cxx_rockets_grid(unsigned long n, void **state);

/* A case of a file that sets knobs of its own: core_bytes.c. */
double bench_bytes_plain(unsigned long n, void **state);

extern struct bench_case bench_task_cases[], bench_trace_cases[], bench_timer_cases[],
    bench_timeout_cases[], bench_generator_cases[];

#ifdef __cplusplus
}
#endif

#endif
