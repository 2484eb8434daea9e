/* wait-in-the-loop.c - one waits for all tasks of a group from one of these tasks
 * SPDX-License-Identifier: MIT */
#include "../scene.h"

struct stage {
    struct pt pt;
    struct pt_task *before;
};

static PT_ASYNC(stage, self)
{
    PT_WAIT(PT_MS(10));
#ifndef MENDED
    PT_JOIN(self->before); /* it waits for its group, and so for this task */
#endif
}
PT_END

struct server {
    struct pt pt;
    struct pt_group group;
    PT_TASK(stage) first, second;
};

static PT_ASYNC(server, self)
{
    PT_WITH_GROUP(&self->group, PT_GROUP_ALL) {
        PT_SPAWN_IN(&self->group, &self->first, stage, .before = pt_current_);
        PT_SPAWN_IN(&self->group, &self->second, stage, .before = &self->first.task);
    }
}
PT_END

static void scene(struct pt_loop *loop)
{
    PT_START_NEW(loop, server);
}
