/* input.c - the reading side of input.h
 * SPDX-License-Identifier: MIT */
#include "input.h"

struct input input;

bool board_has_input(void)
{
    return input.written != input.taken;
}

int board_get(void)
{
    uint_fast8_t taken = input.taken;
    uint8_t byte;

    if (input.written == taken)
        return -1;
    byte = input.bytes[taken & (BOARD_INPUT - 1)];
    input.taken = (uint_fast8_t)(taken + 1);
    return byte;
}
