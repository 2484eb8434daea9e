/* generator_spawn.c - a generator returns SPAWN, but has no loop
 * SPDX-License-Identifier: MIT
 * expect trap: SPAWN: a generator has no loop */
#include <pt/pt.h>

struct body {
    struct pt pt;
    int n;
};

static PT_TASK(body) task;

PT_ASYNC(body, self)
{
    PT_SPAWN(&task, body);
}
PT_END

int main(void)
{
    struct body b;

    PT_INIT(&b, body);
    pt_next(&b.pt);
    return 0;
}
