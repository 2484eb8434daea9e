/* virtual.h - a clock that jumps: hours of waiting take no time, and every run is the same
 * SPDX-License-Identifier: MIT
 *
 *     #include <pt/posix.h>                    it includes this port, and has memory for the loop
 *
 *     struct pt_virtual world;
 *     pt_virtual_init(&world, 0, &pt_posix);
 *     pt_loop_open(&loop, &world.port);
 *
 * Without Unix: include <pt/virtual.h>, pass NULL for the memory, and call pt_loop_use(&loop,
 * &storage) after pt_loop_open.
 *
 * When no task is ready, the idle step moves the time to the next deadline. */
#ifndef PT_PORTS_VIRTUAL_H
#define PT_PORTS_VIRTUAL_H

#include "../base/port.h"
#include "random.h"

/* A world with its own time and its own random numbers. */
struct pt_virtual {
    struct pt_port port;     /* for pt_loop_open */
    pt_time now;             /* the time; set it before the loop starts, or advance it by hand */
    struct pt_random random; /* random numbers, from the seed */
};

/* pt_virtual_init - set the time to 0, seed the random numbers with SEED, use the memory of MEMORY
 * The random numbers are the program's; the loop uses none, and the order of tasks
 * does not depend on SEED. With a MEMORY of NULL there is none: the loop needs
 * pt_loop_use before its first task. */
PT_API void pt_virtual_init(struct pt_virtual *world, uint64_t seed, const struct pt_port *memory);

/* --- implementation ------------------------------------------------------------------------ */

PT_API pt_time pt_virtual_now_(void *context)
{
    return ((struct pt_virtual *)context)->now;
}

PT_API bool pt_virtual_idle_(void *context, pt_time now, pt_time until)
{
    struct pt_virtual *world = (struct pt_virtual *)context;

    if ((pt_time)(until - now) == PT_DELAY_NEVER)
        return false;                      /* no timer, and nothing comes from outside */
    if (pt_time_before(world->now, until)) /* else a step has moved the time past it */
        world->now = until;
    return true;
}

PT_API void pt_virtual_init(struct pt_virtual *world, uint64_t seed, const struct pt_port *memory)
{
    world->port.now = pt_virtual_now_;
    world->port.idle = pt_virtual_idle_;
    world->port.resize = memory ? memory->resize : NULL;
    world->port.context = world;
    world->port.kick = NULL;
    world->port.turn = NULL;
    world->port.grain = 0;
    world->port.is_cheap = true;
    world->now = 0;
    world->random.state = seed;
}

#endif
