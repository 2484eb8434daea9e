/* sync_calls.c - what whole programs pay for tasks and calls: spawn and join, an await, a lock, a fan-in
 * SPDX-License-Identifier: MIT
 *
 * Run by pt_loop_run on pt_posix, as sync_run.c; the peers are in sync_cxx.cc. */
#define _GNU_SOURCE
#include "sync.h"

#include <pt/posix.h>

#include <stdio.h>
#include <stdlib.h>

static double run(struct pt_loop *loop)
{
    double start = bench_now(), time;

    if (pt_loop_run(loop) != PT_OK) {
        fprintf(stderr, "sync: a task is left\n");
        exit(1);
    }
    time = (bench_now() - start) / SYNC_STEPS;
    pt_loop_close(loop);
    return time;
}

/* --- N tasks are spawned and joined -------------------------------------------------------- */

enum { CHILDREN = 100 };

struct child {
    struct pt pt;
};

static PT_ASYNC(child, self)
{
}
PT_END

struct parent {
    struct pt pt;
    unsigned long n, i, left;
    PT_TASK(child) children[CHILDREN];
};

static PT_ASYNC(parent, self)
{
    for (; self->left; self->left -= self->n) {
        for (self->i = 0; self->i < self->n; self->i++)
            PT_SPAWN(&self->children[self->i], child);
        for (self->i = 0; self->i < self->n; self->i++)
            PT_JOIN(&self->children[self->i].task);
    }
}
PT_END

static double spawn_join(unsigned long n, void **state)
{
    static struct pt_loop loop;
    static PT_TASK(parent) task;

    (void)state;
    pt_loop_open(&loop, &pt_posix);
    PT_START(&loop, &task, parent, .n = n, .left = SYNC_STEPS);
    return run(&loop);
}

/* --- a function that ends at once is awaited ------------------------------------------------- */

struct caller {
    struct pt pt;
    unsigned long left;
    struct child callee;
};

static PT_ASYNC(caller, self)
{
    for (; self->left; self->left--)
        PT_WAIT_COMPLETE(&self->callee, child);
}
PT_END

static double await(unsigned long n, void **state)
{
    static struct pt_loop loop;
    static PT_TASK(caller) task;

    (void)n;
    (void)state;
    pt_loop_open(&loop, &pt_posix);
    PT_START(&loop, &task, caller, .left = SYNC_STEPS);
    return run(&loop);
}

/* --- N tasks hold a lock while they yield ----------------------------------------------------- */

static struct pt_lock lock;

struct holder {
    struct pt pt;
    unsigned long left;
};

static PT_ASYNC(holder, self)
{
    for (; self->left; self->left--) {
        PT_LOCK(&lock);
        PT_YIELD();
        PT_UNLOCK(&lock);
    }
}
PT_END

static double lock_held(unsigned long n, void **state)
{
    static struct pt_loop loop;
    static PT_TASK(holder) tasks[2];

    (void)state;
    pt_lock_init(&lock);
    pt_loop_open(&loop, &pt_posix);
    for (unsigned long i = 0; i < n; i++)
        PT_START(&loop, &tasks[i], holder, .left = SYNC_STEPS / n);
    return run(&loop);
}

/* --- N tasks send to one ---------------------------------------------------------------------- */

typedef PT_CHANNEL(long) fan_channel;
static fan_channel fan;

struct sender {
    struct pt pt;
    long value;
};

static PT_ASYNC(sender, self)
{
    for (self->value = 0; self->pt.status == PT_OK; self->value++)
        PT_SEND(&fan, &self->value);
}
PT_END

struct receiver {
    struct pt pt;
    unsigned long left;
    long value;
};

static PT_ASYNC(receiver, self)
{
    for (; self->left; self->left--)
        PT_RECV(&fan, &self->value);
    pt_channel_close(&fan.channel);
}
PT_END

static double fan_in(unsigned long n, void **state)
{
    static struct pt_loop loop;
    static PT_TASK(sender) senders[CHILDREN];
    static PT_TASK(receiver) to;

    (void)state;
    pt_channel_init(&fan.channel, PT_PREFER_NEITHER);
    pt_loop_open(&loop, &pt_posix);
    for (unsigned long i = 0; i < n; i++)
        PT_START(&loop, &senders[i], sender);
    PT_START(&loop, &to, receiver, .left = SYNC_STEPS);
    return run(&loop);
}

const struct bench_case sync_call_cases[] = {
    {"spawn-join-run", 1, "ns", spawn_join, BENCH_TIMES_PEER, 1.9, NULL, "spawn-join"},
    {"spawn-join-run", CHILDREN, "ns", spawn_join, BENCH_TIMES_PEER, 1.7, NULL, "spawn-join"},
    {"await-run", 1, "ns", await, BENCH_TIMES_PEER, 1.5, NULL, "await"},
    {"lock-held-run", 2, "ns", lock_held, BENCH_TIMES_PEER, 1.9, NULL, "lock-held"},
    {"fan-in-run", CHILDREN, "ns", fan_in, BENCH_TIMES_PEER, 1.2, NULL, "fan-in"},
    {0}};
