/* double-send.c - after the error the worker does not return, and sends a second time
 * SPDX-License-Identifier: MIT */
#include "../scene.h"

struct answer {
    PT_CHANNEL(int) channel;
};

struct worker {
    struct pt pt;
    struct answer *answer;
    int value;
};

static PT_ASYNC(worker, self)
{
    self->value = -1; /* it fails */
    PT_SEND(&self->answer->channel, &self->value);
#ifdef MENDED
    PT_RETURN(PT_OK);
#endif
    self->value = 1;
    PT_SEND(&self->answer->channel, &self->value);
}
PT_END

struct asker {
    struct pt pt;
    struct answer *answer;
    int value;
};

static PT_ASYNC(asker, self)
{
    self->answer = NEW(struct answer);
    pt_channel_init(&self->answer->channel.channel, PT_PREFER_NEITHER);
    PT_SPAWN_NEW(worker, .answer = self->answer);
    PT_RECV(&self->answer->channel, &self->value); /* it takes only one answer */
}
PT_END

static void scene(struct pt_loop *loop)
{
    PT_START_NEW(loop, asker);
}
