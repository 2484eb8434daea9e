/* many.c - many tasks that sleep; it stands still
 * SPDX-License-Identifier: MIT
 *
 *     many [COUNT]        up to 100,000, the default */
#include "attach.h"

#include <pt/posix.h>

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { COUNT = 100000 };

struct sleeper {
    struct pt pt;
};

PT_ASYNC(sleeper, self)
{
    PT_WAIT(PT_SEC(100));
}
PT_END

static struct pt_loop tasks;
static PT_TASK(sleeper) sleepers[COUNT];

int main(int count, char **arguments)
{
    const int number = count > 1 ? atoi(arguments[1]) : COUNT;
    struct pt_virtual world;

    let_attach();
    pt_virtual_init(&world, 0, &pt_posix);
    pt_loop_open(&tasks, &world.port);
    for (int i = 0; i < number; i++)
        (void)!PT_START(&tasks, &sleepers[i], sleeper);
    (void)pt_loop_turn(&tasks, 0);
    puts("end");
    fflush(stdout);
    for (;;)
        pause();
}
