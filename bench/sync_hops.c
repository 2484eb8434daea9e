/* sync_hops.c - cases of synchronization: a value, a lock or a unit passes from task to task
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "sync.h"

#include <pt/posix.h>

/* --- values from task to task: N pairs, each with a channel -------------------------------- */

struct pair;

struct send {
    struct pt pt;
    struct pair *pair;
    long value;
};

struct receive {
    struct pt pt;
    struct pair *pair;
    long value;
};

struct pair {
    PT_CHANNEL(long) channel;
    PT_TASK(send) sender;
    PT_TASK(receive) receiver;
};

PT_ASYNC(send, self)
{
    for (;; self->value++)
        PT_SEND(&self->pair->channel, &self->value);
}
PT_END

PT_ASYNC(receive, self)
{
    for (;; sync_steps++)
        PT_RECV(&self->pair->channel, &self->value);
}
PT_END

static double channel_hop(unsigned long n, void **state)
{
    struct {
        struct pt_loop loop;
        struct pair pairs[];
    } *all = *state;

    if (!all) {
        *state = all = bench_memory(sizeof *all + n * sizeof all->pairs[0]);
        pt_loop_open(&all->loop, &pt_posix);
        for (struct pair *pair = all->pairs; pair < all->pairs + n; pair++) {
            pt_channel_init(&pair->channel.channel, PT_PREFER_NEITHER);
            PT_START(&all->loop, &pair->sender, send, .pair = pair, .value = 0);
            PT_START(&all->loop, &pair->receiver, receive, .pair = pair);
        }
    }
    return sync_turn(&all->loop);
}

/* --- a lock that alternates between two tasks, N times ------------------------------------- */

struct hold {
    struct pt pt;
    struct pt_lock *lock;
};

struct contest {
    struct pt_lock lock;
    PT_TASK(hold) one, other;
};

PT_ASYNC(hold, self)
{
    PT_LOCK(self->lock);
    PT_YIELD(); /* now the other task waits for it, and does so each time from here on */
    for (;; sync_steps++) {
        PT_UNLOCK(self->lock);
        PT_LOCK(self->lock);
    }
}
PT_END

static double lock_handoff(unsigned long n, void **state)
{
    struct {
        struct pt_loop loop;
        struct contest contests[];
    } *all = *state;

    if (!all) {
        *state = all = bench_memory(sizeof *all + n * sizeof all->contests[0]);
        pt_loop_open(&all->loop, &pt_posix);
        for (struct contest *contest = all->contests; contest < all->contests + n; contest++) {
            pt_lock_init(&contest->lock);
            PT_START(&all->loop, &contest->one, hold, .lock = &contest->lock);
            PT_START(&all->loop, &contest->other, hold, .lock = &contest->lock);
        }
    }
    return sync_turn(&all->loop);
}

/* --- two tasks that wait for each other's semaphore, N times ------------------------------- */

struct swing {
    struct pt pt;
    struct pt_semaphore mine, *other;
};

PT_ASYNC(swing, self)
{
    for (;; sync_steps++) {
        PT_ACQUIRE(&self->mine);
        pt_semaphore_release(self->other);
    }
}
PT_END

static double semaphore_handoff(unsigned long n, void **state)
{
    struct {
        struct pt_loop loop;
        PT_TASK(swing) tasks[];
    } *all = *state;

    if (!all) {
        *state = all = bench_memory(sizeof *all + 2 * n * sizeof all->tasks[0]);
        pt_loop_open(&all->loop, &pt_posix);
        for (unsigned long i = 0; i < 2 * n; i++) {
            PT_START(&all->loop, &all->tasks[i], swing, .other = &all->tasks[i ^ 1].frame.mine);
            pt_semaphore_init(&all->tasks[i].frame.mine, i & 1, 1);
        }
    }
    return sync_turn(&all->loop);
}

const struct bench_case sync_hop_cases[] = {
    {"channel-hop", 1, "ns", channel_hop, BENCH_TIMES_PEER, 1.5, NULL, "hop-turn"},
    {"channel-hop", 500, "ns", channel_hop, BENCH_TIMES_PEER, 1.5, NULL, "hop-turn"},
    {"lock-handoff", 1, "ns", lock_handoff, BENCH_ABSOLUTE, 8, NULL, NULL},
    {"lock-handoff", 500, "ns", lock_handoff, BENCH_ABSOLUTE, 8, NULL, NULL},
    {"semaphore-handoff", 1, "ns", semaphore_handoff, BENCH_ABSOLUTE, 8, NULL, NULL},
    {"semaphore-handoff", 500, "ns", semaphore_handoff, BENCH_ABSOLUTE, 8, NULL, NULL},
    {0}};
