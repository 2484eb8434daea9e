/* scene.h - what the programs of this folder share: a loop in virtual time that goes on, and a search
 * SPDX-License-Identifier: MIT
 *
 * A program defines `scene`, which starts its tasks. After a while main prints which of
 * them are stuck. A task that ticks keeps the loop alive, as in a server: nothing has stopped. */
#ifndef SCENE_H
#define SCENE_H

#include <pt/host.h>
#include <pt/inspect.h>

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void scene(struct pt_loop *loop);

/* New memory, zeroed, to which only pointers lead. */
#define NEW(type) ((type *)calloc(1, sizeof(type)))

struct tick {
    struct pt pt;
};

static PT_ASYNC(tick, self)
{
    for (;;)
        PT_WAIT(PT_MS(100));
    (void)self;
}
PT_END

/* Print a task that is stuck: its circle, its name, what it does, and which task it waits for. */
static pt_stuck_found tell;

static void tell(void *context, const struct pt_stuck *stuck)
{
    *(unsigned *)context += 1;
    if (stuck->circle)
        printf("%s circle %u: ", stuck->exact ? "deadlock," : "suspected,", stuck->circle);
    else
        printf("%s ", stuck->exact ? "behind a deadlock:" : "suspected:");
    printf("%s %s", pt_task_name(stuck->task), pt_task_doing(stuck->task));
    printf(stuck->waits_for ? ", needs %s\n" : "\n",
           stuck->waits_for ? pt_task_name(stuck->waits_for) : "");
}

static void print(void *context, const char *text)
{
    fputs(text, (FILE *)context);
}

int main(int arguments, char **argument)
{
    static struct pt_loop loop;
    static PT_TASK(tick) ticking;
    static struct pt_virtual world;
    static unsigned count;

    pt_virtual_init(&world, 1, &pt_posix);
    pt_loop_open(&loop, &world.port);
    PT_START(&loop, &ticking, tick);
    scene(&loop);
    for (int i = 0; i < 100; i++) {
        pt_loop_turn(&loop, world.now);
        world.now += PT_MS(10);
    }
    if (arguments > 1 && argument[1][0] == '-')
        count = pt_print_stuck(&loop, print, stdout); /* with the place of each task */
    else if (pt_find_stuck(&loop, tell, &count) != PT_OK)
        printf("the blocks of malloc are not known here\n");
    printf("%u of %u tasks are stuck\n", count, pt_loop_live(&loop) - 1);
    fflush(stdout);
    if (arguments > 1 && argument[1][0] == 'w')
        pause(); /* so that pt-ps --stuck can look at it */
    return 0;
}

#endif
