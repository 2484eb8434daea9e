/* watchdog.c - a task that takes too long is named, and the watchdog is not fed
 * SPDX-License-Identifier: MIT
 *
 * What to notice:
 *   - pt_watch looks at the clock around each step, and tells whose took more than 20 ms.
 *   - The watchdog is fed between turns, after those of which nothing was told. Of a step that never
 *     ends nothing is told: there the watchdog bites, and an interrupt before it can ask
 *     pt_watch_stuck who it is.
 *   - PT_PANIC is the program's own: what pt finds wrong ends in `panic` and not in a trap. Here a
 *     task is started that still runs, which PT_DEBUG does not forgive.
 * Needs PT_INSPECT, PT_PORT and PT_DEBUG. */
extern void panic(const char *what, const char *where);
#define PT_PANIC(what, where, line) panic(what, where)

#include "run.h"

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

/* Busy for 30 ms: it should do a part of its work in each step. */
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
    static const struct pt_port port = {now, NULL, NULL, NULL, NULL}; /* the watch's clock */
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
    PT_START(&loop, &worker, worker); /* a mistake */
    return 1;
}
