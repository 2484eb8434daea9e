/* none.c - a board without a program, which is subtracted from a program to get its cost
 * SPDX-License-Identifier: MIT */
#include "board.h"

void board_received(void)
{
}

/* Use everything that a program needs from its board, once. */
int main(void)
{
    board_start();
    for (;;) {
        board_state state = board_lock();

        if (!board_has_input() && !board_rang())
            board_sleep();
        board_unlock(state);
        board_wake_at(board_now());
        board_led((uint8_t)board_get(), board_button());
    }
}
