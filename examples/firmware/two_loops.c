/* two_loops.c - one loop runs in an interrupt and preempts the loop of main
 * SPDX-License-Identifier: MIT
 *
 * What to notice:
 *   - Two loops share nothing, so one can interrupt the other in the middle of a step: here a task
 *     of main is busy for 50 ms, while a task of the upper loop runs every 5 ms.
 *   - The upper loop has no idle step: its interrupt comes about every millisecond, and runs a turn
 *     if a task is due or something was posted.
 *   - The loops communicate through pt_remote_post, in either direction.
 * The interrupt depends on the board: see upper.c in its folder, or cortex-m/mps2_upper.c. */
#include "run.h"

void upper_start(void); /* of the board: enable an interrupt that calls upper_turn */
void upper_turn(void);

static struct pt_loop upper, lower;
static struct pt_remote bell; /* acts in the lower loop */

static void say(const char *text)
{
    for (; *text; text++)
        while (!board_put(*text)) {
        }
}

/* --- the upper loop ------------------------------------------------------------------------ */

struct control {
    struct pt pt;
    uint8_t runs;
};

static PT_ASYNC(control, self)
{
    for (;;) {
        if (++self->runs == 40)
            pt_remote_post(&bell);
        PT_WAIT(PT_MS(5));
    }
}
PT_END

static PT_TASK(control) control;

static pt_time upper_next; /* when it needs a turn */

void upper_turn(void)
{
    pt_time now = board_now();

    if (pt_loop_posted(&upper) || !pt_time_before(now, upper_next))
        upper_next = pt_loop_turn(&upper, now);
}

/* --- the lower loop ------------------------------------------------------------------------ */

struct busy {
    struct pt pt;
    uint8_t before;
};

static PT_ASYNC(busy, self)
{
    PT_WAIT(PT_MS(10));
    self->before = control.frame.runs;
    while ((pt_time)(board_now() - PT_NOW()) < PT_MS(50)) {
    }
    say((uint8_t)(control.frame.runs - self->before) >= 9
            ? "the upper loop ran in a step of the lower\n"
            : "the upper loop had to wait\n");
}
PT_END

struct listener {
    struct pt pt;
};

static PT_ASYNC(listener, self)
{
    PT_PARK();
    say("the upper loop rang\n");
}
PT_END

void board_received(void)
{
}

int main(void)
{
    static PT_TASK(busy) busy;
    static PT_TASK(listener) listener;

    board_start();
    pt_loop_init(&upper, upper_next = board_now());
    pt_loop_init(&lower, board_now());
    pt_remote_open(&bell, &lower, pt_remote_wake, &listener.task);
    PT_START(&upper, &control, control);
    PT_START(&lower, &busy, busy);
    PT_START(&lower, &listener, listener);
    upper_start();
    while (pt_task_alive(&listener.task))
        board_turn_posted(&lower);
    return 0;
}
