/* each-others-channel.c - two tasks send to each other, and neither receives
 * SPDX-License-Identifier: MIT */
#include "../scene.h"

struct line {
    PT_CHANNEL(int) channel;
};

struct peer {
    struct pt pt;
    struct line *out, *in;
    int value;
    bool listens;
};

static PT_ASYNC(peer, self)
{
    if (self->listens)
        PT_RECV(&self->in->channel, &self->value);
    PT_SEND(&self->out->channel, &self->value);
    if (!self->listens)
        PT_RECV(&self->in->channel, &self->value);
}
PT_END

static void scene(struct pt_loop *loop)
{
    struct line *there = NEW(struct line), *back = NEW(struct line);
    bool listens = false;

#ifdef MENDED
    listens = true;
#endif
    pt_channel_init(&there->channel.channel, PT_PREFER_NEITHER);
    pt_channel_init(&back->channel.channel, PT_PREFER_NEITHER);
    PT_START_NEW(loop, peer, .out = there, .in = back);
    PT_START_NEW(loop, peer, .out = back, .in = there, .listens = listens);
}
