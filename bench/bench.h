/* bench.h - shared by the files of a bench: cases, a clock, memory
 * SPDX-License-Identifier: MIT
 *
 * Each case is measured once a round, and the rounds of all cases interleave, so that a change in
 * the machine's speed affects all of them. The result is the median of the rounds. A limit that is
 * a multiple of `cal` uses the cal measured just before. */
#ifndef PT_BENCH_H
#define PT_BENCH_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The base of a limit: none; the unit; a multiple of the bench's yardstick; a multiple of the first
 * case with the same name; a multiple of the first peer's case named BASE with the same n; or the
 * limit is a minimum. */
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
    unsigned long n; /* tasks, timers, depth; 0: not used */
    const char *unit;
    /* Measure once. STATE is NULL at first; after that it belongs to the case. */
    double (*run)(unsigned long n, void **state);
    enum bench_limit kind;
    double limit;
    const char *peer; /* the measured library; NULL for pt */
    const char *base; /* for BENCH_TIMES_PEER */
};

/* A case of a peer, in nanoseconds. */
#define BENCH_PEER(peer, name, n, run)                    \
    {                                                     \
        name, n, "ns", run, BENCH_NO_LIMIT, 0, peer, NULL \
    }

/* A bench: its cases, and the yardstick of BENCH_TIMES_CAL, or NULL. */
struct bench {
    const char *name;
    const struct bench_case *const *lists; /* ends with NULL; each list ends with a NULL name */
    double (*cal)(unsigned long n, void **state);
};

/* Run a bench with the options of ARGV, and print the results; returns main's exit code.
 * Options: [--json] [--rounds N] [--only CASE]. */
int bench_run(const struct bench *bench, int argc, char **argv);

/* After bench_run: the result of a case, or 0. */
double bench_value(const char *name, unsigned long n);

/* Whether ARGV has --json. */
bool bench_is_json(int argc, char **argv);

/* The processor time of this program, in nanoseconds: no case sleeps, and the time of other
 * programs on a shared machine does not count. */
double bench_now(void);

/* Zeroed memory that lasts until the program ends, on huge pages if possible: with a million tasks
 * on small pages, a bench would measure the page tables. Ends the program if there is no memory. */
void *bench_memory(size_t bytes);

/* The numbers 0 .. N - 1 in a random order that is the same in every run. */
unsigned *bench_shuffled(unsigned long n);

/* The nanoseconds that a peer which is a separate program prints for case NAME with N; 0 if it cannot
 * run. Its command is in the environment as VARIABLE. */
double bench_program(const char *variable, const char *name, unsigned long n);

#ifdef __cplusplus
}
#endif

#endif
