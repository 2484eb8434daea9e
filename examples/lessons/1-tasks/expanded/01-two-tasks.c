/* expanded/01-two-tasks.c - lesson 01 with its macros expanded by hand
 * SPDX-License-Identifier: MIT
 *
 *     PT_TASK   a control block, followed by the first frame
 *     PT_START  set up the frame, then the control block, and give the task to the loop */
#include <pt/posix.h>

#include <stdio.h>

struct apollo {
    struct pt pt;
};

static pt_op apollo(struct pt *pt, struct pt_task *task)
{
    (void)task;
    switch (pt->label) {
    case 0:
        puts("Start Apollo-01");
        pt->label = 1;
        return (pt_op){PT_OP_YIELD};
    case 1:
        puts("Start Apollo-02");
        pt->label = 2;
        return (pt_op){PT_OP_YIELD};
    case 2:
        puts("Start Apollo-03");
    }
    return pt_end_(pt);
}

struct artemis {
    struct pt pt;
};

static pt_op artemis(struct pt *pt, struct pt_task *task)
{
    (void)task;
    switch (pt->label) {
    case 0:
        puts("Start Artemis-01");
        pt->label = 1;
        return (pt_op){PT_OP_YIELD};
    case 1:
        puts("Start Artemis-02");
        pt->label = 2;
        return (pt_op){PT_OP_YIELD};
    case 2:
        puts("Start Artemis-03");
    }
    return pt_end_(pt);
}

static struct {
    struct pt_task task;
    struct apollo frame;
} task1;

static struct {
    struct pt_task task;
    struct artemis frame;
} task2;

int main(void)
{
    struct pt_loop loop;

    pt_loop_open(&loop, &pt_posix);
    pt_init_zeroed_(&task1.frame.pt, apollo, sizeof task1.frame);
    pt_task_init_(&task1.task, &task1.frame.pt, "apollo");
    pt_spawn(&loop, &task1.task);
    pt_init_zeroed_(&task2.frame.pt, artemis, sizeof task2.frame);
    pt_task_init_(&task2.task, &task2.frame.pt, "artemis");
    pt_spawn(&loop, &task2.task);
    pt_loop_run(&loop);
    pt_loop_close(&loop);
    return 0;
}
