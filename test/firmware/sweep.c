/* sweep.c - the program that avr-sweep interrupts at every instruction
 * SPDX-License-Identifier: MIT
 *
 * GPIOR1 counts the bytes that the listener has seen, GPIOR2 the runs of the ticker. After a
 * mistake GPIOR1 no longer changes. */
#include "swept.h"

#define SEEN (*(volatile uint8_t *)0x4a)
#define TICKED (*(volatile uint8_t *)0x4b)

static bool wrong;

#ifdef TIMED
static void rested(pt_time now, pt_time until)
{
    wrong = wrong || pt_time_before(now, until);
}
#endif

static void saw(uint8_t bytes, bool right)
{
    wrong = wrong || !right;
    if (!wrong)
        SEEN = bytes;
}

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

int main(void)
{
    static PT_TASK(ticker) ticker;

    listen();
    board_start();
    PT_START(HOME, &ticker, ticker);
    for (;;)
        turn();
}
