/* wake.c - a button's interrupt wakes a task: the program of the interrupt lesson
 * SPDX-License-Identifier: MIT
 *
 * The interrupt counts in PRESSES and posts a waker. The task reads the count, and shows it by the LED. If the
 * processor sleeps while SEEN is not PRESSES, a wake is lost. -DWRONG plants a mistake in the main loop. */
#include "board.h"
#include "registers.h"

#define EIMSK REGISTER_8(0x3d)
#define EICRA REGISTER_8(0x69)
enum { INT0 = 1 << 0, ISC01 = 1 << 1 };

volatile uint8_t presses, seen;
struct pt_waker waker;
static struct pt_loop loop;

//- interrupt
INTERRUPT(1) /* INT0: the button */
{
    presses++;
    pt_waker_post(&waker); /* sets its mark */
}

//- task
struct lamp {
    struct pt pt;
};

static PT_ASYNC(lamp, self)
{
    for (;;) {
        seen = presses;
        PORTB = seen & 1 ? 0x20 : 0;
        PT_PARK(); /* until a wake */
    }
}
PT_END

//- board
static pt_time now(void)
{
    return 0; /* nothing in this program waits for a time */
}

#ifdef WRONG
//- wrong loop
static void turn_and_sleep(void)
{
    pt_loop_turn(&loop, now());
    if (pt_loop_idle(&loop) && !pt_loop_posted(&loop))
        __asm__ volatile("sleep");
}

#else
//- right loop
/* pt calls it with interrupts off. After sei, one more
 * instruction runs before any interrupt: the sleep. */
static void sleep_until(pt_time until)
{
    (void)until;
    __asm__ volatile("sei\n\tsleep");
}

static void turn_and_sleep(void)
{
    pt_loop_turn_and_sleep(&loop, now, sleep_until);
}

//- end
#endif

int main(void)
{
    static PT_TASK(lamp) lamp;

    DDRB = 0x20;
    PORTD = 0x04;
    EICRA = ISC01; /* when the pin falls */
    EIMSK = INT0;
    SMCR = SE;
    pt_loop_init(&loop, now());
    pt_waker_open(&waker, &loop, &lamp.task);
    PT_START(&loop, &lamp, lamp);
    __asm__ volatile("sei" ::: "memory");
    for (;;)
        turn_and_sleep();
}
