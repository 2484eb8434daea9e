/* clock.c - the time on an ATmega328P: timer 1 counts, and its compare register is the alarm
 * SPDX-License-Identifier: MIT
 *
 * Timer 1 has 16 bits. If PT_TIME_BITS is 16, it is the clock. For 32 bits, an interrupt every 4 s
 * counts its wraps. Timer 0, with 8 bits, would need one every 16 ms. */
#include "board.h"
#include "registers.h"

#ifndef BOARD_CLOCK_START
#define BOARD_CLOCK_START 0 /* the first time of the clock; tests make it wrap soon */
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

    if ((TIFR1 & TOV1) && low < 0x8000) /* it has wrapped, and the interrupt is pending */
        high++;
    board_unlock(state);
    return (pt_time)high << 16 | low;
}

#endif

/* The alarm: set the bit that board_rang reads. */
void __vector_11(void) __attribute__((naked, used, externally_visible));
void __vector_11(void)
{
    __asm__ volatile("sbi 0x1e, 0\n\treti");
}

/* The alarm goes off at the low 16 bits of UNTIL: perhaps early, never late. It is armed before
 * the clock is read, so that a match missed in between is detected. */
void board_wake_at(pt_time until)
{
    board_state state = board_lock(); /* a 16-bit register takes two writes */

    BOARD_GPIOR0 &= (uint8_t)~1;
    OCR1A = (uint16_t)until;
    TIFR1 = OCF1A;
    board_unlock(state);
    if (!pt_time_before(board_now(), until))
        BOARD_GPIOR0 |= 1;
}

/* After sei, one more instruction runs before any interrupt: none can come before the sleep. */
void board_sleep(void)
{
    __asm__ volatile("sei\n\tsleep\n\tcli" ::: "memory");
}

void clock_start(void);
void clock_start(void)
{
    TCCR1B = 5; /* the clock divided by 1024 */
#if BOARD_CLOCK_START != 0
    TCNT1 = (uint16_t)BOARD_CLOCK_START;
#endif
    TIMSK1 = PT_TIME_BITS == 16 ? OCF1A : OCF1A | TOV1;
    SMCR = SE;
}
