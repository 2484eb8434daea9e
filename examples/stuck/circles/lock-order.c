/* lock-order.c - two tasks take two locks in opposite orders
 * SPDX-License-Identifier: MIT */
#include "../scene.h"

static struct pt_lock heartbeats, raft;

struct sender {
    struct pt pt;
};

static PT_ASYNC(sender, self)
{
    PT_LOCK(&heartbeats);
    PT_YIELD();
    PT_LOCK(&raft);
    PT_UNLOCK(&raft);
    PT_UNLOCK(&heartbeats);
}
PT_END

struct ticker {
    struct pt pt;
};

static PT_ASYNC(ticker, self)
{
#ifdef MENDED
    PT_LOCK(&heartbeats);
    PT_LOCK(&raft);
#else
    PT_LOCK(&raft);
    PT_YIELD();
    PT_LOCK(&heartbeats);
#endif
    PT_UNLOCK(&heartbeats);
    PT_UNLOCK(&raft);
}
PT_END

static void scene(struct pt_loop *loop)
{
    pt_lock_init(&heartbeats);
    pt_lock_init(&raft);
    PT_START_NEW(loop, sender);
    PT_START_NEW(loop, ticker);
}
