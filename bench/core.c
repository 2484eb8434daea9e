/* core.c - the bench of the portable core
 * SPDX-License-Identifier: MIT
 *
 *     core [--json] [--rounds N] [--only CASE]
 *
 * Build and run it with bench/run. BENCH_PYTHON in the environment is the path of rockets.py. */
#define _GNU_SOURCE
#include "bench.h"

#include <stdio.h>
#include <stdlib.h>

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
#else
#define cal NULL
#endif

/* The nanoseconds for each wake that rockets.py prints; 0 if it cannot run. */
static double rocket_python(unsigned long n, void **state)
{
    char command[4096];
    double value = 0;
    FILE *pipe;

    (void)state;
    snprintf(command, sizeof command, "exec python3 '%s' %lu", getenv("BENCH_PYTHON"), n);
    pipe = popen(command, "r");
    if (!pipe)
        return 0;
    if (fscanf(pipe, "%lf", &value) != 1)
        value = 0;
    return pclose(pipe) ? 0 : value;
}

/* Compare the rocket program with the same design in Python. */
static void print_rocket_ratio(void)
{
    double c = bench_value("rocket-virtual", 10000), py = bench_value("rocket-python", 10000);

    if (c > 0 && py > 0)
        printf("rocket-python / rocket-virtual = %.1f  >= 20: %s\n", py / c,
               py / c >= 20 ? "ok" : "under");
}

int main(int argc, char **argv)
{
    static const struct bench_case yardsticks[] = {
#ifdef BENCH_CAL
        {"cal", 0, "ns", cal, BENCH_NO_LIMIT, 0, NULL, NULL},
#endif
        {0}};
    static const struct bench_case pythons[] = {
        {"rocket-python", 10000, "ns", rocket_python, BENCH_NO_LIMIT, 0, NULL, NULL}, {0}};
    const struct bench_case *lists[] = {yardsticks,          bench_task_cases, bench_timer_cases,
                                        bench_timeout_cases, pythons,          NULL};
    const struct bench core = {"core", lists, cal};
    int status;

    if (!getenv("BENCH_PYTHON"))
        lists[4] = NULL;
    status = bench_run(&core, argc, argv);
    if (!status && !bench_is_json(argc, argv))
        print_rocket_ratio();
    return status;
}
