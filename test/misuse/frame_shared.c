/* frame_shared.c - two tasks await one frame, or a frame awaits itself
 * SPDX-License-Identifier: MIT
 * expect trap -DPT_DEBUG=1: the start of child: the frame runs already, for another task, or has one in it that does: give each
 * expect trap -DPT_DEBUG=1 DEEPER: the start of child: the frame runs already, for another task
 * expect trap -DPT_DEBUG=1 GROUP: the start of child: the frame runs already, for another task
 * expect trap -DPT_DEBUG=1 ITSELF: PT_WAIT_COMPLETE: the frame runs already, and awaits itself
 * expect output -DPT_DEBUG=1 ONE_EACH: ^done$
 * expect output -DPT_DEBUG=1 IN_TURN: ^done$ */
#include <pt/posix.h>
#include <stdio.h>
#include "chosen.h"

struct leaf {
    struct pt pt;
};

PT_ASYNC(leaf, self)
{
    PT_YIELD();
    PT_YIELD();
}
PT_END

struct child {
    struct pt pt;
    struct leaf leaf;
    int deeper;
};

PT_ASYNC(child, self)
{
    if (CHOSEN(ITSELF))
        PT_WAIT_COMPLETE(self, child);
    if (self->deeper)
        PT_WAIT_COMPLETE(&self->leaf, leaf);
    PT_YIELD();
}
PT_END

struct body {
    struct pt pt;
    struct child *child;
    int deeper;
};

static struct child shared, own;

PT_ASYNC(body, self)
{
    PT_WAIT_COMPLETE(self->child, child, .deeper = self->deeper);
    PT_WAIT_COMPLETE(self->child, child, .deeper = self->deeper);
}
PT_END

static PT_TASK(body) one, two;

struct parent {
    struct pt pt;
    struct pt_group group;
};

PT_ASYNC(parent, self)
{
    PT_WITH_GROUP(&self->group, PT_GROUP_ALL) {
        PT_SPAWN_IN(&self->group, &one, body, .child = &shared, .deeper = 0);
        PT_SPAWN_IN(&self->group, &two, body, .child = &shared, .deeper = 0);
    }
}
PT_END

int main(int argc, char **argv)
{
    static PT_TASK(parent) parent;
    struct pt_loop loop;

    choose(argc, argv);
    pt_loop_open(&loop, &pt_posix);
    if (CHOSEN(GROUP)) {
        (void)PT_START(&loop, &parent, parent);
    } else if (CHOSEN(DEEPER)) {
        (void)PT_START(&loop, &one, body, .child = &shared, .deeper = 1);
        (void)PT_START(&loop, &two, body, .child = &shared, .deeper = 1);
    } else if (CHOSEN(ONE_EACH)) {
        (void)PT_START(&loop, &one, body, .child = &shared, .deeper = 1);
        (void)PT_START(&loop, &two, body, .child = &own, .deeper = 1);
    } else if (CHOSEN(IN_TURN)) {
        (void)PT_START(&loop, &one, body, .child = &shared, .deeper = 1);
        (void)pt_loop_run(&loop);
        (void)PT_START(&loop, &two, body, .child = &shared, .deeper = 1);
    } else {
        (void)PT_START(&loop, &one, body, .child = &shared, .deeper = 0);
        (void)PT_START(&loop, &two, body, .child = &shared, .deeper = 0);
    }
    (void)pt_loop_run(&loop);
    pt_loop_close(&loop);
    printf("done\n");
    return 0;
}
