/* overwritten.c - a frame is started again, and what is in it is still in use
 * SPDX-License-Identifier: MIT
 * expect trap -DPT_DEBUG=1: the start of body: a task in its frame still runs, and would become zero: join that task first, or put PT_KEEP behind the name
 * expect trap -DPT_DEBUG=1 MEMBER: the start of body: a task in its frame still runs, and would become zero
 * expect trap -DPT_DEBUG=1 AWAITED: the start of body: a task in its frame still runs, and would become zero
 * expect trap -DPT_DEBUG=1 AROUND: PT_WAIT_COMPLETE: the frame runs already, and awaits itself
 * expect output -DPT_DEBUG=1 KEEP: ^done$
 * expect output -DPT_DEBUG=1 JOINED: ^done$ */
#include <pt/posix.h>
#include <stdio.h>
#include "chosen.h"

struct child {
    struct pt pt;
};

PT_ASYNC(child, self)
{
    PT_PARK();
}
PT_END

static struct pt_group group;

struct body {
    struct pt pt;
    struct pt_loop *loop; /* looks like a task's, and is none */
    long alive;
    PT_TASK(child) child;
};

PT_ASYNC(body, self)
{
    self->alive = -1;
    if (CHOSEN(MEMBER))
        PT_SPAWN_IN(&group, &self->child, child);
    else
        PT_SPAWN(&self->child, child);
    if (CHOSEN(JOINED)) {
        pt_wake(&self->child.task);
        PT_JOIN(&self->child.task);
    }
}
PT_END

static PT_TASK(body) task;
static struct body frame;
static struct pt_loop loop;

struct inside {
    struct pt pt;
};

static struct around {
    struct pt pt;
    struct inside inside;
} whole;

PT_ASYNC(around, self)
{
    PT_YIELD();
}
PT_END

PT_ASYNC(inside, self)
{
    PT_YIELD();
    PT_WAIT_COMPLETE(&whole, around);
}
PT_END

struct twice {
    struct pt pt;
};

PT_ASYNC(twice, self)
{
    if (CHOSEN(AWAITED)) {
        PT_WAIT_COMPLETE(&frame, body, .loop = &loop);
        PT_WAIT_COMPLETE(&frame, body, .loop = &loop);
    } else if (CHOSEN(AROUND)) {
        PT_WAIT_COMPLETE(&whole.inside, inside);
    } else if (CHOSEN(MEMBER)) {
        PT_WITH_GROUP(&group, PT_GROUP_ALL) {
            PT_SPAWN(&task, body, .loop = &loop);
            PT_YIELD();
            PT_YIELD();
            PT_SPAWN(&task, body, .loop = &loop);
        }
    } else {
        PT_YIELD();
    }
}
PT_END

int main(int argc, char **argv)
{
    static PT_TASK(twice) both;

    choose(argc, argv);
    pt_loop_open(&loop, &pt_posix);
    (void)PT_START(&loop, &both, twice);
    if (CHOSEN(AWAITED) || CHOSEN(AROUND) || CHOSEN(MEMBER)) {
        (void)pt_loop_run(&loop);
    } else {
        (void)PT_START(&loop, &task, body, .loop = &loop);
        for (int i = 0; i < 9; i++)
            pt_loop_turn(&loop, pt_posix_now_(NULL));
        if (CHOSEN(KEEP))
            (void)PT_START(&loop, &task, body, PT_KEEP, .alive = 0);
        else
            (void)PT_START(&loop, &task, body, .loop = &loop);
    }
    printf("done\n");
    fflush(stdout);
    return 0;
}
