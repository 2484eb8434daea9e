/* missing-done.c - one waits until all workers are done; one of them fails and does not count down
 * SPDX-License-Identifier: MIT
 *
 * A group (PT_WITH_GROUP) always counts down. */
#include "../scene.h"

struct crew {
    struct pt_semaphore done;
};

struct worker {
    struct pt pt;
    struct crew *crew;
    int number;
};

static PT_ASYNC(worker, self)
{
    PT_WAIT(PT_MS(10));
#ifndef MENDED
    if (self->number == 1)
        PT_RETURN(PT_EINVAL);
#endif
    pt_semaphore_release(&self->crew->done);
}
PT_END

struct chief {
    struct pt pt;
    struct crew *crew;
    int i;
};

static PT_ASYNC(chief, self)
{
    self->crew = NEW(struct crew);
    pt_semaphore_init(&self->crew->done, 0, 3);
    for (self->i = 0; self->i < 3; self->i++)
        PT_SPAWN_NEW(worker, .crew = self->crew, .number = self->i);
    for (self->i = 0; self->i < 3; self->i++)
        PT_ACQUIRE(&self->crew->done);
    free(self->crew);
}
PT_END

static void scene(struct pt_loop *loop)
{
    PT_START_NEW(loop, chief);
}
