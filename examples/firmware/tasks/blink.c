/* blink.c - an LED at one of two rates
 * SPDX-License-Identifier: MIT */
#include "tasks.h"

PT_ASYNC(blink, self)
{
    for (;;) {
        board_led(self->led, true);
        PT_WAIT(self->fast ? self->fast_half : self->slow_half);
        board_led(self->led, false);
        PT_WAIT(self->fast ? self->fast_half : self->slow_half);
    }
}
PT_END
