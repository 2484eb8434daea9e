/* virtual.h - a clock that jumps: hours of waiting pass in no time, and every run is the same
 * SPDX-License-Identifier: MIT
 *
 *     #include <pt/posix.h>                    which has this port too, and memory for the loop
 *
 *     struct pt_virtual world;
 *     pt_virtual_init(&world, 0, &pt_posix);
 *     pt_loop_open(&loop, &world.port);
 *
 * Without Unix: <pt/virtual.h>, NULL for the memory, and pt_loop_use(&loop, &storage) behind pt_loop_open.
 *
 * When nobody is ready, its idle step moves the time to the next deadline. */
#ifndef PT_PORTS_VIRTUAL_H
#define PT_PORTS_VIRTUAL_H

#include "../base/port.h"
#include "../base/random.h"

/* A world with a time and a chance of its own. */
struct pt_virtual {
    struct pt_port port;     /* for pt_loop_open */
    pt_time now;             /* the time; to be set before the loop starts, and moved on by hand */
    struct pt_random random; /* chance, from the seed */
};

PT_API pt_time pt_virtual_now_(void *context)
{
    return ((struct pt_virtual *)context)->now;
}

PT_API bool pt_virtual_idle_(void *context, pt_time now, pt_time until)
{
    struct pt_virtual *world = (struct pt_virtual *)context;

    if ((pt_time)(until - now) == PT_DELAY_NEVER)
        return false;                      /* no timer, and nothing comes from outside */
    if (pt_time_before(world->now, until)) /* or else a step has taken the time that it wanted */
        world->now = until;
    return true;
}

/* pt_virtual_init - the time is 0, chance starts at SEED, memory is MEMORY's (or NULL: none, then the
 * loop needs pt_loop_use before its first task) */
PT_API void pt_virtual_init(struct pt_virtual *world, uint64_t seed, const struct pt_port *memory)
{
    world->port.now = pt_virtual_now_;
    world->port.idle = pt_virtual_idle_;
    world->port.resize = memory ? memory->resize : NULL;
    world->port.context = world;
    world->port.kick = NULL;
    world->now = 0;
    world->random.state = seed;
}

#endif
