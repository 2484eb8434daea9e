/* tasklet.h - tasklets and channels by their well-known names, on top of native tasks
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
 * A tasklet is a function with an argument and a stack, queued for execution. Tasklets take turns.
 * The program's main function is not a tasklet: it runs them until none is left. Their channels are
 * those of channel.h, for pointers; the receiver runs first. */
#ifndef PT_TASKLET_H
#define PT_TASKLET_H

#include "../base/compiler.h"
PT_QUIET_OPEN_
#include "native.h"

#if PT_AWAIT && PT_CLEANUP && PT_HAS_LOOP_ && PT_CENSUS && PT_PORT && PT_CHANNELS

/* The size of a tasklet's stack: printf needs 8 KB. */
#ifndef PT_TASKLET_BYTES
#define PT_TASKLET_BYTES (16 << 10)
#endif

/* A tasklet: zero before its first use, like static storage; not to be touched until it is done. */
struct pt_tasklet {
    PT_TASK(pt_native) native;
    char stack[PT_TASKLET_BYTES];
};

/* PT_TASKLET(&loop, &tasklet, function, argument) - queue it; PT_OK, PT_EBUSY or PT_ENOMEM */
#define PT_TASKLET(loop, tasklet, what, with)                                           \
    PT_START(loop, &(tasklet)->native, pt_native, .function = what, .argument = (with), \
             .stack = (tasklet)->stack, .bytes = sizeof((tasklet)->stack))

/* pt_schedule - let all other queued tasklets run first */
PT_API pt_status pt_schedule(struct pt_native *self);

/* pt_run - run until all tasklets are done; PT_EDEADLK if the rest wait for each other */
PT_API pt_status pt_run(struct pt_loop *loop);

/* pt_getruncount - how many tasklets are queued for execution, without the running one */
PT_API size_t pt_getruncount(const struct pt_loop *loop);

/* A channel of pointers. */
typedef PT_CHANNEL(void *) pt_tasklet_channel;

/* pt_channel_open - make a channel at which no tasklet waits */
PT_API void pt_channel_open(pt_tasklet_channel *channel);

/* pt_channel_send, pt_channel_receive - wait for the other side and transfer a pointer
 * pt_channel_receive returns NULL if the channel is closed, or the tasklet is canceled. */
PT_API pt_status pt_channel_send(struct pt_native *self, pt_tasklet_channel *channel, void *value);
PT_API void *pt_channel_receive(struct pt_native *self, pt_tasklet_channel *channel);

/* --- implementation ------------------------------------------------------------------------ */

PT_API pt_status pt_schedule(struct pt_native *self)
{
    return pt_native_yield(self);
}

PT_API pt_status pt_run(struct pt_loop *loop)
{
    return pt_loop_run(loop);
}

PT_API size_t pt_getruncount(const struct pt_loop *loop)
{
    return pt_loop_ready(loop);
}

PT_API void pt_channel_open(pt_tasklet_channel *channel)
{
    pt_channel_init(&channel->channel, PT_PREFER_RECEIVER);
}

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

PT_QUIET_CLOSE_

#endif
