/* first.c - a press changes the pace of an LED; who holds the button for a second switches it off
 * SPDX-License-Identifier: MIT
 *
 * It names no part: main.c has the pins, the clock and the sleep. */
#include "first.h"

enum { OFF, SLOW, FAST };

static uint8_t pace = SLOW;

struct blinker {
    struct pt pt;
    bool lit;
};

static PT_ASYNC(blinker, self)
{
    for (;;) {
        self->lit = pace != OFF && !self->lit;
        board_led(self->lit);
        PT_WAIT(pace == FAST ? PT_MS(100) : PT_MS(500));
    }
}
PT_END

struct button {
    struct pt pt;
    struct pt_scope limit;
};

static PT_ASYNC(button, self)
{
    for (;;) {
        PT_PARK();          /* until an edge */
        PT_WAIT(PT_MS(20)); /* until it has stopped bouncing */
        if (!board_button())
            continue;
        PT_WITH_TIMEOUT(&self->limit, PT_SEC(1)) {
            while (board_button())
                PT_PARK();
        }
        if (pt_timed_out(&self->limit))
            pace = OFF;
        else
            pace = pace == SLOW ? FAST : SLOW;
    }
}
PT_END

static PT_TASK(blinker) blinker;
static PT_TASK(button) button;
static struct pt_waker edge;

void first_edge(void)
{
    pt_waker_post(&edge);
}

void first_start(struct pt_loop *loop)
{
    pt_waker_open(&edge, loop, &button.task);
    (void)PT_START(loop, &blinker, blinker, .lit = false);
    (void)PT_START(loop, &button, button);
}
