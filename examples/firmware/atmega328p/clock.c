/* clock.c - the time on an ATmega328P: timer 1 counts, and wakes by its compare register
 * SPDX-License-Identifier: MIT
 *
 * Timer 1 has 16 bits, and so has a pt_time when PT_TIME_BITS is 16: then it is the clock. For 32
 * bits an interrupt each 4 s counts its wraps. Timer 0, of 8 bits, would need one each 16 ms. */
#include "board.h"
#include "registers.h"

#ifndef BOARD_CLOCK_START
#define BOARD_CLOCK_START 0 /* what the clock shows at first: tests let it wrap soon */
#endif

#if PT_TIME_BITS == 16

pt_time board_now(void)
{
    return TCNT1;
}

#else

static volatile uint16_t wraps = (uint16_t)((uint32_t)BOARD_CLOCK_START >> 16);

INTERRUPT(13) /* overflow */
{
    wraps++;
}

pt_time board_now(void)
{
    board_state state = board_lock();
    uint16_t low = TCNT1, high = wraps;

    if ((TIFR1 & TOV1) && low < 0x8000) /* it has wrapped, and the interrupt waits */
        high++;
    board_unlock(state);
    return (pt_time)high << 16 | low;
}

#endif

/* The alarm: the bit that board_rang reads. */
void __vector_11(void) __attribute__((naked, used, externally_visible));
void __vector_11(void)
{
    __asm__ volatile("sbi 0x1e, 0\n\treti");
}

/* A match for UNTIL comes at its low 16 bits: perhaps early, never late. It is armed before the
 * clock is read, so that one that was just missed is seen. */
void board_wake_at(pt_time until)
{
    board_state state = board_lock(); /* the halves of a register of 16 bits belong together */

    BOARD_GPIOR0 &= (uint8_t)~1;
    OCR1A = (uint16_t)until;
    TIFR1 = OCF1A;
    board_unlock(state);
    if (!pt_time_before(board_now(), until))
        BOARD_GPIOR0 |= 1;
}

/* An instruction follows a sei before an interrupt is taken: nothing comes between it and the sleep. */
void board_sleep(void)
{
    __asm__ volatile("sei\n\tsleep\n\tcli" ::: "memory");
}

void clock_start(void);
void clock_start(void)
{
    TCCR1B = 5; /* the clock by 1024 */
#if BOARD_CLOCK_START != 0
    TCNT1 = (uint16_t)BOARD_CLOCK_START;
#endif
    TIMSK1 = PT_TIME_BITS == 16 ? OCF1A : OCF1A | TOV1;
    SMCR = SE;
}
