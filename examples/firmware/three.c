/* three.c - three tasks: an LED that blinks, a line from the UART with a timeout, a button
 * SPDX-License-Identifier: MIT
 *
 * The smallest such program, with the smallest pt: a sorted list of timers and no other feature.
 * A line "f" or "s" sets how fast LED 0 blinks. A line that pauses for a second is dropped. The
 * button switches LED 1. bench/firmware compares it with the same program written by hand. */
#include "run.h"

/* --- an LED ------------------------------------------------------------------------------ */

static pt_time period = PT_MS(500);

struct blink {
    struct pt pt;
};

static PT_ASYNC(blink, self)
{
    for (;;) {
        board_led(0, true);
        PT_WAIT(period);
        board_led(0, false);
        PT_WAIT(period);
    }
}
PT_END

/* --- a line ------------------------------------------------------------------------------ */

struct line {
    struct pt pt;
    uint8_t length;
    char text[3];
    uint16_t left; /* milliseconds until the incomplete line is dropped */
};

static void line_take(struct line *line, char byte)
{
    if (byte != '\n') {
        if (line->length < sizeof line->text)
            line->text[line->length++] = byte;
        line->left = 1000;
        return;
    }
    if (line->length == 1 && line->text[0] == 'f')
        period = PT_MS(100);
    if (line->length == 1 && line->text[0] == 's')
        period = PT_MS(500);
    line->length = 0;
}

/* Parks until a line begins, then polls every millisecond. PT_WITH_TIMEOUT would need no polling,
 * but costs more bytes (tasks/read_line.c). */
static PT_ASYNC(line, self)
{
    for (;;) {
        if (board_has_input())
            line_take(self, (char)board_get());
        else if (self->length == 0)
            PT_PARK();
        else if (--self->left == 0)
            self->length = 0;
        else
            PT_WAIT(PT_MS(1));
    }
}
PT_END

/* --- a button ---------------------------------------------------------------------------- */

struct button {
    struct pt pt;
    uint8_t seen; /* the last samples, one a bit */
    bool pressed, lit;
};

static PT_ASYNC(button, self)
{
    for (;;) {
        self->seen = (uint8_t)(self->seen << 1 | board_button());
        if (self->seen == 0xff && !self->pressed)
            board_led(1, self->lit = !self->lit);
        if (self->seen == 0xff || self->seen == 0)
            self->pressed = self->seen & 1;
        PT_WAIT(PT_MS(5));
    }
}
PT_END

/* --- all of them ------------------------------------------------------------------------- */

static struct pt_loop loop;
static PT_TASK(blink) led;
static PT_TASK(line) reader;
static PT_TASK(button) key;

#if !PT_AWAIT && !PT_JOINS && !PT_POOLS /* the smallest tasks */
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
