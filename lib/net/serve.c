/* serve.c - accept connections, start a task for each, and end in an orderly way
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "../sites.h"

#include "../needs.h"

#include <pt/net/serve.h>
#include <pt/host/stream.h>

#include <string.h>

/* How many clients are refused at once, and for how long each may read on. */
enum { REFUSED_AT_ONCE = 16 };
#define REFUSAL_TIME PT_SEC(1)

/* A pool that has room does not wake its waiters: then it is the loop that had none. */
#define TRY_AGAIN PT_SEC(1)

/* --- a refusal ------------------------------------------------------------------------------- */

struct refuse {
    struct pt pt;
    struct pt_io io;
    struct pt_serve *serve;
    const char *rest; /* of the text */
    size_t put;
    struct pt_finish finish;
    struct pt_scope limit;
};

static PT_ASYNC(refuse, self)
{
    PT_WITH_TIMEOUT(&self->limit, REFUSAL_TIME) {
        for (; *self->rest; self->rest += self->put) {
            PT_WRITE(&self->io, self->rest, strlen(self->rest), &self->put);
            if (self->pt.status != PT_OK)
                PT_RETURN(self->pt.status);
        }
        PT_TRY(&self->finish, pt_finish, .io = &self->io);
    }
    PT_FINALLY
    self->serve->refusing--;
    pt_io_close(&self->io);
}
PT_END

/* Refuse PEER, and close it in any case. */
static void refuse_peer(struct pt_serve *serve, struct pt_loop *loop, struct pt_io *peer)
{
    if (serve->refusal && serve->refusing < REFUSED_AT_ONCE &&
        PT_START_NEW(loop, refuse, .io = pt_io_take(peer), .serve = serve,
                     .rest = serve->refusal) == PT_OK) {
        serve->refusing++;
        pt_group_add(&serve->connections, loop->taken);
    }
    pt_io_close(peer);
}

/* --- accepting ------------------------------------------------------------------------------- */

/* Start a task for the peer, or refuse it; false if it must wait for an item of the pool. */
static bool settle(struct pt_serve_accepting_ *self, struct pt_loop *loop)
{
    struct pt_serve *serve = self->serve;
    struct pt_task *task = serve->start(loop, &self->peer, serve->context);

    if (task) {
        pt_group_add(&serve->connections, task);
        return true;
    }
    if (!self->peer.system) /* START has closed it */
        return true;
    if (serve->pool && !serve->refusal) {
        pt_pool_owner_(serve->pool); /* it can be one that was never used */
        return false;
    }
    refuse_peer(serve, loop, &self->peer);
    return true;
}

static PT_ASYNC(pt_serve_accepting_, self)
{
    for (;;) {
        PT_ACCEPT(self->serve->listener, &self->peer);
        if (self->pt.status != PT_OK)
            PT_RETURN(self->pt.status);
        while (!settle(self, pt_current_->loop)) {
            PT_WITH_TIMEOUT(&self->limit, TRY_AGAIN) {
                pt_pool_wait_(self->serve->pool, pt_current_);
                PT_SUSPEND_(PT_OP_PARK);
                pt_pool_granted_(self->serve->pool, pt_current_);
            }
        }
    }
    PT_FINALLY
    pt_io_close(&self->peer);
    pt_io_close(self->serve->listener);
    pt_event_set(&self->serve->ending);
    PT_WITH_TIMEOUT(&self->limit, self->serve->grace)
        PT_JOIN_GROUP(&self->serve->connections);
}
PT_END

PT_ASYNC(pt_serve, self)
{
    PT_NEEDS_FIELD_(self, listener, "pt_serve");
    PT_NEEDS_FIELD_(self, start, "pt_serve");
    self->refusing = 0;
    pt_event_init(&self->ending);
    PT_WITH_GROUP(&self->connections, PT_GROUP_ALL) {
        PT_WAIT_COMPLETE(&self->accepting, pt_serve_accepting_, .serve = self);
        break; /* leave the block: this cancels the tasks that are left */
    }
    PT_RETURN(self->accepting.pt.status);
}
PT_END
