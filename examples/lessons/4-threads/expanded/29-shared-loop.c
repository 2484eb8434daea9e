/* expanded/29-shared-loop.c - lesson 29 with the macros of its bodies expanded by hand
 * SPDX-License-Identifier: MIT
 *
 *     The other thread is not a task, and has nothing to expand. */
#include <pt/inspect.h>
#include <pt/threads.h>

#include <stdio.h>

static struct pt_shared shared;
static struct pt_loop loop;

struct lamp {
    struct pt pt;
    bool on, wanted;
};

static pt_op PT_FN(lamp)(struct pt *pt, struct pt_task *task)
{
    struct lamp *self = (struct lamp *)pt;

    (void)task;
    switch (pt->label) {
    case 0:
        for (;;) {
            while (self->on == self->wanted) {
                pt->label = 1;
                return (pt_op){PT_OP_PARK};
    case 1:;
            }
            self->on = self->wanted;
            printf("the lamp goes %s\n", self->on ? "on" : "off");
        }
    }
    return pt_end_(pt);
}

static PT_TASK(lamp) lamp_task;

static void *visit(void *context)
{
    static const bool wanted[] = {true, true, false, true};
    pt_time end = 0;

    for (int i = 0; i < 4; i++) {
        pt_shared_enter(&shared);
        lamp_task.frame.wanted = wanted[i];
        pt_wake(&lamp_task.task);
        pt_shared_leave(&shared);
    }
    pt_shared_enter(&shared);
    for (struct pt_task *task = pt_loop_task(&loop, NULL); task; task = pt_loop_task(&loop, task))
        printf("the %s %s, and has %s\n", pt_task_name(task), pt_task_doing(task),
               pt_task_deadline(task, &end) ? "a deadline" : "none");
    pt_loop_cancel(&loop, PT_ECANCELED);
    pt_shared_leave(&shared);
    return context;
}

struct porter {
    struct pt pt;
    pthread_t visitor;
};

static pt_op PT_FN(porter)(struct pt *pt, struct pt_task *task)
{
    struct porter *self = (struct porter *)pt;

    switch (pt->label) {
    case 0:
        if (pthread_create(&self->visitor, NULL, visit, NULL))
            exit(1);
        if (!pt_wait_(task, PT_SEC(3600)))
            return pt_return_(pt, task, PT_ERANGE);
        pt->label = 1;
        return (pt_op){PT_OP_WAIT};
    case 1:;
    }
    return pt_end_(pt);
}
