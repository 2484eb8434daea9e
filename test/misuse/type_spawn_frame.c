/* type_spawn_frame.c - PT_SPAWN with a frame in place of a task
 * SPDX-License-Identifier: MIT
 * expect first: pt_start_takes_a_PT_TASK_not_a_frame_
 * expect first -DSTART: pt_start_takes_a_PT_TASK_not_a_frame_ */
#include <pt/pt.h>

struct body {
    struct pt pt;
    int n;
};

struct other {
    struct pt pt;
    int n;
};

PT_DECLARE(other);

static struct other frame;

PT_ASYNC(body, self)
{
#if defined(START)
    (void)PT_START(pt_current_->loop, &frame, other, .n = self->n);
#else
    PT_SPAWN(&frame, other, .n = self->n);
#endif
}
PT_END
