/* leaks.c - tasks, with a name that is not ASCII, that wait for events that nobody knows; it stands still
 * SPDX-License-Identifier: MIT
 *
 *     leaks COUNT */
#include "attach.h"

#include <pt/posix.h>

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static struct pt_loop loop;

struct h\u00f6ren {
    struct pt pt;
    struct pt_event event;
};

PT_ASYNC(h\u00f6ren, self)
{
    pt_event_init(&self->event);
    PT_WAIT_EVENT(&self->event);
}
PT_END

int main(int count, char **arguments)
{
    struct pt_virtual world;

    let_attach();
    pt_virtual_init(&world, 0, &pt_posix);
    pt_loop_open(&loop, &world.port);
    for (int left = count > 1 ? atoi(arguments[1]) : 1; left; left--)
        (void)!PT_START_NEW(&loop, h\u00f6ren);
    for (int turn = 0; turn < 3; turn++)
        (void)pt_loop_turn(&loop, 0);
    puts("end");
    fflush(stdout);
    for (;;)
        pause();
}
