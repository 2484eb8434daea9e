/* core_trace.c - cases of the core's bench: what an event of a trace costs, and a step that is measured
 * SPDX-License-Identifier: MIT
 *
 * trace-event is without the reading of the counter, which trace-counter is: here the trace's counter is
 * a number that is incremented. The difference between turns of tasks that yield with and without the
 * trace is divided by the events: a RESUME and a SUSPEND for each yield. */
#define _GNU_SOURCE
#include <stdint.h>

static uint64_t recorded;
#define PT_TRACE_CLOCK() (recorded++)
#include "core.h"

#include <pt/inspect.h>
#include <pt/posix.h>

enum { TASKS = 1000, TURNS = 200, EVENTS = 4096, READINGS = 1000000 };

struct yields {
    struct pt pt;
};

static PT_ASYNC(yields, self)
{
    for (;;)
        PT_YIELD();
}
PT_END

struct watched {
    struct pt_loop loop;
    PT_TASK(yields) tasks[TASKS];
    struct pt_trace trace;
    struct pt_trace_event ring[EVENTS];
    struct pt_metrics metrics;
};

static struct watched *open_watched(void **state)
{
    struct watched *watched = *state;

    if (watched)
        return watched;
    *state = watched = bench_memory(sizeof *watched);
    pt_loop_open(&watched->loop, &pt_posix);
    for (int i = 0; i < TASKS; i++)
        PT_START(&watched->loop, &watched->tasks[i], yields);
    return watched;
}

/* Nanoseconds of a yield. */
static double turns(struct pt_loop *loop)
{
    double start;

    pt_loop_turn(loop, loop->now + 1);
    start = bench_now();
    for (int i = 0; i < TURNS; i++)
        pt_loop_turn(loop, loop->now + 1);
    return (bench_now() - start) / TURNS / TASKS;
}

static double trace_event(unsigned long n, void **state)
{
    struct watched *watched = open_watched(state);
    double plain = turns(&watched->loop), traced;

    (void)n;
    pt_trace_start(&watched->trace, &watched->loop, watched->ring, EVENTS);
    traced = turns(&watched->loop);
    pt_trace_stop(&watched->trace);
    return (traced - plain) / 2;
}

static double trace_counter(unsigned long n, void **state)
{
    static volatile uint64_t last;
    double start = bench_now();

    (void)n;
    (void)state;
    for (int i = 0; i < READINGS; i++)
        last = pt_trace_counter_(NULL);
    return (bench_now() - start) / READINGS;
}

static double metrics_step(unsigned long n, void **state)
{
    struct watched *watched = open_watched(state);
    double plain = turns(&watched->loop), measured;

    (void)n;
    pt_metrics_start(&watched->metrics, &watched->loop, NULL);
    measured = turns(&watched->loop);
    pt_metrics_stop(&watched->metrics);
    return measured - plain;
}

struct bench_case bench_trace_cases[] = {
    {"trace-event", 0, "ns", trace_event, BENCH_ABSOLUTE, 12},
    {"trace-counter", 0, "ns", trace_counter, BENCH_NO_LIMIT, 0},
    {"metrics-step", 0, "ns", metrics_step, BENCH_NO_LIMIT, 0},
    {NULL, 0, NULL, NULL, BENCH_NO_LIMIT, 0},
};
