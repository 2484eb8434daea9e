/* rename_before_spawn.c - a name for a task that was never spawned
 * SPDX-License-Identifier: MIT
 * expect trap -DPT_DEBUG=1: pt_task_rename: the task was never spawned, and a spawn names it */
#include <pt/inspect.h>
#include <pt/pt.h>

struct body {
    struct pt pt;
};

PT_ASYNC(body, self)
{
    PT_PARK();
}
PT_END

int main(void)
{
    static struct pt_loop loop;
    static PT_LOOP_STORAGE(4) storage;
    static PT_TASK(body) task;

    pt_loop_init(&loop, 0);
    pt_loop_use(&loop, &storage);
    pt_task_rename(&task.task, "porter");
    return PT_START(&loop, &task, body) != PT_OK;
}
