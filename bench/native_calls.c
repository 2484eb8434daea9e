/* native_calls.c - what whole programs of native tasks pay: a hop, a select, a lock, a queue, spawn and join
 * SPDX-License-Identifier: MIT
 *
 * Run by pt_loop_run on pt_posix, as sync_run.c and sync_calls.c do with tasks that have no stack. */
#include "native.h"

#include <pt/native.h>
#include <pt/posix.h>

#include <stdio.h>
#include <stdlib.h>

enum { TASK_STACK = 2048, STEPS = 1000000, QUEUE = 16 };

typedef PT_TASK(pt_native) native_task;

static native_task tasks[2], child;
static struct pt_stacks stacks;

/* Run two tasks, or one, to their ends; returns the time of a step. */
static double run(pt_native_function *first, pt_native_function *second)
{
    static struct pt_loop loop;
    pt_native_function *bodies[2] = {first, second};
    double start, time;

    pt_stacks_init(&stacks, TASK_STACK, PT_STACKS_PACKED);
    pt_loop_open(&loop, &pt_posix);
    for (int i = 0; i < 2 && bodies[i]; i++)
        PT_START(&loop, &tasks[i], pt_native, .function = bodies[i],
                 .stack = pt_stack_take(&stacks, NULL), .bytes = stacks.bytes);
    start = native_begin();
    if (pt_loop_run(&loop) != PT_OK) {
        fprintf(stderr, "native: a task is left\n");
        exit(1);
    }
    time = (bench_now() - start) / STEPS;
    pt_loop_close(&loop);
    pt_stacks_close(&stacks);
    return time;
}

/* --- a value passes from one task to the other --- */

static PT_CHANNEL(long) channel;

static pt_status send_all(struct pt_native *self)
{
    for (long i = 0; i < STEPS; i++)
        pt_native_send(self, &channel, &i);
    pt_channel_close(&channel.channel);
    return PT_OK;
}

static pt_status receive_all(struct pt_native *self)
{
    long value;

    while (pt_native_recv(self, &channel, &value) == PT_OK) {
    }
    return PT_OK;
}

static double hop(unsigned long n, void **state)
{
    (void)n;
    (void)state;
    pt_channel_init(&channel.channel, PT_PREFER_NEITHER);
    return run(send_all, receive_all);
}

/* --- the same, received by a select of two channels --- */

static PT_CHANNEL(long) silent;

static pt_status select_all(struct pt_native *self)
{
    PT_SELECTION(2) choice;
    long value;

    pt_select_init(&choice);
    do
        pt_native_select(self, &choice, PT_CASE_RECV(&silent, &value),
                         PT_CASE_RECV(&channel, &value));
    while (self->pt.status == PT_OK);
    return PT_OK;
}

static double select_two(unsigned long n, void **state)
{
    (void)n;
    (void)state;
    pt_channel_init(&channel.channel, PT_PREFER_NEITHER);
    pt_channel_init(&silent.channel, PT_PREFER_NEITHER);
    return run(send_all, select_all);
}

/* --- two tasks hold a lock while they yield --- */

static struct pt_lock lock;

static pt_status hold(struct pt_native *self)
{
    for (long i = 0; i < STEPS / 2; i++) {
        pt_native_lock(self, &lock);
        pt_native_yield(self);
        pt_native_unlock(self, &lock);
    }
    return PT_OK;
}

static double lock_held(unsigned long n, void **state)
{
    (void)n;
    (void)state;
    pt_lock_init(&lock);
    return run(hold, hold);
}

/* --- a queue of 16 values between two tasks --- */

static PT_QUEUE(long, QUEUE) queue;

static pt_status push_all(struct pt_native *self)
{
    for (long i = 0; i < STEPS; i++)
        pt_native_push(self, &queue, &i);
    pt_queue_close(&queue.queue);
    return PT_OK;
}

static pt_status pop_all(struct pt_native *self)
{
    long value;

    while (pt_native_pop(self, &queue, &value) == PT_OK) {
    }
    return PT_OK;
}

static double queued(unsigned long n, void **state)
{
    (void)n;
    (void)state;
    PT_QUEUE_INIT(&queue);
    return run(push_all, pop_all);
}

/* --- a task is spawned and joined --- */

static pt_status nothing(struct pt_native *self)
{
    (void)self;
    return PT_OK;
}

static pt_status spawn_and_join(struct pt_native *self)
{
    for (long i = 0; i < STEPS; i++) {
        void *stack = pt_stack_take(&stacks, NULL);

        pt_native_spawn(self, &child, pt_native, .function = nothing, .stack = stack,
                        .bytes = stacks.bytes);
        pt_native_join(self, &child.task);
        pt_stack_give(&stacks, stack);
    }
    return PT_OK;
}

static double spawn_join(unsigned long n, void **state)
{
    (void)n;
    (void)state;
    return run(spawn_and_join, NULL);
}

const struct bench_case native_call_cases[] = {
    {"hop-native-run", 1, "ns", hop, BENCH_ABSOLUTE, 12, NULL, NULL},
    {"select-native-run", 2, "ns", select_two, BENCH_ABSOLUTE, 18, NULL, NULL},
    {"lock-held-native-run", 2, "ns", lock_held, BENCH_ABSOLUTE, 19, NULL, NULL},
    {"queue-native-run", QUEUE, "ns", queued, BENCH_ABSOLUTE, 4.3, NULL, NULL},
    {"spawn-join-native-run", 1, "ns", spawn_join, BENCH_ABSOLUTE, 30, NULL, NULL},
    {0}};
