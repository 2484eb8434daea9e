/* type_spawn_frame.c - PT_SPAWN with a frame in place of a task
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

static struct other frame;

PT_ASYNC(body, self)
{
    PT_SPAWN(&frame, other, .n = self->n);
}
PT_END
