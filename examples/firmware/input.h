/* input.h - the bytes that a UART interrupt has received, until a task takes them
 * SPDX-License-Identifier: MIT
 *
 * For one writer, the interrupt, and one reader: each index has one owner, and a byte is stored
 * before the index says so. No lock is needed, and none is lost but to a reader that is slower
 * than the line for longer than the ring lasts: then the newest. */
#ifndef INPUT_H
#define INPUT_H

#include "board.h"

#ifndef BOARD_INPUT
#define BOARD_INPUT 16 /* a power of two, up to 128 */
#endif

extern struct input {
    volatile uint_fast8_t written, taken; /* each is read and written in one instruction */
    volatile uint8_t bytes[BOARD_INPUT];
} input;

/* input_received - of an interrupt: a byte has come; the program is told */
static inline void input_received(uint8_t byte)
{
    uint_fast8_t written = input.written;

    if ((uint_fast8_t)(written - input.taken) < BOARD_INPUT) {
        input.bytes[written & (BOARD_INPUT - 1)] = byte;
        input.written = (uint_fast8_t)(written + 1);
    }
    board_received();
}

#endif
