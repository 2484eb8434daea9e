/* native_tasks.c - the bench of native stacks: native tasks of a loop
 * SPDX-License-Identifier: MIT */
#include "native.h"

#include <pt/native.h>
#include <pt/posix.h>

enum { TASK_STACK = 1000, HOPS = 1000000 };

typedef PT_TASK(pt_native) native_task;

struct tasks {
    struct pt_loop loop;
    struct pt_stacks stacks;
    native_task *tasks;
};

/* A loop with N native tasks, each with a packed stack, started in ORDER. Tasks with even and odd
 * numbers have different bodies. */
static struct tasks *tasks_open(unsigned long n, pt_native_function *even, pt_native_function *odd,
                                const unsigned *order)
{
    struct tasks *all = bench_memory(sizeof *all);

    all->tasks = bench_memory(n * sizeof *all->tasks);
    pt_stacks_init(&all->stacks, TASK_STACK, PT_STACKS_PACKED);
    pt_loop_open(&all->loop, &pt_posix);
    for (unsigned long i = 0; i < n; i++)
        all->tasks[i].frame.stack = pt_stack_take(&all->stacks, NULL);
    for (unsigned long i = 0; i < n; i++) {
        unsigned long number = order ? order[i] : i;

        PT_START(&all->loop, &all->tasks[number], pt_native, PT_KEEP,
                 .function = number % 2 ? odd : even, .bytes = all->stacks.bytes);
    }
    return all;
}

/* --- a step of each in turn --- */

static pt_status yield(struct pt_native *self)
{
    while (pt_native_yield(self) == PT_OK) {
    }
    return PT_OK;
}

static double rr_tasks_run(unsigned long n, struct tasks *all)
{
    unsigned long rounds = NATIVE_STEPS / n + 1;
    double start;

    pt_loop_turn(&all->loop, 0); /* the first turn makes the stacks */
    start = native_begin();
    for (unsigned long i = 0; i < rounds; i++)
        pt_loop_turn(&all->loop, 0);
    return (bench_now() - start) / (double)(rounds * n);
}

static double rr_tasks(unsigned long n, void **state)
{
    if (!*state)
        *state = tasks_open(n, yield, yield, NULL);
    return rr_tasks_run(n, *state);
}

static double rr_tasks_shuffled(unsigned long n, void **state)
{
    if (!*state)
        *state = tasks_open(n, yield, yield, bench_shuffled(n));
    return rr_tasks_run(n, *state);
}

/* --- a value passes from one task to another: N pairs, each with a channel --- */

typedef PT_CHANNEL(long) hop_channel;
static long hopped;

static pt_status send_hops(struct pt_native *self)
{
    hop_channel *channel = self->argument;

    for (long i = 0; pt_native_send(self, channel, &i) == PT_OK; i++) {
    }
    return PT_OK;
}

static pt_status receive_hops(struct pt_native *self)
{
    hop_channel *channel = self->argument;
    long value;

    for (; pt_native_recv(self, channel, &value) == PT_OK; hopped++) {
    }
    return PT_OK;
}

static double channel_hop(unsigned long n, void **state)
{
    struct tasks *all = *state;
    double start;
    long before;

    if (!all) {
        hop_channel *channels = bench_memory(n * sizeof *channels);

        all = *state = tasks_open(2 * n, send_hops, receive_hops, NULL);
        for (unsigned long i = 0; i < n; i++) {
            pt_channel_init(&channels[i].channel, PT_PREFER_NEITHER);
            all->tasks[2 * i].frame.argument = &channels[i];
            all->tasks[2 * i + 1].frame.argument = &channels[i];
        }
        pt_loop_turn(&all->loop, 0);
    }
    before = hopped;
    start = native_begin();
    while (hopped - before < HOPS)
        pt_loop_turn(&all->loop, 0);
    return (bench_now() - start) / (double)(hopped - before);
}

const struct bench_case native_task_cases[] = {
    {"rr-task", 1000, "ns", rr_tasks, BENCH_NO_LIMIT, 0, NULL, NULL},
    {"rr-task", 100000, "ns", rr_tasks, BENCH_NO_LIMIT, 0, NULL, NULL},
    {"rr-task-shuffled", 100000, "ns", rr_tasks_shuffled, BENCH_NO_LIMIT, 0, NULL, NULL},
    {"channel-hop-native", 1, "ns", channel_hop, BENCH_ABSOLUTE, 5, NULL, NULL},
    {"channel-hop-native", 500, "ns", channel_hop, BENCH_ABSOLUTE, 5, NULL, NULL},
    {0}};
