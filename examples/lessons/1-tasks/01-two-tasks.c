/* 01-two-tasks.c - two tasks alternate in a loop
 * SPDX-License-Identifier: MIT
 *
 * A function that stops in the middle, and continues later, is a coroutine. A task is a coroutine
 * that a loop runs. PT_YIELD lets the other tasks run.
 *
 *     PT_ASYNC, PT_END  enclose the body of the coroutine; it is named like its struct
 *     self              the struct, which is called the frame; its first member is a struct pt
 *     PT_YIELD          stop here; the task continues after it, in the next turn of the loop
 *     PT_TASK(apollo)   the type of one task's storage: its frame, and what the loop needs
 *     PT_START          give a task to the loop: storage, coroutine, and fields, if it has some;
 *                       returns a code, which a real program checks: PT_OK, or why it failed
 *                       (lesson 04 has more about codes)
 *     struct pt_loop    the loop; pt_loop_open opens it, and pt_loop_close closes it
 *     pt_posix          a port: where the loop gets time and memory; this one is for Unix
 *     pt_loop_run       run the tasks; it returns when none is left
 *
 * What to notice:
 *   - Neither function knows about the other one, or about the loop.
 *   - The storage is a static variable: there is no malloc.
 *   - In each turn of the loop every ready task runs once, in the order in which they were started.
 *
 * Try: remove the first PT_YIELD of apollo. Which lines change places? */
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
