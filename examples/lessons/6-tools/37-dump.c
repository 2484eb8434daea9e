/* 37-dump.c - a program that hangs: which task waits for which, and where
 * SPDX-License-Identifier: MIT
 *
 *     pt_dump         print the tree of tasks: what each waits for, and below it the functions that
 *                     it is in, innermost first; pt_dump_task prints one task
 *     pt_dump_stuck   print only the tasks that wait for each other in a circle, in its order
 *     PT_SITES        a knob, defined before the include: a dump shows file and line, too
 *     pt_task_parent  the task to whose group a task belongs
 *     pt_task_state   what it does: PT_TASK_WAITING means that it waits in a queue
 *     pt_task_rename  give it a name of its own
 *
 * What to notice:
 *   - pt_loop_run detects a deadlock: no task is ready or asleep, and no event comes from outside.
 *   - PT_SITES costs one store per suspension. A task that is done still has its line.
 *
 * Try: remove the definition of PT_SITES. What does the dump still show? */
#define PT_SITES 1
#include <pt/inspect.h>
#include <pt/posix.h>

#include <stdio.h>
#include <string.h>

struct ask {
    struct pt pt;
    struct pt_task *whom;
};

PT_ASYNC(ask, self)
{
    PT_JOIN(self->whom);
}
PT_END

struct person {
    struct pt pt;
    struct pt_task *colleague;
    struct ask ask;
};

PT_ASYNC(person, self)
{
    PT_WAIT_COMPLETE(&self->ask, ask, .whom = self->colleague);
}
PT_END

struct kitchen {
    struct pt pt;
    struct pt_group staff;
    PT_TASK(person) cook, waiter;
};

PT_ASYNC(kitchen, self)
{
    PT_WITH_GROUP(&self->staff, PT_GROUP_ALL) {
        PT_SPAWN_IN(&self->staff, &self->cook, person, .colleague = &self->waiter.task);
        PT_SPAWN_IN(&self->staff, &self->waiter, person, .colleague = &self->cook.task);
        pt_task_rename(&self->cook.task, "cook");
        pt_task_rename(&self->waiter.task, "waiter");
    }
}
PT_END

static void print(void *context, const char *text) /* a path comes as one text */
{
    fputs(strrchr(text, '/') ? strrchr(text, '/') + 1 : text, (FILE *)context);
}

int main(void)
{
    static PT_TASK(kitchen) kitchen_task;
    struct pt_loop loop;

    pt_loop_open(&loop, &pt_posix);
    PT_START(&loop, &kitchen_task, kitchen);
    printf("%s\n", pt_status_name(pt_loop_run(&loop)));
    pt_dump(&loop, print, stdout);
    printf("%u tasks are stuck\n", pt_dump_stuck(&loop, NULL, print, stdout));
    for (struct pt_task *task = pt_loop_task(&loop, NULL); task; task = pt_loop_task(&loop, task))
        if (pt_task_parent(task) && pt_task_state(task) == PT_TASK_WAITING)
            printf("the %s %s\n", pt_task_name(task), pt_task_doing(task));
    pt_loop_cancel(&loop, PT_ECANCELED);
    pt_loop_run(&loop);
    pt_dump_task(&kitchen_task.task, 0, print, stdout);
    pt_loop_close(&loop);
    return 0;
}
