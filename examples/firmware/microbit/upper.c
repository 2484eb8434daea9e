/* upper.c - an interrupt for a second loop on a microbit: timer 1, every half millisecond
 * SPDX-License-Identifier: MIT */
#include "registers.h"

void upper_turn(void);
void upper_start(void);
void timer1(void);

void timer1(void)
{
    EVENTS_COMPARE(1, 0) = 0;
    upper_turn();
}

void upper_start(void)
{
    TIMER_BITMODE(1) = 3;   /* 32 bits */
    TIMER_PRESCALER(1) = 9; /* 16 MHz / 512, like the clock */
    TIMER_CC(1, 0) = 16;
    TIMER_SHORTS(1) = 1; /* a match clears the timer */
    TIMER_INTENSET(1) = 1u << 16;
    NVIC_IPR(TIMER1_IRQ / 4) = 0x80u << TIMER1_IRQ % 4 * 8; /* below the clock and the UART */
    NVIC_ISER = 1u << TIMER1_IRQ;
    TASKS_START(1) = 1;
}
