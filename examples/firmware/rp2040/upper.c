/* upper.c - an interrupt for a second loop on a Pico: alarm 2, every half millisecond
 * SPDX-License-Identifier: MIT */
#include "registers.h"

enum { PERIOD = 500 };

void upper_turn(void);
void upper_start(void);
void alarm2(void);

void alarm2(void)
{
    TIMER_INTR = 1u << 2;
    TIMER_ALARM(2) = TIMER_LOW + PERIOD;
    upper_turn();
}

void upper_start(void)
{
    NVIC_IPR(0) = 0x80u << 16; /* below the clock and the UART */
    TIMER_INTE(SET) = 1u << 2;
    TIMER_ALARM(2) = TIMER_LOW + PERIOD;
    NVIC_ISER = 1u << (TIMER_IRQ + 2);
}
