/* pins.c - two LEDs and a button in memory, for a debugger to see
 * SPDX-License-Identifier: MIT */
#include "board.h"

volatile bool leds[2], button;

void pins_start(void);
void pins_start(void)
{
}

void board_led(uint8_t led, bool on)
{
    leds[led] = on;
}

bool board_button(void)
{
    return button;
}
