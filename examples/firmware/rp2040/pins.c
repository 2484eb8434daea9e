/* pins.c - the LEDs and the button of a Pico: its own LED, one at pin 15, a button at pin 14
 * SPDX-License-Identifier: MIT */
#include "board.h"
#include "registers.h"

/* The button connects its pin to ground. */
enum { LED = 25, LED2 = 15, BUTTON = 14 };
enum { BY_SIO = 5 };                     /* who has the pin */
enum { INPUT_PULLED_UP = 0x40 | 8 | 2 }; /* enabled, pulled up, with a Schmitt trigger */

void pins_start(void);
void pins_start(void)
{
    PIN_CTRL(LED) = BY_SIO;
    PIN_CTRL(LED2) = BY_SIO;
    SIO_DRIVE_SET = 1u << LED | 1u << LED2;
    PIN_CTRL(BUTTON) = BY_SIO;
    PAD(BUTTON) = INPUT_PULLED_UP;
}

void board_led(uint8_t led, bool on)
{
    uint32_t bit = 1u << (led ? LED2 : LED);

    if (on)
        SIO_OUT_SET = bit;
    else
        SIO_OUT_CLEAR = bit;
}

bool board_button(void)
{
    return !(SIO_IN & 1u << BUTTON);
}
