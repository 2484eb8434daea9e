/* sweep.c - the program under sweep: a task that waits for bytes, one that waits for time
 * SPDX-License-Identifier: MIT
 *
 * avr-sweep interrupts it at every instruction. How many bytes the listener has seen stands in
 * GPIOR1, how often the ticker has run in GPIOR2. */
#include "run.h"

#define SEEN (*(volatile uint8_t *)0x4a)
#define TICKED (*(volatile uint8_t *)0x4b)

struct listener {
    struct pt pt;
};

static PT_ASYNC(listener, self)
{
    for (;;) {
        while (board_get() >= 0)
            SEEN++;
        PT_PARK();
    }
}
PT_END

struct ticker {
    struct pt pt;
};

static PT_ASYNC(ticker, self)
{
    for (;;) {
        TICKED++;
        PT_WAIT(PT_MS(20));
    }
}
PT_END

void pins_start(void);
void pins_start(void)
{
}

void board_led(uint8_t led, bool on)
{
    (void)led;
    (void)on;
}

bool board_button(void)
{
    return false;
}

void board_received(void)
{
}

int main(void)
{
    static struct pt_loop loop;
    static PT_TASK(listener) listener;
    static PT_TASK(ticker) ticker;

    board_start();
    pt_loop_init(&loop, board_now());
    PT_START(&loop, &listener, listener);
    PT_START(&loop, &ticker, ticker);
    for (;;)
        board_turn(&loop, &listener.task);
}
