/* pins.c - the LEDs and the button of a microbit: two LEDs of its matrix; button A
 * SPDX-License-Identifier: MIT */
#include "board.h"
#include "registers.h"

enum { ROW1 = 13, COLUMN1 = 4, COLUMN2 = 5, BUTTON_A = 17 };

void pins_start(void);
void pins_start(void)
{
    GPIO_DIRSET = 1u << ROW1 | 1u << COLUMN1 | 1u << COLUMN2;
    GPIO_OUTSET = 1u << ROW1 | 1u << COLUMN1 | 1u << COLUMN2; /* lit if the column is low */
    GPIO_CNF(BUTTON_A) = 0;                                   /* an input; the board pulls it up */
}

void board_led(uint8_t led, bool on)
{
    uint32_t bit = 1u << (led ? COLUMN2 : COLUMN1);

    if (on)
        GPIO_OUTCLR = bit;
    else
        GPIO_OUTSET = bit;
}

bool board_button(void)
{
    return !(GPIO_IN & 1u << BUTTON_A);
}
