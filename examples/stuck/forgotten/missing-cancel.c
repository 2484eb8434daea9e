/* missing-cancel.c - a task waits for the end of a request; the request ends without a cancel
 * SPDX-License-Identifier: MIT */
#include "../scene.h"

struct request {
    struct pt_event done;
    int users;
};

struct watcher {
    struct pt pt;
    struct request *request;
};

static PT_ASYNC(watcher, self)
{
    PT_WAIT_EVENT(&self->request->done);
    free(self->request);
}
PT_END

struct handler {
    struct pt pt;
    struct request *request;
};

static PT_ASYNC(handler, self)
{
    self->request = NEW(struct request);
    PT_SPAWN_NEW(watcher, .request = self->request);
    PT_WAIT(PT_MS(50));
#ifdef MENDED
    pt_event_set(&self->request->done);
#endif
}
PT_END

static void scene(struct pt_loop *loop)
{
    PT_START_NEW(loop, handler);
}
