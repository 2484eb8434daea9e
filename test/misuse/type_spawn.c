/* type_spawn.c - PT_SPAWN with the storage of another function
 * SPDX-License-Identifier: MIT
 * expect warning: incompatible.*pointer|cannot (convert|initialize) */
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

PT_DECLARE(body);
PT_ASYNC(other, self)
{
    PT_SPAWN(&task, body, .n = self->n);
}
PT_END
