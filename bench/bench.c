/* bench.c - runs the cases of a bench in rounds and prints the results
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "bench.h"

#include <pt/ports/random.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

enum { MOST_ROUNDS = 99, MOST_CASES = 64, HUGE_PAGE = 2 << 20 };

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
        fputs("bench: out of memory\n", stderr);
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

double bench_program(const char *variable, const char *name, unsigned long n)
{
    char command[4096];
    double value = 0;
    FILE *pipe;

    snprintf(command, sizeof command, "exec %s %s %lu", getenv(variable), name, n);
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
    double values[MOST_ROUNDS], ratios[MOST_ROUNDS]; /* ratios to the base of the limit */
};

static struct row rows[MOST_CASES];
static int count;

/* Whether a case is the one that was asked for, or the peer to which that is compared. */
static bool is_asked_for(const struct bench_case *one, const struct bench *bench, const char *only)
{
    if (!only || !strcmp(only, one->name))
        return true;
    for (int i = 0; bench->lists[i]; i++)
        for (const struct bench_case *other = bench->lists[i]; other->name; other++)
            if (!strcmp(only, other->name) && other->base && !strcmp(other->base, one->name))
                return one->peer != NULL;
    return false;
}

static void add(const struct bench_case *cases, const struct bench *bench, const char *only)
{
    for (; cases->name; cases++)
        if (is_asked_for(cases, bench, only))
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

/* The row that is the base of this row's limit, or NULL. */
static const struct row *base_of(const struct row *row)
{
    bool peer = row->c.kind == BENCH_TIMES_PEER;

    if (row->c.kind != BENCH_TIMES_FIRST && !peer)
        return NULL;
    for (const struct row *base = rows; base < rows + count; base++)
        if (!strcmp(base->c.name, peer ? row->c.base : row->c.name) &&
            (!peer || (base->c.peer && base->c.n == row->c.n)))
            return base;
    return NULL;
}

/* Run a case with the stack elsewhere in each round: where the lowest 12 bits of an address on the stack are those
 * of a task, a load waits for an unrelated store. That makes one case in 30 a third slower. */
static double run_below(struct row *row, int round)
{
    volatile char away[1 + 624 * round % 4096];

    away[0] = 0;
    return row->c.run(row->c.n, &row->state);
}

static void measure(const struct bench *bench, struct row *row, int round)
{
    double cal = row->c.kind == BENCH_TIMES_CAL && bench->cal ? bench->cal(0, NULL) : 1;
    const struct row *base = base_of(row);

    row->values[round] = run_below(row, round);
    row->ratios[round] = row->values[round] / (base ? base->values[round] : cal);
}

static void print_json(const char *bench, const struct row *row, double value)
{
    printf("{\"bench\":\"%s\",\"case\":\"%s\",", bench, row->c.name);
    if (row->c.n)
        printf("\"n\":%lu,", row->c.n);
    printf("\"value\":%.2f,\"unit\":\"%s\"", value, row->c.unit);
    if (row->c.peer)
        printf(",\"peer\":\"%s\"", row->c.peer);
    puts("}");
}

/* Print a row's limit, and whether the row is within it. */
static void print_limit(const struct row *row, bool can_tell, double ratio)
{
    static const char *const of[] = {"", "", " x cal", " x the first", " x ", ""};
    bool least = row->c.kind == BENCH_AT_LEAST;
    const char *base = "";

    if (row->c.kind == BENCH_TIMES_PEER)
        base = base_of(row) ? base_of(row)->c.peer : "a peer that is not here";
    if (!can_tell) {
        printf("  (limit: %g%s%s)", row->c.limit, of[row->c.kind], base);
        return;
    }
    if (row->c.kind >= BENCH_TIMES_CAL && !least)
        printf(" = %.3f%s%s", ratio, of[row->c.kind], base);
    printf("  %s %g%s%s: %s", least ? ">=" : "<=", row->c.limit, of[row->c.kind], base,
           least                   ? ratio >= row->c.limit ? "ok" : "under"
           : ratio <= row->c.limit ? "ok"
                                   : "over");
}

static void print_line(const struct bench *bench, const struct row *row, double value, double ratio)
{
    bool relative = row->c.kind == BENCH_TIMES_FIRST || row->c.kind == BENCH_TIMES_PEER;
    char n[32] = "";

    if (row->c.n)
        snprintf(n, sizeof n, "%lu", row->c.n);
    printf("%-17s %9s %12.2f %-5s", row->c.name, n, value, row->c.unit);
    if (row->c.peer)
        printf("  %s", row->c.peer);
    if (row->c.kind != BENCH_NO_LIMIT)
        print_limit(row,
                    relative ? base_of(row) != NULL : row->c.kind != BENCH_TIMES_CAL || bench->cal,
                    ratio);
    putchar('\n');
}

double bench_value(const char *name, unsigned long n)
{
    for (int i = 0; i < count; i++)
        if (rows[i].c.n == n && !strcmp(rows[i].c.name, name))
            return rows[i].values[0];
    return 0;
}

static void print(const struct bench *bench, bool json, int rounds)
{
    for (int i = 0; i < count; i++) {
        double value = median(rows[i].values, rounds), ratio = median(rows[i].ratios, rounds);

        rows[i].values[0] = value;
        if (json)
            print_json(bench->name, &rows[i], value);
        else
            print_line(bench, &rows[i], value, ratio);
    }
}

bool bench_is_json(int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        if (!strcmp(argv[i], "--json"))
            return true;
    return false;
}

/* Each name once: the sizes of a case stand together. */
static void print_names(const struct bench_case *cases)
{
    for (const char *last = ""; cases->name; last = cases++->name)
        if (!cases->peer && strcmp(cases->name, last))
            fprintf(stderr, " %s", cases->name);
}

static int usage(const struct bench *bench, const char *wrong)
{
    fprintf(stderr, "%s: not understood: %s\n", bench->name, wrong);
    fprintf(stderr, "usage: %s [--json] [--rounds 1-99] [--only CASE]\ncases:", bench->name);
    for (int i = 0; bench->lists[i]; i++)
        print_names(bench->lists[i]);
    fprintf(stderr, "\n");
    return 2;
}

int bench_run(const struct bench *bench, int argc, char **argv)
{
    const char *only = NULL;
    int rounds = 7;

    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "--rounds") && i + 1 < argc)
            rounds = atoi(argv[++i]);
        else if (!strcmp(argv[i], "--only") && i + 1 < argc)
            only = argv[++i];
        else if (strcmp(argv[i], "--json"))
            return usage(bench, argv[i]);
    }
    if (rounds < 1 || rounds > MOST_ROUNDS)
        return usage(bench, "the number of rounds");
    for (int i = 0; bench->lists[i]; i++)
        add(bench->lists[i], bench, only);
    if (!count)
        return usage(bench, only);
    for (int round = -1; round < rounds; round++) /* the first one warms up */
        for (int i = 0; i < count; i++)
            measure(bench, &rows[i], round < 0 ? 0 : round);
    print(bench, bench_is_json(argc, argv), rounds);
    return 0;
}
