/* pins.c - the LEDs and the button of an Uno: pin 13 (its LED) and 12; pin 2, to ground
 * SPDX-License-Identifier: MIT */
#include "board.h"
#include "registers.h"

void pins_start(void);
void pins_start(void)
{
    DDRB = 0x30;
    PORTD = 0x04; /* the button's pull-up */
}

void board_led(uint8_t led, bool on)
{
    uint8_t bit = led ? 0x10 : 0x20;

    if (on)
        PORTB |= bit;
    else
        PORTB &= (uint8_t)~bit;
}

bool board_button(void)
{
    return !(PIND & 0x04);
}
