/* sync_remote.c - cases of synchronization: posts
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "sync.h"

#include <pt/posix.h>

static void count(struct pt_remote *self, unsigned times)
{
    (void)self;
    sync_steps += times;
}

/* A post while another one is on the way; the callback runs once in a thousand posts. */
static double post(pt_status (*send)(struct pt_remote *))
{
    struct pt_remote remote;
    struct pt_loop loop;
    double start;

    pt_loop_open(&loop, &pt_posix);
    pt_remote_open(&remote, &loop, count, NULL);
    start = bench_now();
    for (int i = 0; i < SYNC_STEPS / 1000; i++) {
        for (int j = 0; j < 1000; j++)
            send(&remote);
        pt_loop_turn(&loop, 0);
    }
    start = (bench_now() - start) / SYNC_STEPS;
    pt_remote_close(&remote);
    pt_loop_close(&loop);
    return start;
}

static double remote_wake(unsigned long n, void **state)
{
    (void)n;
    (void)state;
    return post(pt_remote_nudge_);
}

static double remote_post(unsigned long n, void **state)
{
    (void)n;
    (void)state;
    return post(pt_remote_post);
}

/* A post, the turn that runs its callback, and the task that it wakes. */
struct woken {
    struct pt pt;
};

PT_ASYNC(woken, self)
{
    for (;; sync_steps++)
        PT_PARK();
}
PT_END

static double remote_turn(unsigned long n, void **state)
{
    struct {
        struct pt_loop loop;
        struct pt_remote remote;
        PT_TASK(woken) task;
    } *all = *state;
    double start;

    (void)n;
    if (!all) {
        *state = all = bench_memory(sizeof *all);
        pt_loop_open(&all->loop, &pt_posix);
        PT_START(&all->loop, &all->task, woken);
        pt_remote_open(&all->remote, &all->loop, pt_remote_wake, &all->task.task);
    }
    start = bench_now();
    for (int i = 0; i < SYNC_STEPS; i++) {
        pt_remote_post(&all->remote);
        pt_loop_turn(&all->loop, 0);
    }
    return (bench_now() - start) / SYNC_STEPS;
}

const struct bench_case sync_remote_cases[] = {
    {"remote-wake", 0, "ns", remote_wake, BENCH_ABSOLUTE, 2, NULL, NULL},
    {"remote-post", 0, "ns", remote_post, BENCH_NO_LIMIT, 0, NULL, NULL},
    {"remote-post-turn", 0, "ns", remote_turn, BENCH_NO_LIMIT, 0, NULL, NULL},
    {0}};
