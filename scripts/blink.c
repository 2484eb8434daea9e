/* blink.c - the first program of a newcomer, with the default knobs: scripts/size and test/suites/cross look at it
 * SPDX-License-Identifier: MIT */
#include <pt/pt.h>

/* The board, which is not counted. */
pt_time board_now(void);
void board_sleep_until(pt_time until);
void board_led(bool on);

struct blink {
    struct pt pt;
};

static PT_ASYNC(blink, self)
{
    for (;;) {
        board_led(true);
        PT_WAIT(PT_MS(500));
        board_led(false);
        PT_WAIT(PT_MS(500));
    }
}
PT_END

static struct pt_loop loop;
static PT_TASK(blink) led;

int main(void)
{
    pt_loop_init(&loop, board_now());
    PT_START(&loop, &led, blink);
    for (;;)
        pt_loop_turn_and_sleep(&loop, board_now, board_sleep_until);
}
