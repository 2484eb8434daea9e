/* frame_local.c - an awaited frame, or the storage of a spawned task, is a local
 * SPDX-License-Identifier: MIT
 * No compiler sees it: only its address is used.
 * expect trap -DPT_DEBUG=1 AWAIT: body_pt_: the awaited frame is a local, which does not survive
 * expect trap -DPT_DEBUG=1 SPAWN: body_pt_: the task's storage is a local, which does not survive
 * expect output -DPT_DEBUG=1 MEMBER: ^2$ */
#include <pt/posix.h>
#include <stdio.h>
#include "chosen.h"

struct child {
    struct pt pt;
    int value;
};

PT_ASYNC(child, self)
{
    PT_YIELD();
    self->value = 2;
}
PT_END

struct body {
    struct pt pt;
    struct child child;
};

PT_ASYNC(body, self)
{
    if (CHOSEN(AWAIT)) {
        struct child child;

        PT_WAIT_COMPLETE(&child, child, .value = 1);
    } else if (CHOSEN(SPAWN)) {
        PT_TASK(child) task;

        memset(&task, 0, sizeof task);
        PT_SPAWN(&task, child, .value = 1);
    } else {
        PT_WAIT_COMPLETE(&self->child, child, .value = 1);
        printf("%d\n", self->child.value);
    }
}
PT_END

int main(int argc, char **argv)
{
    PT_TASK(body) task;
    struct pt_loop loop;

    choose(argc, argv);
    memset(&task, 0, sizeof task);
    pt_loop_open(&loop, &pt_posix);
    (void)PT_START(&loop, &task, body);
    (void)pt_loop_run(&loop);
    return 0;
}
