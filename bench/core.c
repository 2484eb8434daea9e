/* core.c - the bench of the portable core
 * SPDX-License-Identifier: MIT
 *
 *     core [--json] [--rounds N] [--only CASE]
 *
 * Build and run it with bench/run. BENCH_PYTHON and BENCH_GO in the environment are the commands of the
 * peers that are programs of their own, rockets.py and sync.go. */
#include "core.h"

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

void core_check(bool right, const char *what)
{
    if (!right) {
        fprintf(stderr, "core: wrong result: %s\n", what);
        exit(1);
    }
}

static double rocket_python(unsigned long n, void **state)
{
    (void)state;
    return bench_program("BENCH_PYTHON", "", n);
}

static double go_cancel(unsigned long n, void **state)
{
    (void)state;
    return bench_program("BENCH_GO", "cancel-sleeping", n);
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
    static const struct bench_case cxx[] = {
#ifdef BENCH_CXX
        BENCH_PEER("c++20", "timers-hold", 100, core_cxx_timers),
        BENCH_PEER("c++20", "timers-hold", 10000, core_cxx_timers),
        BENCH_PEER("c++20", "timers-hold", 100000, core_cxx_timers),
        BENCH_PEER("c++20", "timers-hold", 1000000, core_cxx_timers),
        BENCH_PEER("c++20", "rocket-virtual", 10000, core_cxx_rockets),
        BENCH_PEER("c++20", "rocket-virtual", 1000000, core_cxx_rockets),
        BENCH_PEER("c++20", "rocket-grid", 1000000, core_cxx_rockets_grid),
#endif
        {0}};
    static const struct bench_case go[] = {BENCH_PEER("go", "cancel-sleeping", 100000, go_cancel),
                                           {0}};
    const struct bench_case *lists[10] = {
        yardsticks,          cxx, /* before the rows that are compared to them */
        bench_task_cases,    bench_timer_cases,
        bench_timeout_cases, bench_generator_cases,
        bench_trace_cases};
    unsigned count = 7;
    const struct bench core = {"core", lists, cal};
    int status;

    if (getenv("BENCH_GO"))
        lists[count++] = go;
    if (getenv("BENCH_PYTHON"))
        lists[count] = pythons;
    status = bench_run(&core, argc, argv);
    if (!status && !bench_is_json(argc, argv))
        print_rocket_ratio();
    return status;
}
