/* shot-microbit.c - a one-shot interrupt by timer 1 of a microbit: 62.5 ns a step
 * SPDX-License-Identifier: MIT */
#include "shot.h"
#include "registers.h"

#define TASKS_STOP(n) REGISTER(TIMER(n) + 0x004)
#define TASKS_CLEAR(n) REGISTER(TIMER(n) + 0x00c)

const uint32_t shot_hz = 16000000;

void timer1(void);

void shot_in(uint32_t steps)
{
    TASKS_STOP(1) = 1;
    TASKS_CLEAR(1) = 1;
    TIMER_CC(1, 0) = steps;
    TASKS_START(1) = 1;
}

void timer_fired(const uint32_t *frame) __attribute__((used));
void timer_fired(const uint32_t *frame)
{
    TASKS_STOP(1) = 1;
    EVENTS_COMPARE(1, 0) = 0;
    shot_came(frame[6]);
}

void __attribute__((naked)) timer1(void)
{
    __asm__ volatile("mov r0, sp\n\tldr r1, =timer_fired\n\tbx r1\n\t.ltorg");
}

void shot_start(void)
{
    TIMER_BITMODE(1) = 3;   /* 32 bits */
    TIMER_PRESCALER(1) = 0; /* 16 MHz */
    TIMER_INTENSET(1) = 1u << 16;
    NVIC_ISER = 1u << TIMER1_IRQ;
}
