/* missing-stop.c - an object has a task of its own, which `stop` would end; its user does not call it
 * SPDX-License-Identifier: MIT */
#include "../scene.h"

struct monitor {
    PT_CHANNEL(int) events;
    struct pt_event stopped;
};

struct monitoring {
    struct pt pt;
    struct monitor *monitor;
    PT_SELECTION(2) next;
    int event;
};

static PT_ASYNC(monitoring, self)
{
    do {
        PT_SELECT(&self->next, PT_CASE_RECV(&self->monitor->events, &self->event),
                  PT_CASE_EVENT(&self->monitor->stopped));
    } while (PT_SELECTED(&self->next) == 0);
    free(self->monitor);
}
PT_END

struct user {
    struct pt pt;
    struct monitor *monitor;
    int event;
};

static PT_ASYNC(user, self)
{
    self->monitor = NEW(struct monitor);
    pt_channel_init(&self->monitor->events.channel, PT_PREFER_NEITHER);
    PT_SPAWN_NEW(monitoring, .monitor = self->monitor);
    PT_SEND(&self->monitor->events, &self->event);
#ifdef MENDED
    pt_event_set(&self->monitor->stopped);
#endif
}
PT_END

static void scene(struct pt_loop *loop)
{
    PT_START_NEW(loop, user);
}
