/* three_classic.c - examples/firmware/three.c with classic protothreads, which have no timers
 * SPDX-License-Identifier: MIT
 *
 * Each thread is called each millisecond, and checks whether it can continue. */
#include "three_classic.h"

#include <pt/classic/pt.h>

#define ELAPSED(since, delay) ((tick)(board_now() - (since)) >= (delay))

static tick period = MS(500);

/* --- a LED ------------------------------------------------------------------------------- */

static struct pt led;
static tick led_since;

static PT_THREAD(blink(struct pt *pt))
{
    PT_BEGIN(pt);
    for (;;) {
        board_led(0, true);
        led_since = board_now();
        PT_WAIT_UNTIL(pt, ELAPSED(led_since, period));
        board_led(0, false);
        led_since = board_now();
        PT_WAIT_UNTIL(pt, ELAPSED(led_since, period));
    }
    PT_END(pt);
}

/* --- a line ------------------------------------------------------------------------------ */

static struct pt reader;
static uint8_t length;
static char text[3];
static tick line_since;

static void line_take(char byte)
{
    if (byte != '\n') {
        if (length < sizeof text)
            text[length++] = byte;
        line_since = board_now();
        return;
    }
    if (length == 1 && text[0] == 'f')
        period = MS(100);
    if (length == 1 && text[0] == 's')
        period = MS(500);
    length = 0;
}

static PT_THREAD(line(struct pt *pt))
{
    PT_BEGIN(pt);
    for (;;) {
        PT_WAIT_UNTIL(pt, board_has_input() || (length && ELAPSED(line_since, MS(1000))));
        if (board_has_input())
            line_take((char)board_get());
        else
            length = 0;
    }
    PT_END(pt);
}

/* --- a button ---------------------------------------------------------------------------- */

static struct pt key;
static uint8_t samples;
static bool pressed, lit;
static tick key_since;

static PT_THREAD(button(struct pt *pt))
{
    PT_BEGIN(pt);
    for (;;) {
        samples = (uint8_t)(samples << 1 | board_button());
        if (samples == 0xff && !pressed)
            board_led(1, lit = !lit);
        if (samples == 0xff || samples == 0)
            pressed = samples & 1;
        key_since = board_now();
        PT_WAIT_UNTIL(pt, ELAPSED(key_since, MS(5)));
    }
    PT_END(pt);
}

/* --- all of them ------------------------------------------------------------------------- */

void board_received(void)
{
}

int main(void)
{
    board_start();
    PT_INIT(&led);
    PT_INIT(&reader);
    PT_INIT(&key);
    for (;;) {
        board_state state;

        blink(&led);
        line(&reader);
        button(&key);
        board_wake_at((tick)(board_now() + MS(1)));
        state = board_lock();
        if (!board_has_input() && !board_rang())
            board_sleep();
        board_unlock(state);
    }
}
