/* core.c - the bench of the portable core: runs the cases in rounds and prints the figures
 * SPDX-License-Identifier: MIT
 *
 *     core [--json] [--rounds N] [--only CASE] [--python rockets.py]
 *
 * Build and run it with bench/run. */
#define _GNU_SOURCE
#include "bench.h"

#include <pt/random.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

enum { MOST_ROUNDS = 99, MOST_CASES = 64, HUGE_PAGE = 2 << 20 };

static const char *python; /* the path of rockets.py, or NULL */

double bench_now(void)
{
    struct timespec now;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

void *bench_memory(size_t bytes)
{
    void *memory = NULL;

    if (posix_memalign(&memory, bytes < HUGE_PAGE ? 64 : HUGE_PAGE, bytes)) {
        fputs("core: out of memory\n", stderr);
        exit(1);
    }
#ifdef MADV_HUGEPAGE
    if (bytes >= HUGE_PAGE)
        madvise(memory, bytes, MADV_HUGEPAGE);
#endif
    return memset(memory, 0, bytes);
}

unsigned *bench_shuffled(unsigned long n)
{
    unsigned *order = bench_memory(n * sizeof *order);
    struct pt_random random = {1};

    for (unsigned i = 0; i < n; i++) {
        unsigned j = (unsigned)pt_random_below(&random, i + 1ul);

        order[i] = order[j];
        order[j] = i;
    }
    return order;
}

/* --- the yardsticks ------------------------------------------------------------------------ */

#ifdef BENCH_CAL
void core_cal(unsigned long pairs);

static double cal(unsigned long n, void **state)
{
    enum { PAIRS = 1000000 };
    double start = bench_now();

    (void)n;
    (void)state;
    core_cal(PAIRS);
    return (bench_now() - start) / PAIRS;
}
#endif

/* What rockets.py prints: nanoseconds a wake. 0 when it cannot be run. */
static double rocket_python(unsigned long n, void **state)
{
    char command[4096];
    double value = 0;
    FILE *pipe;

    (void)state;
    snprintf(command, sizeof command, "exec python3 '%s' %lu", python, n);
    pipe = popen(command, "r");
    if (!pipe)
        return 0;
    if (fscanf(pipe, "%lf", &value) != 1)
        value = 0;
    return pclose(pipe) ? 0 : value;
}

/* --- the figures --------------------------------------------------------------------------- */

struct row {
    struct bench_case c;
    void *state;
    double values[MOST_ROUNDS], ratios[MOST_ROUNDS]; /* the ratio: to what the limit counts in */
};

static struct row rows[MOST_CASES];
static int count;

static void add(const struct bench_case *cases, const char *only)
{
    for (; cases->name; cases++)
        if (!only || !strcmp(only, cases->name))
            rows[count++].c = *cases;
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static double median(double *values, int n)
{
    qsort(values, (size_t)n, sizeof *values, compare);
    return (values[(n - 1) / 2] + values[n / 2]) / 2;
}

/* The row that a multiple of the first one of its name refers to. */
static const struct row *first_of(const struct row *row)
{
    const struct row *first = rows;

    while (strcmp(first->c.name, row->c.name))
        first++;
    return first;
}

static void measure(struct row *row, int round)
{
    double base = 1;

#ifdef BENCH_CAL
    if (row->c.kind == BENCH_TIMES_CAL)
        base = cal(0, NULL);
#endif
    row->values[round] = row->c.run(row->c.n, &row->state);
    if (row->c.kind == BENCH_TIMES_FIRST)
        base = first_of(row)->values[round];
    row->ratios[round] = row->values[round] / base;
}

static void print_json(const struct row *row, double value)
{
    printf("{\"bench\":\"core\",\"case\":\"%s\",", row->c.name);
    if (row->c.n)
        printf("\"n\":%lu,", row->c.n);
    printf("\"value\":%.2f,\"unit\":\"%s\"}\n", value, row->c.unit);
}

static void print_line(const struct row *row, double value, double ratio)
{
    static const char *const of[] = {"", "", " x cal", " x the first"};
    char n[32] = "";

    if (row->c.n)
        snprintf(n, sizeof n, "%lu", row->c.n);
    printf("%-17s %9s %12.2f %-5s", row->c.name, n, value, row->c.unit);
#ifndef BENCH_CAL
    if (row->c.kind == BENCH_TIMES_CAL) {
        printf("  (limit: %g x cal)\n", row->c.limit);
        return;
    }
#endif
    if (row->c.kind >= BENCH_TIMES_CAL)
        printf(" = %.3f%s", ratio, of[row->c.kind]);
    if (row->c.kind != BENCH_NO_LIMIT)
        printf("  <= %g%s: %s", row->c.limit, of[row->c.kind],
               ratio <= row->c.limit ? "ok" : "over");
    putchar('\n');
}

/* The rocket program is held against the same design in Python. */
static void print_rocket_ratio(void)
{
    double c = 0, py = 0;

    for (int i = 0; i < count; i++) {
        if (rows[i].c.n == 10000 && !strcmp(rows[i].c.name, "rocket-virtual"))
            c = rows[i].values[0];
        if (!strcmp(rows[i].c.name, "rocket-python"))
            py = rows[i].values[0];
    }
    if (c > 0 && py > 0)
        printf("rocket-python / rocket-virtual = %.1f  >= 20: %s\n", py / c,
               py / c >= 20 ? "ok" : "under");
}

static void print(bool json, int rounds)
{
    for (int i = 0; i < count; i++) {
        double value = median(rows[i].values, rounds), ratio = median(rows[i].ratios, rounds);

        rows[i].values[0] = value;
        if (json)
            print_json(&rows[i], value);
        else
            print_line(&rows[i], value, ratio);
    }
    if (!json)
        print_rocket_ratio();
}

static int usage(void)
{
    fputs("usage: core [--json] [--rounds 1-99] [--only CASE] [--python rockets.py]\n", stderr);
    return 2;
}

int main(int argc, char **argv)
{
    static const struct bench_case yardsticks[] = {
#ifdef BENCH_CAL
        {"cal", 0, "ns", cal, BENCH_NO_LIMIT, 0},
#endif
        {NULL, 0, NULL, NULL, BENCH_NO_LIMIT, 0}};
    static const struct bench_case pythons[] = {
        {"rocket-python", 10000, "ns", rocket_python, BENCH_NO_LIMIT, 0},
        {NULL, 0, NULL, NULL, BENCH_NO_LIMIT, 0}};
    const char *only = NULL;
    bool json = false;
    int rounds = 7;

    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "--json"))
            json = true;
        else if (!strcmp(argv[i], "--rounds") && i + 1 < argc)
            rounds = atoi(argv[++i]);
        else if (!strcmp(argv[i], "--only") && i + 1 < argc)
            only = argv[++i];
        else if (!strcmp(argv[i], "--python") && i + 1 < argc)
            python = argv[++i];
        else
            return usage();
    }
    if (rounds < 1 || rounds > MOST_ROUNDS)
        return usage();
    add(yardsticks, only);
    add(bench_task_cases, only);
    if (python)
        add(pythons, only);
    add(bench_timer_cases, only);
    add(bench_timeout_cases, only);
    if (!count)
        return usage();
    for (int round = -1; round < rounds; round++) /* the first is to warm up */
        for (int i = 0; i < count; i++)
            measure(&rows[i], round < 0 ? 0 : round);
    print(json, rounds);
    return 0;
}
