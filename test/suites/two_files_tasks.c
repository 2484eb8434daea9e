/* two_files_tasks.c - the file with the tasks, which needs much of the code that two_files.c needs
 * SPDX-License-Identifier: MIT */
#include "two_files.h"

struct watch {
    struct pt pt;
    PT_TASK(tick) tick;
};

static PT_TASK(watch) watcher;

PT_ASYNC(tick, self)
{
    for (; self->count; self->count--)
        PT_WITH_TIMEOUT(&self->limit, 5)
            PT_WAIT(10);
}
PT_END

PT_ASYNC(watch, self)
{
    PT_SPAWN(&self->tick, tick, .count = 1);
    PT_WAIT(3);
    pt_cancel(&self->tick.task, PT_ECANCELED);
    PT_JOIN(&self->tick.task);
}
PT_END

pt_status watch_start(struct pt_loop *loop)
{
    return PT_START(loop, &watcher, watch);
}
