/* early-return.c - the receiver has left after its timeout; the sender waits for it forever
 * SPDX-License-Identifier: MIT
 *
 * Cure (MENDED): a queue with one place, so that the sender need not wait. */
#include "../scene.h"

struct request {
    PT_QUEUE(int, 1) reply;
};

struct fetch {
    struct pt pt;
    struct request *request;
    int result;
};

static PT_ASYNC(fetch, self)
{
    PT_WAIT(PT_MS(200)); /* too slow */
    self->result = 42;
    PT_PUSH(&self->request->reply, &self->result);
}
PT_END

struct handler {
    struct pt pt;
    struct request *request;
    struct pt_scope limit;
    int result;
};

static PT_ASYNC(handler, self)
{
    self->request = NEW(struct request);
    PT_QUEUE_INIT(&self->request->reply);
#ifndef MENDED
    self->request->reply.queue.capacity = 0; /* no place: as a channel */
#endif
    PT_SPAWN_NEW(fetch, .request = self->request);
    PT_WITH_TIMEOUT(&self->limit, PT_MS(100)) {
        PT_POP(&self->request->reply, &self->result);
    }
}
PT_END

static void scene(struct pt_loop *loop)
{
    PT_START_NEW(loop, handler);
}
