/* channel_not_made.c - a value is sent through a channel that was never initialized
 * SPDX-License-Identifier: MIT
 * expect trap -DPT_DEBUG=1: a channel, a queue, a lock: it was not initialized: call pt_channel_init
 * expect trap -DPT_DEBUG=1 PUSH: not initialized: .*PT_QUEUE_INIT
 * expect trap -DPT_DEBUG=1 LOCK: not initialized: .*pt_lock_init */
#include <pt/posix.h>
#include "chosen.h"

static PT_CHANNEL(int) channel;
static PT_QUEUE(int, 2) queue;
static struct pt_lock lock;

struct body {
    struct pt pt;
    int n;
};

PT_ASYNC(body, self)
{
    if (CHOSEN(PUSH)) {
        PT_PUSH(&queue, &self->n);
    } else if (CHOSEN(LOCK)) {
        PT_LOCK(&lock);
        PT_LOCK(&lock);
    } else {
        PT_SEND(&channel, &self->n);
    }
}
PT_END

int main(int argc, char **argv)
{
    static PT_TASK(body) one, two;
    struct pt_loop loop;

    choose(argc, argv);
    pt_loop_open(&loop, &pt_posix);
    (void)PT_START(&loop, &one, body, .n = 1);
    (void)PT_START(&loop, &two, body, .n = 2);
    (void)pt_loop_run(&loop);
    return 0;
}
