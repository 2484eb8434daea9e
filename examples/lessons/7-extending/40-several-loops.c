/* 40-several-loops.c - several loops, and how to find the running task
 * SPDX-License-Identifier: MIT
 *
 * A program can have several loops, and a function can ask a loop what it does.
 *
 *     pt_loop_ready  how many other tasks could run now: at 0, there is no need to yield
 *     pt_loop_live   how many tasks are left, those that sleep included
 *
 * What to notice:
 *   - A loop is a struct, without global state, so a program can have any number of loops.
 *   - Each loop can have its own thread, as long as no two threads touch the same loop.
 *   - pt_loop_current (lesson 27) returns the running task, and its member task->top the frame that
 *     runs. Between turns it returns NULL.
 *
 * Try: let the worker yield in any case. Do the lines change? */
#include <pt/posix.h>

#include <stdio.h>

struct worker {
    struct pt pt;
    struct pt_loop *loop;
    const char *name;
    int parts;
};

/* Prints what it can find out about the running task. */
static void log_line(struct pt_loop *loop, const char *text)
{
    struct pt_task *task = pt_loop_current(loop);
    const char *name = task ? ((struct worker *)(void *)task->top)->name : "nobody";

    printf("%-6s %-7s ready %u, live %u\n", name, text, (unsigned)pt_loop_ready(loop),
           pt_loop_live(loop));
}

PT_ASYNC(worker, self)
{
    for (; self->parts > 0; self->parts--) {
        log_line(self->loop, "works");
        if (pt_loop_ready(self->loop))
            PT_YIELD();
    }
    log_line(self->loop, "leaves");
}
PT_END

int main(void)
{
    static PT_TASK(worker) ann, bob, cid;
    struct pt_loop day, night;

    pt_loop_open(&day, &pt_posix);
    pt_loop_open(&night, &pt_posix);
    PT_START(&day, &ann, worker, .loop = &day, .name = "Ann", .parts = 1);
    PT_START(&day, &bob, worker, .loop = &day, .name = "Bob", .parts = 3);
    PT_START(&night, &cid, worker, .loop = &night, .name = "Cid", .parts = 2);

    log_line(&day, "yet");
    pt_loop_run(&day);
    log_line(&day, "left");
    pt_loop_run(&night);
    log_line(&night, "left");
    pt_loop_close(&night);
    pt_loop_close(&day);
    return 0;
}
