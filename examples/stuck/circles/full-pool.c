/* full-pool.c - each task of a pool waits for a second task of the same pool
 * SPDX-License-Identifier: MIT
 *
 * Cure: a task that fails when the pool is full, or a second pool. */
#include "../scene.h"

struct step {
    struct pt pt;
    int depth;
};

static PT_DECLARE(step);
static PT_POOL(step, 2) pool;

static PT_ASYNC(step, self)
{
    PT_WAIT(PT_MS(10));
#ifdef MENDED
    if (self->depth)
        PT_SPAWN_FROM(&pool, step, .depth = self->depth - 1);
#else
    if (self->depth)
        PT_SPAWN_WHEN_FREE(&pool, step, .depth = self->depth - 1);
#endif
}
PT_END

static void scene(struct pt_loop *loop)
{
    PT_START_FROM(loop, &pool, step, .depth = 1);
    PT_START_FROM(loop, &pool, step, .depth = 1);
}
