/* sweep.c - the program under sweep: a task that waits for bytes, one that waits for time
 * SPDX-License-Identifier: MIT
 *
 * The listener is woken for a byte in the ring or, with BY_REMOTE, by a post of the interrupt.
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

static struct pt_loop loop;
static PT_TASK(listener) listener;

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

#ifdef BY_REMOTE
static struct pt_remote bell;
#define TURN() board_turn_posted(&loop)
#else
#define TURN() board_turn(&loop, &listener.task)
#endif

void board_received(void)
{
#ifdef BY_REMOTE
    pt_remote_post(&bell);
#endif
}

int main(void)
{
    static PT_TASK(ticker) ticker;

    board_start();
    pt_loop_init(&loop, board_now());
#ifdef BY_REMOTE
    pt_remote_open(&bell, &loop, pt_remote_wake, &listener.task);
#endif
    PT_START(&loop, &listener, listener);
    PT_START(&loop, &ticker, ticker);
    for (;;)
        TURN();
}
