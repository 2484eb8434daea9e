/* systick_1ms.h - clock and sleep by SysTick, 1 ms a tick, on any Cortex-M: copy it into a project
 * SPDX-License-Identifier: MIT
 *
 *     systick_start(48000);                        cycles a millisecond: here 48 MHz
 *     for (;;)
 *         pt_loop_turn_and_sleep(&loop, systick_now, systick_sleep_until);
 *
 * Include it in one file: it defines the interrupt handler, by the name that CMSIS gives it. If
 * your vendor's code has a SysTick_Handler already, define SYSTICK_1MS_HANDLER as another name,
 * call that function in theirs, and let them start SysTick. The tick ends each sleep, so a part
 * sleeps for a millisecond at most; ../cortex-m/systick.c sleeps until the deadline. */
#ifndef SYSTICK_1MS_H
#define SYSTICK_1MS_H

#include <pt/pt.h>

PT_STATIC_ASSERT(PT_TICKS_PER_SEC == 1000, "SysTick counts milliseconds");
PT_STATIC_ASSERT(PT_TIME_BITS <= 32, "the count is read by one instruction");

static volatile pt_time systick_ms;

#ifndef SYSTICK_1MS_HANDLER
#define SYSTICK_1MS_HANDLER SysTick_Handler
#endif

void SYSTICK_1MS_HANDLER(void);
void SYSTICK_1MS_HANDLER(void)
{
    systick_ms++;
}

static inline pt_time systick_now(void)
{
    return systick_ms;
}

/* Called with interrupts masked: a tick that is pending ends wfi at once. */
static inline void systick_sleep_until(pt_time until)
{
    if (pt_time_before(systick_ms, until))
        __asm__ volatile("wfi" ::: "memory");
}

static inline void systick_start(uint32_t cycles)
{
    volatile uint32_t *const systick = (volatile uint32_t *)0xe000e010;

    systick[1] = cycles - 1; /* LOAD, 24 bits */
    systick[2] = 0;          /* VAL */
    systick[0] = 7;          /* CTRL: the processor's clock, interrupt, on */
}

#endif
