/* given.c - a task was given the room in a pool for which others, of that pool, wait behind it
 * SPDX-License-Identifier: MIT */
#include "attach.h"

#include <pt/posix.h>
#include <pt/pt.h>

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static struct pt_virtual world;
static struct pt_loop loop;

struct child {
    struct pt pt;
    bool spawns;
};

static PT_DECLARE(child);
static PT_POOL(child, 2) pool;

static PT_ASYNC(child, self)
{
    if (self->spawns)
        PT_SPAWN_WHEN_FREE(&pool, child);
    else
        PT_WAIT(PT_MS(5));
}
PT_END

struct guest {
    struct pt pt;
};

static PT_ASYNC(guest, self)
{
    PT_SPAWN_WHEN_FREE(&pool, child);
}
PT_END

static PT_TASK(guest) visitor;

int main(void)
{
    let_attach();
    pt_virtual_init(&world, 0, &pt_posix);
    pt_loop_open(&loop, &world.port);
    if (PT_START(&loop, &visitor, guest) != PT_OK ||
        PT_START_FROM(&loop, &pool, child, .spawns = false) != PT_OK ||
        PT_START_FROM(&loop, &pool, child, .spawns = true) != PT_OK)
        return EXIT_FAILURE;
    pt_loop_turn(&loop, 0);
    pt_loop_turn(&loop, PT_MS(5)); /* the first child ends, and the guest is given its place */
    printf("end %u\n", pool.pool.granted);
    fflush(stdout);
    pause();
    return EXIT_SUCCESS;
}
