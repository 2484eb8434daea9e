/* part.c - a trace on a part: two tasks that sleep, and a ring that a debugger reads
 * SPDX-License-Identifier: MIT */
#include "run.h"

#include <pt/inspect.h>

struct blink {
    struct pt pt;
    bool on;
};

static PT_ASYNC(blink, self)
{
    for (;;) {
        board_led(0, self->on = !self->on);
        PT_WAIT(PT_MS(20));
    }
}
PT_END

struct poll {
    struct pt pt;
    uint8_t seen;
};

static PT_ASYNC(poll, self)
{
    for (;;) {
        self->seen = (uint8_t)(self->seen << 1 | board_button());
        PT_WAIT(PT_MS(5));
    }
}
PT_END

static struct pt_loop loop;
static PT_TASK(blink) led;
static PT_TASK(poll) button;
static struct pt_trace tracer;
static struct pt_trace_event ring[32];

void board_received(void)
{
}

int main(void)
{
    board_start();
    pt_loop_init(&loop, board_now());
    pt_trace_start(&tracer, &loop, ring, sizeof ring / sizeof ring[0]);
    PT_START(&loop, &led, blink);
    PT_START(&loop, &button, poll);
    for (;;)
        board_turn(&loop, &button.task);
}
