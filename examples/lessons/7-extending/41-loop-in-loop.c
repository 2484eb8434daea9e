/* 41-loop-in-loop.c - a loop that is a task of another loop
 * SPDX-License-Identifier: MIT
 *
 * The fish live in a loop of their own, the aquarium, which is one task of the house.
 *
 *     pt_loop_async   a coroutine that runs a loop: start it, as here, or await it
 *     pt_task_paused  whether a task is paused
 *
 * What to notice:
 *   - It ends when its loop has no task left.
 *   - It sleeps until the first of its fish has something to do: it does not poll.
 *   - Pausing that one task freezes everything in it.
 *   - Its time is the outer time: moves due at 2 and 3 s, during the pause, come at 5 s.
 *
 * Try: cancel the aquarium in the place of the pause. What becomes of the fish? */
#include <pt/posix.h>

#include <stdio.h>

#define SAY(text) printf("%u s  %s\n", (unsigned)(PT_NOW() / PT_SEC(1)), text)

struct fish {
    struct pt pt;
    const char *name;
    pt_time rest;
    int moves;
};

PT_ASYNC(fish, self)
{
    for (self->moves = 0; self->moves < 3; self->moves++) {
        PT_WAIT(self->rest);
        SAY(self->name);
    }
}
PT_END

static PT_TASK(pt_loop_async) aquarium_task;

struct winter {
    struct pt pt;
};

PT_ASYNC(winter, self)
{
    PT_WAIT(PT_MS(1500));
    pt_pause(&aquarium_task.task);
    SAY("the aquarium freezes");
    PT_WAIT(PT_MS(3500));
    SAY(pt_task_paused(&aquarium_task.task) ? "the aquarium thaws" : "was it not frozen?");
    pt_resume(&aquarium_task.task);
    PT_JOIN(&aquarium_task.task);
    SAY("no fish moves any more");
}
PT_END

int main(void)
{
    static PT_TASK(fish) herring, whale;
    static PT_TASK(winter) winter_task;
    struct pt_virtual world;
    struct pt_loop house, aquarium;

    pt_virtual_init(&world, 0, &pt_posix);
    pt_loop_open(&house, &world.port);
    pt_loop_open(&aquarium, &world.port);
    PT_START(&aquarium, &herring, fish, .name = "  herring", .rest = PT_SEC(1));
    PT_START(&aquarium, &whale, fish, .name = "  whale", .rest = PT_SEC(3));
    PT_START(&house, &winter_task, winter);
    PT_START(&house, &aquarium_task, pt_loop_async, .loop = &aquarium);
    pt_loop_run(&house);
    pt_loop_close(&aquarium);
    pt_loop_close(&house);
    return 0;
}
