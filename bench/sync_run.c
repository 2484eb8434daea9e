/* sync_run.c - yields and hops of a whole program: pt_loop_run, on pt_posix and on pt_system
 * SPDX-License-Identifier: MIT
 *
 * The other rows call pt_loop_turn themselves. These also pay for the clock, the poller and the end
 * of the run. */
#define _GNU_SOURCE
#include "sync.h"

#include <pt/host.h>

#include <stdio.h>
#include <stdlib.h>

struct program {
    struct pt_loop loop;
    struct pt_system system;
};

static void check(bool right, const char *what)
{
    if (!right) {
        fprintf(stderr, "sync: %s\n", what);
        exit(1);
    }
}

static void open_program(struct program *program, bool on_system)
{
    if (on_system)
        check(pt_system_open(&program->system, &program->loop, NULL) == PT_OK, "no poller");
    else
        pt_loop_open(&program->loop, &pt_posix);
}

static double run_program(struct program *program, bool on_system, unsigned long steps)
{
    double start = bench_now(), time;

    check(pt_loop_run(&program->loop) == PT_OK, "a task is left");
    time = (bench_now() - start) / (double)steps;
    if (on_system)
        pt_system_close(&program->system);
    else
        pt_loop_close(&program->loop);
    return time;
}

/* --- yields -------------------------------------------------------------------------------- */

struct spin {
    struct pt pt;
    unsigned long left;
};

static PT_ASYNC(spin, self)
{
    for (; self->left; self->left--)
        PT_YIELD();
}
PT_END

static double yield(unsigned long n, void **state, bool on_system, const unsigned *order)
{
    struct {
        struct program program;
        PT_TASK(spin) tasks[];
    } *all = *state;

    if (!all)
        *state = all = bench_memory(sizeof *all + n * sizeof all->tasks[0]);
    open_program(&all->program, on_system);
    for (unsigned long i = 0; i < n; i++)
        PT_START(&all->program.loop, &all->tasks[order ? order[i] : i], spin,
                 .left = SYNC_YIELDS(n));
    return run_program(&all->program, on_system, n * SYNC_YIELDS(n));
}

/* --- values over channels ------------------------------------------------------------------ */

typedef PT_CHANNEL(long) hop_channel;

struct send {
    struct pt pt;
    hop_channel *over;
    long value;
};

struct receive {
    struct pt pt;
    hop_channel *over;
    unsigned long left;
    long value;
};

static PT_ASYNC(send, self)
{
    for (self->value = 0; self->pt.status == PT_OK; self->value++)
        PT_SEND(self->over, &self->value);
}
PT_END

static PT_ASYNC(receive, self)
{
    for (; self->left; self->left--)
        PT_RECV(self->over, &self->value);
    pt_channel_close(&self->over->channel);
}
PT_END

struct pair {
    hop_channel over;
    PT_TASK(send) sender;
    PT_TASK(receive) receiver;
};

static double hop(unsigned long n, void **state, bool on_system)
{
    struct {
        struct program program;
        struct pair pairs[];
    } *all = *state;

    if (!all)
        *state = all = bench_memory(sizeof *all + n * sizeof all->pairs[0]);
    open_program(&all->program, on_system);
    for (struct pair *pair = all->pairs; pair < all->pairs + n; pair++) {
        pt_channel_init(&pair->over.channel, PT_PREFER_NEITHER);
        PT_START(&all->program.loop, &pair->sender, send, .over = &pair->over);
        PT_START(&all->program.loop, &pair->receiver, receive, .over = &pair->over,
                 .left = SYNC_STEPS / n);
    }
    return run_program(&all->program, on_system, SYNC_STEPS);
}

static double yield_on_posix(unsigned long n, void **state)
{
    return yield(n, state, false, NULL);
}

static double yield_on_system(unsigned long n, void **state)
{
    return yield(n, state, true, NULL);
}

static double yield_shuffled(unsigned long n, void **state)
{
    static unsigned *order;

    if (!order)
        order = bench_shuffled(n);
    return yield(n, state, false, order);
}

static double hop_on_posix(unsigned long n, void **state)
{
    return hop(n, state, false);
}

static double hop_on_system(unsigned long n, void **state)
{
    return hop(n, state, true);
}

const struct bench_case sync_run_cases[] = {
    {"yield-run-posix", 1, "ns", yield_on_posix, BENCH_TIMES_PEER, 1.5, NULL, "yield-run"},
    {"yield-run-system", 1, "ns", yield_on_system, BENCH_TIMES_PEER, 1.5, NULL, "yield-run"},
    {"yield-run-posix", 1000, "ns", yield_on_posix, BENCH_TIMES_PEER, 1.05, NULL, "yield-run"},
    {"yield-run-system", 1000, "ns", yield_on_system, BENCH_TIMES_PEER, 1.05, NULL, "yield-run"},
    {"yield-run-posix", 100000, "ns", yield_on_posix, BENCH_TIMES_PEER, 1.1, NULL, "yield-run"},
    {"yield-run-posix", 1000000, "ns", yield_on_posix, BENCH_TIMES_PEER, 1.4, NULL, "yield-run"},
    {"yield-run-shuffled", 1000000, "ns", yield_shuffled, BENCH_TIMES_PEER, 1.08, NULL,
     "yield-shuffled"},
    {"hop-run-posix", 1, "ns", hop_on_posix, BENCH_TIMES_PEER, 1.25, NULL, "hop-run"},
    {"hop-run-system", 1, "ns", hop_on_system, BENCH_TIMES_PEER, 1.4, NULL, "hop-run"},
    {"hop-run-posix", 500, "ns", hop_on_posix, BENCH_TIMES_PEER, 1.35, NULL, "hop-run"},
    {"hop-run-system", 500, "ns", hop_on_system, BENCH_TIMES_PEER, 1.35, NULL, "hop-run"},
    {0}};
