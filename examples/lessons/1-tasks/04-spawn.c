/* 04-spawn.c - a task starts other tasks and continues at once
 * SPDX-License-Identifier: MIT
 *
 * A body can start tasks, too. They run beside it, in storage that it supplies.
 *
 *     PT_SPAWN         start a task, from a body; it runs after the tasks that are ready
 *     self->pt.status  the code of the last operation in this body: here of PT_SPAWN
 *     .task, .frame    the members of a PT_TASK: what the loop knows of the task, and its struct
 *     pt_task_alive    whether a task was started and has not ended; pt_task_done: whether it has
 *                      ended
 *     pt_task_status   the code that it ended with; PT_OK if nothing failed
 *     pt_status_name   the name of a code; pt_status_text: its meaning
 *     PT_DECLARE       names a coroutine that is defined later, or in another file
 *
 * What to notice:
 *   - PT_SPAWN does not wait: the spawner continues at once.
 *   - The spawner supplies the storage: here three tasks in its own frame.
 *   - So the engines must be done before the rocket is, or its frame could be freed or used again
 *     while they still run. Here the rocket yields until they are done; lesson 06 shows a better
 *     way to wait.
 *   - Storage that is in use is refused with an error code. Storage of a task that is done can be
 *     used again.
 *
 * Try: build with -DPT_DEBUG=1. The program stops at the refused spawn, with a message. */
#include <pt/posix.h>

#include <stdio.h>

struct engine {
    struct pt pt;
    int number;
};

PT_DECLARE(engine);

struct rocket {
    struct pt pt;
    int i;
    PT_TASK(engine) engines[3];
};

PT_ASYNC(rocket, self)
{
    for (self->i = 0; self->i < 3; self->i++) {
        printf("ignite %d\n", self->i + 1);
        PT_SPAWN(&self->engines[self->i], engine, .number = self->i + 1);
    }
    printf("all ignited, none has run: that takes a turn\n");
    PT_YIELD();
    PT_SPAWN(&self->engines[0], engine, .number = 1);
    printf("ignite 1 once more: %s\n", pt_status_text(self->pt.status));
    while (!pt_task_done(&self->engines[2].task))
        PT_YIELD();
    printf("engine 3 ended with %s\n", pt_status_name(pt_task_status(&self->engines[2].task)));
    PT_SPAWN(&self->engines[0], engine, .number = 1);
    printf("ignite 1 now: %s\n", pt_status_name(self->pt.status));
    while (pt_task_alive(&self->engines[0].task))
        PT_YIELD();
    printf("liftoff\n");
}
PT_END

PT_ASYNC(engine, self)
{
    printf("engine %d starts\n", self->number);
    PT_YIELD();
    printf("engine %d stops\n", self->number);
}
PT_END

int main(void)
{
    static PT_TASK(rocket) task;
    struct pt_loop loop;

    pt_loop_open(&loop, &pt_posix);
    PT_START(&loop, &task, rocket);
    pt_loop_run(&loop);
    pt_loop_close(&loop);
    return 0;
}
