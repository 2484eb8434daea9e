/* 05-spawn.c - a task that starts tasks, and goes on at once
 * SPDX-License-Identifier: MIT
 *
 * What to notice:
 *   - PT_SPAWN puts the new task behind those that are ready; the spawner does not wait for it.
 *   - Its storage is the spawner's to give: here three tasks in its own frame. They must be done
 *     before it is, or it would take the ground from under them; lesson 07 waits more nicely.
 *   - Storage in use is refused with a code (with -DPT_DEBUG=1 the program stops there, and
 *     says why); storage of a task that is done may be used again.
 *   - PT_DECLARE names a coroutine whose body comes later, or stands in another file. */
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
