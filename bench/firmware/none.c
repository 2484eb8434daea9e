/* none.c - a board and no program: what is subtracted from one to see what it costs
 * SPDX-License-Identifier: MIT */
#include "board.h"

void board_received(void)
{
}

/* Everything that a program asks of its board, once. */
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
