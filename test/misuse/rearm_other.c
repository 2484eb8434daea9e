/* rearm_other.c - a task changes the deadline of a block that another task has opened
 * SPDX-License-Identifier: MIT
 * Without PT_DEBUG nothing changes, and the status is PT_EINVAL.
 * expect output: ^PT_EINVAL PT_OK$
 * expect trap -DPT_DEBUG=1: PT_REARM: the block is another task's: only the task that opened it
 * expect output -DPT_DEBUG=1 OWN: ^PT_OK PT_OK$ */
#include <pt/virtual.h>
#include <stdio.h>
#include "chosen.h"

static struct pt_scope *limit;

struct other {
    struct pt pt;
};

PT_ASYNC(other, self)
{
    if (!CHOSEN(OWN))
        PT_REARM(limit, PT_SEC(5));
    printf("%s ", pt_status_name(self->pt.status));
}
PT_END

struct body {
    struct pt pt;
    struct pt_scope limit;
};

PT_ASYNC(body, self)
{
    PT_WITH_TIMEOUT(&self->limit, PT_SEC(1)) {
        limit = &self->limit;
        PT_REARM(&self->limit, PT_SEC(2));
        PT_WAIT(PT_MS(1));
    }
    printf("%s\n", pt_status_name(self->pt.status));
}
PT_END

int main(int argc, char **argv)
{
    static PT_TASK(body) task;
    static PT_TASK(other) other;
    static PT_LOOP_STORAGE(2) room;
    struct pt_loop loop;

    choose(argc, argv);
    pt_loop_init(&loop, 0);
    pt_loop_use(&loop, &room);
    (void)PT_START(&loop, &task, body);
    (void)PT_START(&loop, &other, other);
    pt_loop_turn(&loop, 0);
    pt_loop_turn(&loop, PT_MS(1));
    return 0;
}
