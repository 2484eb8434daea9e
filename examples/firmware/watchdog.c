/* watchdog.c - a task that takes too long, or does not report, is named; the watchdog is not fed
 * SPDX-License-Identifier: MIT
 *
 * What to notice:
 *   - A task whose steps all end, and that waits for ever, is found by its ward: it has promised to
 *     report every 100 ms (services/watchdog.h).
 *   - pt_watch reads the clock before and after each step, and names a task that took over 20 ms.
 *   - A step that never ends is never reported: there the watchdog resets the part. An interrupt
 *     shortly before can find the task with pt_watch_stuck.
 *   - The program defines PT_PANIC: an error that pt finds ends in `panic`, not in a trap. Here a
 *     task is started while it is alive, and PT_DEBUG stops the program.
 * Built with services/watchdog.c. Needs PT_INSPECT, PT_PORT and PT_DEBUG. */
extern void panic(const char *what, const char *where);
#define PT_PANIC(what, where, line) panic(what, where)

#include "services/watchdog.h"
#include "run.h"

#include <pt/inspect.h>

static struct pt_loop loop;
static struct pt_watch watch;
static bool fed;

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

static struct ward worker_ward, hog_ward;

struct worker {
    struct pt pt;
};

static PT_ASYNC(worker, self)
{
    for (;;) {
        PT_WAIT(PT_MS(50));
        ward_report(&worker_ward, PT_NOW());
    }
}
PT_END

struct hog {
    struct pt pt;
};

/* Busy for 30 ms: it should split its work into steps. Then it waits for what never comes. */
static PT_ASYNC(hog, self)
{
    PT_WAIT(PT_MS(50));
    while ((pt_time)(board_now() - PT_NOW()) < PT_MS(30)) {
    }
    ward_report(&hog_ward, board_now());
    for (;;)
        PT_PARK();
}
PT_END

static void complain(struct pt_watch *self, struct pt_task *task, pt_time ticks)
{
    (void)self;
    (void)ticks;
    say(pt_task_name(task));
    say(" takes too long\n");
}

/* A product writes to a register. */
static void feed(struct watchdog *self)
{
    (void)self;
    if (!fed)
        say("fed\n");
    fed = true;
}

static void late(struct watchdog *self, const struct ward *ward)
{
    (void)self;
    say(ward->name);
    say(" is late: not fed\n");
    fed = false;
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
    static struct watchdog dog = {.feed = feed, .late = late};
    static PT_TASK(watchdog_guard) guard;
    static PT_TASK(worker) worker;
    static PT_TASK(hog) hog;
    pt_time end;

    board_start();
    pt_loop_open(&loop, &port);
    pt_watch_start(&watch, &loop, PT_MS(20), complain);
    watchdog_add(&dog, &worker_ward, "worker", PT_MS(100), board_now());
    watchdog_add(&dog, &hog_ward, "hog", PT_MS(100), board_now());
    PT_START(&loop, &guard, watchdog_guard, .dog = &dog, .every = PT_MS(40));
    PT_START(&loop, &worker, worker);
    PT_START(&loop, &hog, hog);
    end = (pt_time)(board_now() + PT_MS(400));
    while (pt_time_before(board_now(), end))
        board_turn(&loop, &worker.task);
    PT_START(&loop, &worker, worker); /* a mistake: the task is alive */
    return 1;
}
