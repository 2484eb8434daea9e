/* core_timers.c - cases of the core's bench: the timer queue, and the heap alone
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "core.h"

#include <pt/posix.h>

enum { SPAN = 1000000000, STEPS = 100000 };

/* The timer of a task; as far from the next one as the nodes of the heap alone. */
struct timer {
    pt_timer_ timer;
    pt_time unused;
};

/* N timers in the queue of a loop, each due within SPAN of the first. */
struct timers {
    struct pt_loop loop;
    struct pt_random random;
    struct timer *each;
    pt_time now;
};

static void arm(struct timers *timers, pt_timer_ *timer)
{
    pt_time at = timers->now + pt_random_below(&timers->random, SPAN);

    pt_timers_add_(&timers->loop.timers, timer, at);
}

/* Take the first timer, as a turn does. */
static pt_timer_ *take(struct timers *timers)
{
    struct pt_timers_ *queue = &timers->loop.timers;
    pt_timer_ *first = pt_timers_first_(queue);

    timers->now = pt_timers_first_at_(queue);
    pt_timers_pop_(queue);
    pt_timers_rebase_(queue, timers->now);
    return first;
}

static struct timers *open_timers(unsigned long n, void **state)
{
    struct timers *timers = *state;

    if (timers)
        return timers;
    *state = timers = bench_memory(sizeof *timers);
    timers->each = bench_memory(n * sizeof *timers->each);
    timers->random.state = 1;
    bench_open_loop(&timers->loop, &pt_posix, n);
    pt_timers_rebase_(&timers->loop.timers, 0);
    for (unsigned long i = 0; i < n; i++)
        arm(timers, &timers->each[i].timer);
    for (unsigned long i = 0; i < 2 * n; i++)
        arm(timers, take(timers));
    return timers;
}

static double timers_hold(unsigned long n, void **state)
{
    struct timers *timers = open_timers(n, state);
    double start = bench_now();

    for (int i = 0; i < STEPS; i++)
        arm(timers, take(timers));
    return (bench_now() - start) / STEPS;
}

/* The longest of many single pops and pushes, including the reading of the clock. */
static double timers_step_max(unsigned long n, void **state)
{
    struct timers *timers = open_timers(n, state);
    double longest = 0, before = bench_now();

    for (int i = 0; i < STEPS; i++) {
        pt_timer_ *first = take(timers);
        double between = bench_now(), after;

        arm(timers, first);
        after = bench_now();
        if (between - before > longest)
            longest = between - before;
        if (after - between > longest)
            longest = after - between;
        before = after;
    }
    return longest;
}

/* --- the heap alone ------------------------------------------------------------------------ */

struct heap {
    struct pt_heap heap;
    struct pt_random random;
    struct pt_node *nodes;
    pt_time now;
};

static pt_time later(struct heap *timers)
{
    return timers->now + pt_random_below(&timers->random, SPAN);
}

/* Pop the first node and push it again. */
static void hold(struct heap *timers)
{
    struct pt_node *node = pt_heap_pop(&timers->heap);

    timers->now = node->at;
    node->at = later(timers);
    pt_heap_push(&timers->heap, node);
}

static struct heap *open_heap(unsigned long n, void **state)
{
    struct heap *timers = *state;

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

static double heap_hold(unsigned long n, void **state)
{
    struct heap *timers = open_heap(n, state);
    double start = bench_now();

    for (int i = 0; i < STEPS; i++)
        hold(timers);
    return (bench_now() - start) / STEPS;
}

/* A random timer is postponed: its new deadline is SPAN from now. */
static double heap_rekey(unsigned long n, void **state)
{
    struct heap *timers = open_heap(n, state);
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
    struct heap *timers = open_heap(n, state);
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

struct bench_case bench_timer_cases[] = {
    {"timers-hold", 100, "ns", timers_hold, BENCH_TIMES_PEER, 0.75, NULL, "timers-hold"},
    {"timers-hold", 10000, "ns", timers_hold, BENCH_TIMES_PEER, 0.55, NULL, "timers-hold"},
    {"timers-hold", 100000, "ns", timers_hold, BENCH_TIMES_PEER, 0.6, NULL, "timers-hold"},
    {"timers-hold", 1000000, "ns", timers_hold, BENCH_TIMES_PEER, 0.56, NULL, "timers-hold"},
    {"heap-hold", 100000, "ns", heap_hold, BENCH_NO_LIMIT, 0},
    {"heap-rekey", 100000, "ns", heap_rekey, BENCH_NO_LIMIT, 0},
    {"heap-remove", 100000, "ns", heap_remove, BENCH_NO_LIMIT, 0},
    {"timers-step-max", 1000000, "ns", timers_step_max, BENCH_ABSOLUTE, 500000},
    {NULL, 0, NULL, NULL, BENCH_NO_LIMIT, 0},
};
