/* edges.c - a post is an edge
 * SPDX-License-Identifier: MIT */
#include "edges.h"

static void came(struct pt_remote *self, unsigned times)
{
    struct edges *pin = (struct edges *)self->target;

    pin->count = (uint16_t)(pin->count + times);
    pt_event_trigger(&pin->event);
}

void edges_open(struct edges *pin, struct pt_loop *loop)
{
    pin->count = 0;
    pt_event_init(&pin->event);
    pt_remote_open(&pin->remote, loop, came, pin);
}

PT_ASYNC(edges_wait, self)
{
    while (self->pin->count == self->seen)
        PT_WAIT_EVENT(&self->pin->event);
    self->count = (uint16_t)(self->pin->count - self->seen);
}
PT_END

PT_ASYNC(edges_settle, self)
{
    PT_TRY(&self->edge, edges_wait, .pin = self->pin, .seen = self->seen);
    do {
        self->count = (uint16_t)(self->pin->count - self->seen);
        PT_WITH_TIMEOUT(&self->limit, self->quiet) {
            PT_WAIT_COMPLETE(&self->edge, edges_wait, .pin = self->pin,
                             .seen = (uint16_t)(self->seen + self->count));
        }
    } while (!pt_timed_out(&self->limit));
    PT_RETURN(PT_OK);
}
PT_END
