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

#ifdef __cplusplus
extern "C" {
#endif

/* What a limit counts in: nothing, the unit, the bench's yardstick, the first case of the same name,
 * the case of the same n and of the name BASE that the first peer has; or it is to be reached. */
enum bench_limit {
    BENCH_NO_LIMIT,
    BENCH_ABSOLUTE,
    BENCH_TIMES_CAL,
    BENCH_TIMES_FIRST,
    BENCH_TIMES_PEER,
    BENCH_AT_LEAST
};

struct bench_case {
    const char *name;
    unsigned long n; /* tasks, timers, depth; 0: it means nothing */
    const char *unit;
    /* Measure once. STATE is NULL at first and the case's own from then on. */
    double (*run)(unsigned long n, void **state);
    enum bench_limit kind;
    double limit;
    const char *peer; /* whose it is: NULL for pt's own */
    const char *base; /* for BENCH_TIMES_PEER */
};

/* A bench: its cases, and the yardstick of BENCH_TIMES_CAL, or NULL. */
struct bench {
    const char *name;
    const struct bench_case *const *lists; /* each up to a NULL name; up to a NULL */
    double (*cal)(unsigned long n, void **state);
};

/* Run it as ARGV says, and print its figures: [--json] [--rounds N] [--only CASE]. What main returns. */
int bench_run(const struct bench *bench, int argc, char **argv);

/* After that: the figure of a case, or 0. */
double bench_value(const char *name, unsigned long n);

/* Whether ARGV asks for objects. */
bool bench_is_json(int argc, char **argv);

/* The time that the processor spent on this program, in nanoseconds: no case sleeps, and what
 * other programs take of a shared machine is not theirs. */
double bench_now(void);

/* Zeroed memory that lasts until the program ends, on huge pages where there are any: a
 * million tasks on small pages measure the page tables. Ends the program when there is none. */
void *bench_memory(size_t bytes);

/* The numbers 0 .. N - 1 in an order that is random, and the same in every run. */
unsigned *bench_shuffled(unsigned long n);

/* --- core --- */

/* A case of a file that sets knobs of its own: core_bytes.c. */
double bench_bytes_plain(unsigned long n, void **state);

extern struct bench_case bench_task_cases[], bench_timer_cases[], bench_timeout_cases[];

#ifdef __cplusplus
}
#endif

#endif
