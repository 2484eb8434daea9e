/* bench.h - what the files of a bench share: cases, a clock, memory
 * SPDX-License-Identifier: MIT
 *
 * A case is measured once a round, and the rounds of all cases interleave, so that a machine
 * that changes its pace changes it for all of them. The figure is the median of the rounds;
 * a limit that is a multiple of `cal` is held against the cal measured just before. */
#ifndef PT_BENCH_H
#define PT_BENCH_H

#include <stdbool.h>
#include <stddef.h>

/* What a limit counts in. */
enum bench_limit { BENCH_NO_LIMIT, BENCH_ABSOLUTE, BENCH_TIMES_CAL, BENCH_TIMES_FIRST };

struct bench_case {
    const char *name;
    unsigned long n; /* tasks, timers, depth; 0: it means nothing */
    const char *unit;
    /* Measure once. STATE is NULL at first and the case's own from then on. */
    double (*run)(unsigned long n, void **state);
    enum bench_limit kind;
    double limit;
};

/* The time that the processor spent on this program, in nanoseconds: no case sleeps, and what
 * other programs take of a shared machine is not theirs. */
double bench_now(void);

/* Zeroed memory that lasts until the program ends, on huge pages where there are any: a
 * million tasks on small pages measure the page tables. Ends the program when there is none. */
void *bench_memory(size_t bytes);

/* The numbers 0 .. N - 1 in an order that is random, and the same in every run. */
unsigned *bench_shuffled(unsigned long n);

/* A case of a file that sets knobs of its own: core_bytes.c. */
double bench_bytes_plain(unsigned long n, void **state);

/* Each up to a NULL name. */
extern struct bench_case bench_task_cases[], bench_timer_cases[], bench_timeout_cases[];

#endif
