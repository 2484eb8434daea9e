/* input.h - a ring of bytes from a UART interrupt to a task
 * SPDX-License-Identifier: MIT
 *
 * For one writer, the interrupt, and one reader. Each index has one owner, and a byte is stored
 * before its index moves, so no lock is needed. When the ring is full, new bytes are lost. */
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

/* input_received - called in the interrupt: store a byte and call board_received */
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
