/* argument_changes.c - an argument that is another one at each evaluation
 * SPDX-License-Identifier: MIT
 * Channels, queues, events, locks and values are evaluated once: that works.
 * expect output: ^once$
 * expect output -DPT_DEBUG=1: ^once$
 * expect trap -DPT_DEBUG=1 TIMEOUT: an argument has a side effect, and is
 * expect trap -DPT_DEBUG=1 GROUP: PT_WITH_GROUP: an argument
 * expect trap -DPT_DEBUG=1 LOCAL: PT_WITH_LOCAL: an argument has
 * expect trap -DPT_DEBUG=1 HELD: PT_WITH_LOCK: an argument has
 * expect trap -DPT_DEBUG=1 SELECT: PT_SELECT: an argument has a
 * expect trap -DPT_DEBUG=1 SPAWN: PT_SPAWN_FROM: an argument has a side effect
 * expect trap -DPT_DEBUG=1 LATEST: PT_WAIT_LATEST: an argument has a
 * expect trap -DPT_DEBUG=1 EACH: _EACH: an argument has a side effect
 * expect trap -DPT_DEBUG=1 QUEUE: PT_QUEUE_INIT: an argument has a side effect
 * expect trap -DPT_DEBUG=1 TICK: PT_WAIT_TICK: an argument has a side effect */
#include <pt/pt.h>
#include <stdio.h>
#include "chosen.h"

struct body {
    struct pt pt;
    struct pt_scope limits[3];
    struct pt_group groups[3];
    struct pt_local locals[3];
    struct pt_held holds[3];
    PT_SELECTION(2) choices[3];
    unsigned seen;
    int value, values[3];
};

static struct pt_loop loop;
static PT_LOOP_STORAGE(4) room;
static PT_TASK(body) task;
static PT_POOL(body, 1) pools[3];
static PT_CHANNEL(int) channels[3];
static PT_QUEUE(int, 3) queues[3];
static PT_LATEST(int) latest[3];
static struct pt_event events[3];
static struct pt_lock locks[3];
static struct pt_ticker tickers[3];
static int n, v;

PT_ASYNC(body, self)
{
    if (CHOSEN(TIMEOUT)) {
        PT_WITH_TIMEOUT(&self->limits[n++], 1) {
        }
    } else if (CHOSEN(GROUP)) {
        PT_WITH_GROUP(&self->groups[n++], PT_GROUP_ALL) {
        }
    } else if (CHOSEN(HELD)) {
        PT_WITH_LOCK(&self->holds[n++], &locks[0]) {
        }
    } else if (CHOSEN(LOCAL)) {
        PT_WITH_LOCAL(&self->locals[n++], self, self) {
        }
    } else if (CHOSEN(SELECT)) {
        PT_SELECT(&self->choices[n++], PT_CASE_AFTER(1));
    } else if (CHOSEN(SPAWN)) {
        PT_SPAWN_FROM(&pools[n++], body);
    } else if (CHOSEN(LATEST)) {
        PT_WAIT_LATEST(&latest[n++], &self->seen);
    } else if (CHOSEN(EACH)) {
        PT_RECV_EACH(&channels[n++], &self->value) {
        }
    } else if (CHOSEN(QUEUE)) {
        PT_QUEUE_INIT(&queues[n++]);
    } else if (CHOSEN(TICK)) {
        PT_WAIT_TICK(&tickers[n++]);
    }
    PT_PUSH(&queues[n++], &self->values[v++]);
    n = 0;
    PT_POP(&queues[n++], &self->values[v++]);
    PT_WAIT_EVENT(&events[n++]);
    PT_LOCK(&locks[n++]);
    PT_RECV(&channels[--n], &self->values[v++]);
    PT_SELECT(&self->choices[0], PT_CASE_RECV(&channels[n++], &self->values[--v]));
    if (n == 3 && v == 2)
        printf("once\n");
}
PT_END

int main(int argc, char **argv)
{
    choose(argc, argv);
    for (n = 0; n < 3; n++) {
        pt_channel_init(&channels[n].channel, PT_PREFER_NEITHER);
        PT_QUEUE_INIT(&queues[n]);
        pt_event_init(&events[n]);
        pt_event_set(&events[n]);
        pt_lock_init(&locks[n]);
    }
    n = 0;
    pt_channel_close(&channels[2].channel);
    pt_loop_init(&loop, 0);
    pt_loop_use(&loop, &room);
    (void)PT_START(&loop, &task, body);
    while (pt_loop_live(&loop))
        pt_loop_turn(&loop, 0);
    return 0;
}
