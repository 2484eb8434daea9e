/* three_hand.c - examples/firmware/three.c as hand-written state machines
 * SPDX-License-Identifier: MIT
 *
 * It behaves the same: it sleeps until the next deadline or byte. */
#include "board.h"

static pt_time period = PT_MS(500);

/* --- a LED ------------------------------------------------------------------------------- */

static bool led_on;
static pt_time led_at;

static void led_step(pt_time now)
{
    led_on = !led_on;
    board_led(0, led_on);
    led_at = (pt_time)(now + period);
}

/* --- a line ------------------------------------------------------------------------------ */

static uint8_t length;
static char text[3];
static pt_time forget_at;

static void line_take(char byte, pt_time now)
{
    if (byte != '\n') {
        if (length < sizeof text)
            text[length++] = byte;
        forget_at = (pt_time)(now + PT_SEC(1));
        return;
    }
    if (length == 1 && text[0] == 'f')
        period = PT_MS(100);
    if (length == 1 && text[0] == 's')
        period = PT_MS(500);
    length = 0;
}

/* --- a button ---------------------------------------------------------------------------- */

static uint8_t samples;
static bool pressed, lit;
static pt_time button_at;

static void button_step(pt_time now)
{
    samples = (uint8_t)(samples << 1 | board_button());
    if (samples == 0xff && !pressed)
        board_led(1, lit = !lit);
    if (samples == 0xff || samples == 0)
        pressed = samples & 1;
    button_at = (pt_time)(now + PT_MS(5));
}

/* --- all of them ------------------------------------------------------------------------- */

void board_received(void)
{
}

static pt_time step(pt_time now)
{
    pt_time next;

    while (board_has_input())
        line_take((char)board_get(), now);
    if (!pt_time_before(now, led_at))
        led_step(now);
    if (!pt_time_before(now, button_at))
        button_step(now);
    if (length && !pt_time_before(now, forget_at))
        length = 0;
    next = pt_time_before(led_at, button_at) ? led_at : button_at;
    return length && pt_time_before(forget_at, next) ? forget_at : next;
}

int main(void)
{
    board_start();
    led_at = button_at = board_now();
    for (;;) {
        board_state state;

        board_wake_at(step(board_now()));
        state = board_lock();
        if (!board_has_input() && !board_rang())
            board_sleep();
        board_unlock(state);
    }
}
