/* fake_readme.c - runs the rockets of README.md for three seconds of virtual time
 * SPDX-License-Identifier: MIT */
#include <pt/posix.h>
#include <pt/virtual.h>

static struct pt_virtual world;

static void three_seconds(void)
{
    if (world.now != PT_SEC(3))
        _Exit(1);
}

static const struct pt_port *port_of_the_world(void)
{
    pt_virtual_init(&world, 0, &pt_posix);
    atexit(three_seconds);
    return &world.port;
}

#define pt_posix *port_of_the_world()
#include "rocket.c"
