/* virtual.h - a clock that jumps
 * SPDX-License-Identifier: MIT */
#ifndef PT_VIRTUAL_H
#define PT_VIRTUAL_H

#include "pt.h"

struct pt_virtual {
    struct pt_port port;
    pt_time now;
};

static inline pt_time pt_virtual_now_(void *context)
{
    return ((struct pt_virtual *)context)->now;
}

static inline bool pt_virtual_idle_(void *context, pt_time now, pt_time until)
{
    struct pt_virtual *world = (struct pt_virtual *)context;

    if (until - now == PT_DELAY_NEVER)
        return false; /* no timer, and nothing comes from outside */
    if (pt_time_before(world->now, until))
        world->now = until;
    return true;
}

/* pt_virtual_init - a clock at 0 */
static inline void pt_virtual_init(struct pt_virtual *world)
{
    *world = (struct pt_virtual){.port = {.now = pt_virtual_now_, .idle = pt_virtual_idle_, .context = world}};
}

#endif
