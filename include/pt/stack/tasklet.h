/* tasklet.h - tasklets and channels by the well-known names: a small header over native tasks
 * SPDX-License-Identifier: MIT
 *
 *     static pt_status think(struct pt_native *self)
 *     {
 *         puts("A 1");
 *         pt_schedule(self);
 *         puts("A 2");
 *         return PT_OK;
 *     }
 *
 *     PT_TASKLET(&loop, &tasklet, think, argument);
 *     pt_run(&loop);
 *
 * A tasklet is a function with an argument that is queued for execution, and its stack. They take turns;
 * the program's own function is none of them: it runs them, until none is left. Their channels are those
 * of channel.h, of pointers, and the receiver goes on first. */
#ifndef PT_TASKLET_H
#define PT_TASKLET_H

#include "native.h"

#if PT_AWAIT && PT_CLEANUP && PT_HAS_LOOP_ && PT_CENSUS && PT_PORT && PT_CHANNELS

/* How long the stack of a tasklet is: printf wants 8 KB. */
#ifndef PT_TASKLET_BYTES
#define PT_TASKLET_BYTES (16 << 10)
#endif

/* A tasklet: zero at first, as static storage is; it is its own until it is done. */
struct pt_tasklet {
    PT_TASK(pt_native) native;
    char stack[PT_TASKLET_BYTES];
};

/* PT_TASKLET(&loop, &tasklet, function, argument) - queue it; PT_OK, PT_EBUSY or PT_ENOMEM */
#define PT_TASKLET(loop, tasklet, what, with)                                           \
    PT_START(loop, &(tasklet)->native, pt_native, .function = what, .argument = (with), \
             .stack = (tasklet)->stack, .bytes = sizeof((tasklet)->stack))

/* pt_schedule - let all others that are queued run first */
PT_API pt_status pt_schedule(struct pt_native *self)
{
    return pt_native_yield(self);
}

/* pt_run - run until all tasklets are done; PT_EDEADLK if those that are left wait for each other */
PT_API pt_status pt_run(struct pt_loop *loop)
{
    return pt_loop_run(loop);
}

/* pt_getruncount - how many others are queued for execution */
PT_API size_t pt_getruncount(const struct pt_loop *loop)
{
    return pt_loop_ready(loop);
}

/* A channel of pointers. */
typedef PT_CHANNEL(void *) pt_tasklet_channel;

/* pt_channel_open - nobody waits at it */
PT_API void pt_channel_open(pt_tasklet_channel *channel)
{
    pt_channel_init(&channel->channel, PT_PREFER_RECEIVER);
}

/* pt_channel_send, pt_channel_receive - wait for the other; NULL if the channel is closed, or the tasklet
 * is cancelled */
PT_API pt_status pt_channel_send(struct pt_native *self, pt_tasklet_channel *channel, void *value)
{
    return pt_native_send(self, channel, &value);
}

PT_API void *pt_channel_receive(struct pt_native *self, pt_tasklet_channel *channel)
{
    void *value = NULL;

    return pt_native_recv(self, channel, &value) == PT_OK ? value : NULL;
}

#endif
#endif
