/* watchdog.c - a task that takes too long is named, and the watchdog is not fed
 * SPDX-License-Identifier: MIT
 *
 * What to notice:
 *   - pt_watch reads the clock before and after each step, and names a task that took over 20 ms.
 *   - The watchdog is fed after each turn without such a report.
 *   - A step that never ends is never reported: there the watchdog resets the part. An interrupt
 *     shortly before can find the task with pt_watch_stuck.
 *   - The program defines PT_PANIC: an error that pt finds ends in `panic`, not in a trap. Here a
 *     task is started while it is alive, and PT_DEBUG stops the program.
 * Needs PT_INSPECT, PT_PORT and PT_DEBUG. */
extern void panic(const char *what, const char *where);
#define PT_PANIC(what, where, line) panic(what, where)

#include "run.h"

#include <pt/inspect.h>

static struct pt_loop loop;
static struct pt_watch watch;
static bool hungry;

static void say(const char *text)
{
    for (; *text; text++)
        while (!board_put(*text)) {
        }
}

void board_end(int code);

void panic(const char *what, const char *where)
{
    say(where);
    say(": ");
    say(what);
    say("\n");
    board_end(0); /* a product would restart */
}

struct worker {
    struct pt pt;
};

static PT_ASYNC(worker, self)
{
    for (;;)
        PT_WAIT(PT_SEC(1));
}
PT_END

struct hog {
    struct pt pt;
};

/* Busy for 30 ms: it should split its work into steps. */
static PT_ASYNC(hog, self)
{
    PT_WAIT(PT_MS(50));
    while ((pt_time)(board_now() - PT_NOW()) < PT_MS(30)) {
    }
    PT_WAIT(PT_MS(50));
}
PT_END

static void complain(struct pt_watch *self, struct pt_task *task, pt_time ticks)
{
    (void)self;
    (void)ticks;
    say(pt_task_name(task));
    say(" takes too long\n");
    hungry = true;
}

static void watchdog_feed(void)
{
    say(hungry ? "not fed\n" : "fed\n");
    hungry = false;
}

static pt_time now(void *context)
{
    (void)context;
    return board_now();
}

void board_received(void)
{
}

int main(void)
{
    static const struct pt_port port = {now,  NULL, NULL, NULL,
                                        NULL, NULL, 0,    false}; /* the watch's clock */
    static PT_TASK(worker) worker;
    static PT_TASK(hog) hog;

    board_start();
    pt_loop_open(&loop, &port);
    pt_watch_start(&watch, &loop, PT_MS(20), complain);
    PT_START(&loop, &worker, worker);
    PT_START(&loop, &hog, hog);
    while (pt_task_alive(&hog.task)) {
        board_turn(&loop, &worker.task);
        watchdog_feed();
    }
    PT_START(&loop, &worker, worker); /* a mistake: the task is alive */
    return 1;
}
