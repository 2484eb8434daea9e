/* fake_porting.c - runs the button of doc/porting.md in virtual time, with bouncing edges, and ends it
 * SPDX-License-Identifier: MIT */
#include <pt/pt.h>

#include <stdio.h>

static bool pin;

static bool board_button(void)
{
    return pin;
}

#include "button.inc"

static struct pt_loop loop;
static pt_time now = (pt_time)0 - PT_MS(110); /* the clock wraps in a bounce */

static pt_time board_now(void)
{
    return now += PT_MS(1);
}

static void end_all(void)
{
#include "end.inc"
}

/* The times at which the pin changes, in milliseconds; first down. The button is pressed and
 * released twice; in between there is a pulse that is too short to be a press. */
static const unsigned edges[] = {100, 101, 103, 106, 112, 300, 302, 305, 400,
                                 403, 500, 501, 518, 519, 519, 600, 615, 616};

int main(void)
{
    static PT_LOOP_STORAGE(1) storage;
    static PT_TASK(button) key;
    struct pt_waker pressed;
    pt_time next;
    unsigned edge = 0;

    pt_loop_init(&loop, now);
    pt_loop_use(&loop, &storage);
    pt_waker_open(&pressed, &loop, &key.task);
    PT_START(&loop, &key, button, .presses = 0, .down = false);
    next = pt_loop_turn(&loop, now);
    for (unsigned ms = 0; ms < 1000; ms++, now += PT_MS(1)) {
        for (; edge < sizeof edges / sizeof *edges && edges[edge] == ms; edge++) {
            pin = !pin;
            pt_waker_post(&pressed);
        }
        if (pt_loop_posted(&loop) || !pt_loop_idle(&loop) || !pt_time_before(now, next))
            next = pt_loop_turn(&loop, now);
    }
    end_all();
    printf("%u presses, %s\n", key.frame.presses, pt_status_name(pt_task_status(&key.task)));
    return pt_task_alive(&key.task) || key.frame.presses != 2 || key.frame.down;
}
