/* none.c - the board without the product, which is subtracted to get its cost
 * SPDX-License-Identifier: MIT */
#include "product.h"

void board_received(void)
{
}

void sampler_done(void)
{
}

/* Use everything that the product needs from its board, once. */
int main(void)
{
    static uint8_t samples[SAMPLES];

    board_start();
    for (;;) {
        board_state state = board_lock();

        if (!board_has_input() && !board_rang())
            board_sleep();
        board_unlock(state);
        board_wake_at(board_now());
        board_led(1, board_put((char)board_get()));
        sampler_start(samples);
        sampler_abort();
        sampler_reset();
    }
}
