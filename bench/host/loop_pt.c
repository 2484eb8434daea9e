/* loop_pt.c - the loop of pt; with -DSPIN it spins before it sleeps, with -DEXACT it has no slack
 * SPDX-License-Identifier: MIT */
#include "loop.h"

#include <pt/host.h>

#include <stdlib.h>

static struct pt_system sys;
static struct pt_loop loop;

static void open_loop(void)
{
    if (pt_system_open(&sys, &loop, NULL) != PT_OK)
        exit(1);
}

struct yielder {
    struct pt pt;
    unsigned left;
};

static PT_ASYNC(yielder, self)
{
    while (self->left--)
        PT_YIELD();
}
PT_END

static void yield(void)
{
    static PT_TASK(yielder) tasks[YIELDERS];

    open_loop();
    for (unsigned i = 0; i < YIELDERS; i++)
        PT_START(&loop, &tasks[i], yielder, .left = YIELDS);
    pt_loop_run(&loop);
}

struct client {
    struct pt pt;
    struct pt_scope limit;
};

static PT_ASYNC(client, self)
{
    PT_WITH_TIMEOUT(&self->limit, PT_SEC(LIMIT)) {
        for (;;) {
            PT_YIELD();
            PT_REARM(&self->limit, PT_SEC(LIMIT));
        }
    }
}
PT_END

static void timeout(void)
{
    static PT_TASK(client) tasks[TIMEOUTS];

    open_loop();
    for (unsigned i = 0; i < TIMEOUTS; i++)
        PT_START(&loop, &tasks[i], client);
    pt_loop_turn(&loop, pt_posix.now(NULL));
    loop_start();
    for (unsigned i = 0; i < REARMS; i++)
        pt_loop_turn(&loop, pt_posix.now(NULL));
}

struct sleeper {
    struct pt pt;
};

static PT_ASYNC(sleeper, self)
{
    (void)self;
    do
        PT_PARK();
    while (loop_woken());
}
PT_END

static void post(void *remote)
{
    pt_remote_post(remote);
}

static void wake(void)
{
    static PT_TASK(sleeper) task;
    static struct pt_remote remote;

    open_loop();
#ifdef SPIN
    pt_system_spin(&sys, PT_MS(1));
#endif
    pt_remote_open(&remote, &loop, pt_remote_wake, &task.task);
    PT_START(&loop, &task, sleeper);
    loop_send(post, &remote);
    pt_loop_run(&loop);
}

struct rocket {
    struct pt pt;
    unsigned countdown;
    pt_time due;
};

static PT_ASYNC(rocket, self)
{
    self->due += PT_NOW();
    do
        PT_WAIT_DEADLINE(self->due);
    while (self->due += PT_SEC(1), self->countdown--);
}
PT_END

static void rockets(void)
{
    static PT_TASK(rocket) tasks[ROCKETS];

    open_loop();
#ifndef EXACT
    pt_system_slack(&sys, PT_MS(4));
#endif
    for (unsigned i = 0; i < ROCKETS; i++)
        PT_START(&loop, &tasks[i], rocket, .due = PT_US(rocket_delay(i)),
                 .countdown = rocket_countdown(i));
    pt_loop_run(&loop);
}

const struct peer peer = {yield, timeout, wake, rockets};
