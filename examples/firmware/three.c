/* three.c - three tasks: an LED that blinks, a line from the UART with a timeout, a button
 * SPDX-License-Identifier: MIT
 *
 * The smallest such program, with the smallest pt: a sorted list of timers and no other feature.
 * A line "f" or "s" sets how fast LED 0 blinks. A line that pauses for a second is dropped. The
 * button switches LED 1 (three.h). bench/firmware compares it with the same program written by hand. */
#include "three.h"

struct line {
    struct pt pt;
    struct text text;
    uint16_t left; /* milliseconds until the incomplete line is dropped */
};

/* Parks until a line begins, then polls every millisecond: the smallest code. three_timeout.c sleeps
 * instead, for about 100 bytes. */
static PT_ASYNC(line, self)
{
    for (;;) {
        if (board_has_input()) {
            text_take(&self->text, (char)board_get());
            self->left = 1000;
        } else if (self->text.length == 0) {
            PT_PARK();
        } else if (--self->left == 0) {
            self->text.length = 0;
        } else {
            PT_WAIT(PT_MS(1));
        }
    }
}
PT_END

/* --- all of them ------------------------------------------------------------------------- */

static struct pt_loop loop;
static PT_TASK(blink) led;
static PT_TASK(line) reader;
static PT_TASK(button) key;

#if !PT_AWAIT && !PT_JOINS && !PT_POOLS && !PT_HOSTED /* the smallest tasks */
PT_ASSERT_SIZE(led, 20);
PT_ASSERT_SIZE(reader, 28);
PT_ASSERT_SIZE(key, 24);
#endif

void board_received(void)
{
}

int main(void)
{
    board_start();
    pt_loop_init(&loop, board_now());
    PT_START(&loop, &led, blink);
    PT_START(&loop, &reader, line);
    PT_START(&loop, &key, button);
    for (;;)
        board_turn(&loop, &reader.task);
}
