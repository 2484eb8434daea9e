/* core_timeouts.c - cases of the core's bench: timeouts of many tasks
 * SPDX-License-Identifier: MIT
 *
 * Each task opens a timeout once a turn, and 30 times within its duration, like a connection with a
 * request a second and a limit of 30 s. The result includes the timers that expire in vain
 * meanwhile, but not the time that the same tasks take only to yield. */
#define _GNU_SOURCE
#include "core.h"

#include <pt/posix.h>

enum { LIMIT = 30000, TURN = 1000, TURNS = 90 };

struct client {
    struct pt pt;
    enum { YIELDS, REARMS, OPENS } does;
    struct pt_scope limit;
};

static PT_ASYNC(client, self)
{
    while (self->does == YIELDS)
        PT_YIELD();
    while (self->does == OPENS)
        PT_WITH_TIMEOUT(&self->limit, LIMIT) {
            PT_YIELD();
        }
    PT_WITH_TIMEOUT(&self->limit, LIMIT) {
        for (;;) {
            PT_REARM(&self->limit, LIMIT);
            PT_YIELD();
        }
    }
}
PT_END

struct clients {
    struct pt_virtual world;
    struct pt_loop loop;
    PT_TASK(client) * tasks;
};

static double turns(struct clients *clients, unsigned long n)
{
    double start = bench_now();

    for (int i = 0; i < TURNS; i++)
        pt_loop_turn(&clients->loop, clients->world.now += TURN);
    return (bench_now() - start) / (double)(TURNS * n);
}

static double compare(unsigned long n, void **state, int does)
{
    struct clients *both = *state;

    if (!both) {
        *state = both = bench_memory(2 * sizeof *both);
        for (int side = 0; side < 2; side++) {
            both[side].tasks = bench_memory(n * sizeof *both->tasks);
            pt_virtual_init(&both[side].world, 0, &pt_posix);
            pt_loop_open(&both[side].loop, &both[side].world.port);
            for (unsigned long i = 0; i < n; i++) {
                both[side].tasks[i].frame.does = side ? does : YIELDS;
                PT_START(&both[side].loop, &both[side].tasks[i], client, PT_KEEP);
            }
        }
        turns(&both[1], n);
    }
    return turns(&both[1], n) - turns(&both[0], n);
}

static double rearm(unsigned long n, void **state)
{
    return compare(n, state, REARMS);
}

static double cancel(unsigned long n, void **state)
{
    return compare(n, state, OPENS);
}

struct bench_case bench_timeout_cases[] = {
    {"timers-rearm", 100000, "ns", rearm, BENCH_ABSOLUTE, 15},
    {"timers-cancel", 100000, "ns", cancel, BENCH_ABSOLUTE, 10},
    {NULL, 0, NULL, NULL, BENCH_NO_LIMIT, 0},
};
