/* systick.c - the time by SysTick, which counts down and has no compare register
 * SPDX-License-Identifier: MIT
 *
 * It counts down to a moment whose time is known. Awake that is the end of a long span; for a
 * sleep it is the deadline, and the long span is what it reloads then. So a sleep needs no
 * interrupt in between, up to the 671 ms that 24 bits hold at 25 MHz, and a busy program none but
 * one each 671 ms. What is lost are the few cycles in which it is set anew. */
#include "board.h"
#include "cortex-m.h"

#ifndef BOARD_CLOCK_START
#define BOARD_CLOCK_START 0 /* what the clock shows at first: tests let it wrap soon */
#endif

enum { CYCLES = 25000000 / PT_TICKS_PER_SEC, SPAN = 0x1000000 / CYCLES };

/* Cycles that it takes to set it anew; and the least that is worth it, for it must not be over before
 * what follows it is set. */
enum { RESTART = 16, LEAST = 80 };

volatile bool rang;
static volatile pt_time end; /* the time when it reaches 0 */

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

    if (ICSR & PENDSTSET) { /* it was there, perhaps just now */
        left = SYST_CVR;
        at = (pt_time)(at + SPAN);
    }
    board_unlock(state);
    return (pt_time)(at - (left + CYCLES - 1) / CYCLES);
}

/* Start again, so that it reaches 0 at UNTIL; whether that is so far away that it can. */
static bool restart(pt_time until)
{
    pt_time rest = (pt_time)(end - until);
    uint32_t cycles = SYST_CVR - rest * CYCLES;

    if ((ICSR & PENDSTSET) || cycles < LEAST || cycles > SPAN * CYCLES)
        return false;
    SYST_RVR = cycles - RESTART;
    SYST_CVR = 0; /* any write: it takes the new span at its next cycle */
    while (!SYST_CVR) {
    }
    SYST_RVR = SPAN * CYCLES - 1;
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
        rang = true; /* there in a moment */
    board_unlock(state);
}

void board_sleep(void)
{
    __asm__ volatile("wfi" ::: "memory"); /* masked: what is pending wakes, and waits */
}

void clock_start(void);
void clock_start(void)
{
    end = (pt_time)(BOARD_CLOCK_START + SPAN);
    SYST_RVR = SPAN * CYCLES - 1;
    SYST_CVR = 0;
    SYST_CSR = 7; /* the processor's clock, interrupt, go */
    while (!SYST_CVR) {
    }
}
