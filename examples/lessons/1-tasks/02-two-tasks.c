/* 02-two-tasks.c - two tasks alternate in a loop
 * SPDX-License-Identifier: MIT
 *
 * A task is a resumable function that a loop runs. PT_YIELD lets the other tasks run.
 *
 * What to notice:
 *   - Neither function knows about the other one, or about the loop.
 *   - PT_TASK(apollo) declares the storage of one task: here a static variable, no malloc.
 *   - pt_loop_run returns when no task is left. */
#include <pt/posix.h>

#include <stdio.h>

struct apollo {
    struct pt pt;
};

PT_ASYNC(apollo, self)
{
    puts("Start Apollo-01");
    PT_YIELD();
    puts("Start Apollo-02");
    PT_YIELD();
    puts("Start Apollo-03");
}
PT_END

struct artemis {
    struct pt pt;
};

PT_ASYNC(artemis, self)
{
    puts("Start Artemis-01");
    PT_YIELD();
    puts("Start Artemis-02");
    PT_YIELD();
    puts("Start Artemis-03");
}
PT_END

static PT_TASK(apollo) task1;
static PT_TASK(artemis) task2;

int main(void)
{
    struct pt_loop loop;

    pt_loop_open(&loop, &pt_posix);
    PT_START(&loop, &task1, apollo);
    PT_START(&loop, &task2, artemis);
    pt_loop_run(&loop);
    pt_loop_close(&loop);
    return 0;
}
