/* type_wait_complete_task.c - PT_WAIT_COMPLETE with a task in place of a frame
 * SPDX-License-Identifier: MIT
 * expect error: no member named */
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

static PT_TASK(other) task;

PT_ASYNC(body, self)
{
    PT_WAIT_COMPLETE(&task, other, .n = self->n);
}
PT_END
