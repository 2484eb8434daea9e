/* main.c - a first program: an interrupt feeds a button, each press switches an LED
 * SPDX-License-Identifier: MIT
 *
 * It needs a Cortex-M, include/pt, and systick_1ms.h; nothing else of this repository:
 *
 *     arm-none-eabi-gcc -mcpu=cortex-m0 -mthumb -Os -ffreestanding -Iinclude -c main.c
 *
 * What to notice:
 *   - The interrupt only posts: one store. The loop wakes the task, where nothing interrupts it.
 *   - The task debounces: after an edge it waits until the pin has settled, and looks at the pin
 *     then. A bounce in that time is a wake that it finds at its next PT_PARK: it looks once more.
 *     So it always looks after the last edge, and counts no bounce.
 *   - The first line is all that it has to say of its size: on a microcontroller a feature is off
 *     until its knob is set, and a use of it says so (base/config.h). It takes 0.7 KB of flash; with
 *     everything on, by -DPT_ALL=1, it takes 2.5 KB. The tests run it both ways.
 *   - The main loop is one call. It sleeps whenever there is nothing to do, and loses no wake.
 *
 * The pins are yours: the functions below, and a call of button_interrupt at both edges. */
#define PT_REMOTE 1 /* pt_waker; in every file of a program */
#include "systick_1ms.h"

#define BOARD_HZ 25000000 /* the processor's clock: yours */

void board_start(void);      /* the pins, and the interrupt of the button */
bool board_button(void);     /* whether the pin says: pressed */
void board_led(bool on);     /* switch the LED */
void button_interrupt(void); /* call it at each edge of the pin */

struct button {
    struct pt pt;
    bool down, lit;
};

static PT_ASYNC(button, self)
{
    for (;;) {
        PT_PARK();          /* until an edge */
        PT_WAIT(PT_MS(20)); /* until it has stopped bouncing */
        if (board_button() == self->down)
            continue; /* too short for a press, or only a bounce */
        self->down = !self->down;
        if (self->down)
            board_led(self->lit = !self->lit);
    }
}
PT_END

static struct pt_loop loop;
static PT_TASK(button) button;
static struct pt_waker edge;

void button_interrupt(void)
{
    pt_waker_post(&edge);
}

int main(void)
{
    pt_loop_init(&loop, systick_now());
    pt_waker_open(&edge, &loop, &button.task);
    PT_START(&loop, &button, button);
    systick_start(BOARD_HZ / PT_TICKS_PER_SEC);
    board_start();
    for (;;)
        pt_loop_turn_and_sleep(&loop, systick_now, systick_sleep_until);
}
