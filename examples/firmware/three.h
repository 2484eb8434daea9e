/* three.h - what three.c and three_timeout.c share: an LED that blinks, a button, and a line's text
 * SPDX-License-Identifier: MIT */
#ifndef THREE_H
#define THREE_H

#include "run.h"

/* --- an LED ------------------------------------------------------------------------------ */

/* In ticks. With 16 bits it is never longer than a wait may be, so that PT_WAIT needs no check. */
static uint16_t period = (uint16_t)PT_MS(500);

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

/* --- a line ------------------------------------------------------------------------------ */

/* What has come of a line: "f" or "s" sets how fast the LED blinks. */
struct text {
    uint8_t length;
    char bytes[3];
};

static void text_take(struct text *text, char byte)
{
    if (byte != '\n') {
        if (text->length < sizeof text->bytes)
            text->bytes[text->length++] = byte;
        return;
    }
    if (text->length == 1 && text->bytes[0] == 'f')
        period = (uint16_t)PT_MS(100);
    if (text->length == 1 && text->bytes[0] == 's')
        period = (uint16_t)PT_MS(500);
    text->length = 0;
}

#endif
