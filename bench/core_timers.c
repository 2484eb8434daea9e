/* core_timers.c - cases of the core's bench: the timer heap alone
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "bench.h"

#include <pt/pt.h>

enum { SPAN = 1000000000, STEPS = 100000 };

/* N timers, each due within SPAN of the first. */
struct timers {
    struct pt_heap heap;
    struct pt_random random;
    struct pt_node *nodes;
    pt_time now;
};

static pt_time later(struct timers *timers)
{
    return timers->now + pt_random_below(&timers->random, SPAN);
}

/* Pop the first timer and arm it again. */
static void hold(struct timers *timers)
{
    struct pt_node *node = pt_heap_pop(&timers->heap);

    timers->now = node->at;
    node->at = later(timers);
    pt_heap_push(&timers->heap, node);
}

static struct timers *open_timers(unsigned long n, void **state)
{
    struct timers *timers = *state;

    if (timers)
        return timers;
    *state = timers = bench_memory(sizeof *timers);
    timers->nodes = bench_memory(n * sizeof *timers->nodes);
    timers->random.state = 1;
    pt_heap_init(&timers->heap, 0);
    pt_heap_storage(&timers->heap, bench_memory(n * sizeof(struct pt_heap_entry)), (unsigned)n);
    for (unsigned long i = 0; i < n; i++) {
        timers->nodes[i].at = later(timers);
        pt_heap_push(&timers->heap, &timers->nodes[i]);
    }
    for (unsigned long i = 0; i < 2 * n; i++)
        hold(timers);
    return timers;
}

static double timers_hold(unsigned long n, void **state)
{
    struct timers *timers = open_timers(n, state);
    double start = bench_now();

    for (int i = 0; i < STEPS; i++)
        hold(timers);
    return (bench_now() - start) / STEPS;
}

/* A random timer is postponed: its new deadline is SPAN from now. */
static double heap_rekey(unsigned long n, void **state)
{
    struct timers *timers = open_timers(n, state);
    double start = bench_now();

    for (int i = 0; i < STEPS; i++) {
        struct pt_node *node = &timers->nodes[pt_random_below(&timers->random, n)];

        timers->now += SPAN / n;
        node->at = timers->now + SPAN;
        pt_heap_rekey(&timers->heap, node);
    }
    return (bench_now() - start) / STEPS;
}

/* Remove timers in random order, a tenth at a time. Each tenth is armed again before the next one,
 * which is not measured. */
static double heap_remove(unsigned long n, void **state)
{
    struct timers *timers = open_timers(n, state);
    static unsigned *order;
    unsigned long done = 0, some = n / 10;
    double spent = 0;

    if (!order)
        order = bench_shuffled(n);
    for (; done < 10 * some; done += some) {
        double start = bench_now();

        for (unsigned long i = 0; i < some; i++)
            pt_heap_remove(&timers->heap, &timers->nodes[order[done + i]]);
        spent += bench_now() - start;
        for (unsigned long i = 0; i < some; i++) {
            struct pt_node *node = &timers->nodes[order[done + i]];

            node->at = later(timers);
            pt_heap_push(&timers->heap, node);
        }
    }
    return spent / (double)done;
}

/* The longest of many single pops and pushes, including the reading of the clock. */
static double timers_step_max(unsigned long n, void **state)
{
    struct timers *timers = open_timers(n, state);
    double longest = 0, before = bench_now();

    for (int i = 0; i < STEPS; i++) {
        struct pt_node *node = pt_heap_pop(&timers->heap);
        double between = bench_now(), after;

        timers->now = node->at;
        node->at = later(timers);
        pt_heap_push(&timers->heap, node);
        after = bench_now();
        if (between - before > longest)
            longest = between - before;
        if (after - between > longest)
            longest = after - between;
        before = after;
    }
    return longest;
}

struct bench_case bench_timer_cases[] = {
    {"timers-hold", 10000, "ns", timers_hold, BENCH_ABSOLUTE, 40},
    {"timers-hold", 100000, "ns", timers_hold, BENCH_ABSOLUTE, 60},
    {"timers-hold", 1000000, "ns", timers_hold, BENCH_ABSOLUTE, 440},
    {"heap-rekey", 100000, "ns", heap_rekey, BENCH_NO_LIMIT, 0},
    {"heap-remove", 100000, "ns", heap_remove, BENCH_NO_LIMIT, 0},
    {"timers-step-max", 1000000, "ns", timers_step_max, BENCH_ABSOLUTE, 500000},
    {NULL, 0, NULL, NULL, BENCH_NO_LIMIT, 0},
};
