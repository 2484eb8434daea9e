/* forgotten-close.c - the producer is done and does not close the channel; the workers wait for more
 * SPDX-License-Identifier: MIT */
#include "../scene.h"

struct jobs {
    PT_CHANNEL(int) channel;
    unsigned users; /* the last one frees it */
};

struct worker {
    struct pt pt;
    struct jobs *jobs;
    int job;
};

static PT_ASYNC(worker, self)
{
    PT_RECV_EACH(&self->jobs->channel, &self->job) {
        PT_WAIT(PT_MS(10));
    }
    if (--self->jobs->users == 0)
        free(self->jobs);
}
PT_END

struct producer {
    struct pt pt;
    struct jobs *jobs;
    int i;
};

static PT_ASYNC(producer, self)
{
    self->jobs = NEW(struct jobs);
    self->jobs->users = 2;
    pt_channel_init(&self->jobs->channel.channel, PT_PREFER_NEITHER);
    PT_SPAWN_NEW(worker, .jobs = self->jobs);
    PT_SPAWN_NEW(worker, .jobs = self->jobs);
    for (self->i = 0; self->i < 5; self->i++)
        PT_SEND(&self->jobs->channel, &self->i);
#ifdef MENDED
    pt_channel_close(&self->jobs->channel.channel);
#endif
}
PT_END

static void scene(struct pt_loop *loop)
{
    PT_START_NEW(loop, producer);
}
