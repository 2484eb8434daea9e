/* lock-and-channel.c - one sends with a lock held; the receiver needs the lock before it receives
 * SPDX-License-Identifier: MIT */
#include "../scene.h"

struct store {
    struct pt_lock lock;
    PT_CHANNEL(int) stop;
};

struct checker {
    struct pt pt;
    struct store *store;
    int value;
};

static PT_ASYNC(checker, self)
{
    PT_WAIT(PT_MS(20));
    PT_LOCK(&self->store->lock);
    PT_UNLOCK(&self->store->lock);
    PT_RECV(&self->store->stop, &self->value);
}
PT_END

struct closer {
    struct pt pt;
    struct store *store;
    int value;
};

static PT_ASYNC(closer, self)
{
    PT_WAIT(PT_MS(10));
    PT_LOCK(&self->store->lock);
#ifdef MENDED
    PT_UNLOCK(&self->store->lock);
#endif
    PT_SEND(&self->store->stop, &self->value);
#ifndef MENDED
    PT_UNLOCK(&self->store->lock);
#endif
}
PT_END

static void scene(struct pt_loop *loop)
{
    struct store *store = NEW(struct store);

    pt_lock_init(&store->lock);
    pt_channel_init(&store->stop.channel, PT_PREFER_NEITHER);
    PT_START_NEW(loop, checker, .store = store);
    PT_START_NEW(loop, closer, .store = store);
}
