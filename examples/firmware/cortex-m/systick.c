/* systick.c - the time by SysTick, which counts down and has no compare register
 * SPDX-License-Identifier: MIT
 *
 * SysTick counts down to a known time: normally the end of a long span; for a sleep, the deadline,
 * after which it reloads the long span. A sleep has no interrupt before its end, up to what 24 bits
 * hold (671 ms at 25 MHz), and a busy program has one each time. Each restart loses a few cycles.
 * The board's ticks_per_sec.h defines the frequency, BOARD_HZ. */
#include "systick.h"
#include "cortex-m.h"

#ifndef BOARD_CLOCK_START
#define BOARD_CLOCK_START 0 /* the first time of the clock; tests make it wrap soon */
#endif

enum { CYCLES = BOARD_HZ / PT_TICKS_PER_SEC, SPAN = 0x1000000 / CYCLES };

/* The cycles that a restart takes; and the shortest span to set, because it should not be over before
 * the span that follows is set: an interrupt that nothing masks can still delay that. */
#ifndef SYSTICK_LEAST
#define SYSTICK_LEAST 80
#endif
enum { RESTART = 16, LEAST = SYSTICK_LEAST };

PT_STATIC_ASSERT(BOARD_HZ % PT_TICKS_PER_SEC == 0, "a tick must be a whole number of cycles");
PT_STATIC_ASSERT((int)SPAN > 1, "a tick must have fewer cycles than SysTick's 24 bits");

volatile bool rang;
static volatile pt_time end; /* the time at which the counter reaches 0 */

void systick(void);
void systick(void)
{
    end = (pt_time)(end + SPAN);
    rang = true;
}

pt_time board_now(void)
{
    board_state state = board_lock();
    uint32_t left = SYST_CVR;
    pt_time at = end;

    if (ICSR & PENDSTSET) { /* it has reached 0, perhaps just now */
        left = SYST_CVR;
        at = (pt_time)(at + SPAN);
    }
    board_unlock(state);
    return (pt_time)(at - (left + CYCLES - 1) / CYCLES);
}

/* Restart the counter so that it reaches 0 at UNTIL; false if UNTIL is too near. */
static bool restart(pt_time until)
{
    pt_time rest = (pt_time)(end - until);
    uint32_t cycles = SYST_CVR - rest * CYCLES;

    if ((ICSR & PENDSTSET) || cycles < LEAST || cycles > SPAN * CYCLES)
        return false;
    SYST_RVR = cycles - RESTART;
    SYST_CVR = 0; /* any write makes it load the new span at the next cycle */
    /* pt-bounds: loop 2 */
    while (!SYST_CVR) {
    }
    SYST_RVR = SPAN * CYCLES - 1;
    if (ICSR & PENDSTSET) { /* over already, so that the short span may have begun again */
        SYST_CVR = 0;
        /* pt-bounds: loop 2 */
        while (!SYST_CVR) {
        }
    }
    end = until;
    return true;
}

void board_wake_at(pt_time until)
{
    board_state state;

    rang = false;
    if (!pt_time_before(board_now(), until)) {
        rang = true;
        return;
    }
    state = board_lock();
    if ((pt_time)(end - until) < SPAN && end != until && !restart(until))
        rang = true; /* too near to sleep */
    board_unlock(state);
}

void board_sleep(void)
{
    __asm__ volatile("wfi" ::: "memory"); /* a masked interrupt wakes it, and stays pending */
}

/* SysTick has stood for so many ticks, in a deep sleep. */
void clock_skip(pt_time ticks)
{
    board_state state = board_lock();

    end = (pt_time)(end + ticks);
    board_unlock(state);
}

void clock_start(void)
{
    end = (pt_time)(BOARD_CLOCK_START + SPAN);
    SYST_RVR = SPAN * CYCLES - 1;
    SYST_CVR = 0;
    SYST_CSR = 7; /* processor clock, interrupt on, start */
    /* pt-bounds: loop 2 */
    while (!SYST_CVR) {
    }
}
