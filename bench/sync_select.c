/* sync_select.c - cases of synchronization: select over 2 or 8 channels, or queues
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "sync.h"

#include <pt/posix.h>

struct rig {
    PT_CHANNEL(long) channels[8];
    PT_QUEUE(long, 1) queues[8];
    struct pt_loop loop;
    unsigned long n;
};

struct feed {
    struct pt pt;
    struct rig *rig;
    long i, value;
};

struct choose {
    struct pt pt;
    struct rig *rig;
    PT_SELECTION(8) choice;
    long value;
};

/* Sends to one channel after another. */
PT_ASYNC(feed, self)
{
    for (self->i = 0;; self->i = self->i + 1 < (long)self->rig->n ? self->i + 1 : 0)
        PT_SEND(&self->rig->channels[self->i], &self->value);
}
PT_END

#define RECV(i) PT_CASE_RECV(&self->rig->channels[i], &self->value)
#define POP(i) PT_CASE_POP(&self->rig->queues[i], &self->value)

/* Each select must wait, since the channels prefer the receiver. */
PT_ASYNC(choose, self)
{
    for (;; sync_steps++) {
        if (self->rig->n == 2)
            PT_SELECT(&self->choice, RECV(0), RECV(1));
        else
            PT_SELECT(&self->choice, RECV(0), RECV(1), RECV(2), RECV(3), RECV(4), RECV(5), RECV(6),
                      RECV(7));
    }
}
PT_END

/* Push to an empty queue. */
static void put(struct rig *rig, int i, long value)
{
    if (PT_TRY_PUSH(&rig->queues[i], &value) != PT_OK)
        abort();
}

struct pick {
    struct pt pt;
    struct rig *rig;
    PT_SELECTION(8) choice;
    long value;
};

/* In each select all cases are ready: it puts back the value that it took. */
PT_ASYNC(pick, self)
{
    for (;; sync_steps++) {
        if (self->rig->n == 2)
            PT_SELECT(&self->choice, POP(0), POP(1));
        else
            PT_SELECT(&self->choice, POP(0), POP(1), POP(2), POP(3), POP(4), POP(5), POP(6),
                      POP(7));
        put(self->rig, PT_SELECTED(&self->choice), self->value);
        if (sync_steps % 1000 == 0)
            PT_YIELD();
    }
}
PT_END

static struct rig *rig_open(unsigned long n)
{
    struct rig *rig = bench_memory(sizeof *rig);

    rig->n = n;
    pt_loop_open(&rig->loop, &pt_posix);
    for (int i = 0; i < 8; i++) {
        pt_channel_init(&rig->channels[i].channel, PT_PREFER_RECEIVER);
        PT_QUEUE_INIT(&rig->queues[i]);
        put(rig, i, 1);
    }
    return rig;
}

static double select_waiting(unsigned long n, void **state)
{
    struct rig *rig = *state;

    if (!rig) {
        PT_TASK(choose) *chooser = bench_memory(sizeof *chooser);
        PT_TASK(feed) *feeder = bench_memory(sizeof *feeder);

        *state = rig = rig_open(n);
        PT_START(&rig->loop, chooser, choose, .rig = rig);
        PT_START(&rig->loop, feeder, feed, .rig = rig);
    }
    return sync_turn(&rig->loop);
}

static double select_ready(unsigned long n, void **state)
{
    struct rig *rig = *state;

    if (!rig) {
        PT_TASK(pick) *picker = bench_memory(sizeof *picker);

        *state = rig = rig_open(n);
        PT_START(&rig->loop, picker, pick, .rig = rig);
    }
    return sync_turn(&rig->loop);
}

const struct bench_case sync_select_cases[] = {
    {"select", 2, "ns", select_waiting, BENCH_ABSOLUTE, 18, NULL, NULL},
    {"select", 8, "ns", select_waiting, BENCH_ABSOLUTE, 30, NULL, NULL},
    {"select-ready", 2, "ns", select_ready, BENCH_ABSOLUTE, 25, NULL, NULL},
    {"select-ready", 8, "ns", select_ready, BENCH_ABSOLUTE, 60, NULL, NULL},
    {0}};
