/* local_spawn.c - a local is used after a PT_SPAWN, which suspends too
 * SPDX-License-Identifier: MIT
 * expect together: jump to case label|jumps over|cannot jump|uninitialized */
#include <pt/pt.h>

struct body {
    struct pt pt;
    int n;
};

void use(int value);

struct sub {
    struct pt pt;
    int n;
};

static PT_TASK(sub) task;
PT_DECLARE(sub);

PT_ASYNC(body, self)
{
    int x = self->n;

    PT_SPAWN(&task, sub, .n = x);
    use(x);
}
PT_END
