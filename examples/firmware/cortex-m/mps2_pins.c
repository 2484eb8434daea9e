/* mps2_pins.c - two LEDs and a button of an MPS2 board
 * SPDX-License-Identifier: MIT */
#include "board.h"
#include "cortex-m.h"

#define FPGA_LEDS REGISTER(0x40028000)
#define FPGA_BUTTONS REGISTER(0x40028008)

void board_led(uint8_t led, bool on)
{
    uint32_t bit = 1u << led;

    FPGA_LEDS = on ? FPGA_LEDS | bit : FPGA_LEDS & ~bit;
}

bool board_button(void)
{
    return FPGA_BUTTONS & 1;
}
