/* mps2_stop.c - the sleep, and the time behind it
 * SPDX-License-Identifier: MIT */
#include "mps2_stop.h"
#include "cortex-m.h"
#include "services/deep_clock.h"
#include "systick.h"

#define TIMER(n, offset) REGISTER(0x40002000 + 0x20 * (n) + (offset))
#define TIMER_LOAD(n) TIMER(n, 0)
#define TIMER_VALUE(n) TIMER(n, 4)
#define TIMER_CTRL(n) TIMER(n, 8)
#define TIMER_INTCLR(n) TIMER(n, 12)

enum { COUNTER, ALARM, DUAL_IRQ = 10 };
enum { ON = 1 << 7, INTERRUPTS = 1 << 5, BY_256 = 2 << 2, BITS_32 = 1 << 1, ONCE = 1 << 0 };

static uint32_t count(void)
{
    return ~TIMER_VALUE(COUNTER); /* it counts down */
}

/* 1000 ticks are 25,000,000 / 256 counts. */
static struct deep_clock deep = {.count = count, .mask = 0xffffffff, .ticks = 32, .counts = 3125};

PT_STATIC_ASSERT(BOARD_HZ == 25000000 && PT_TICKS_PER_SEC == 1000, "for these clocks");

void stop_start(void)
{
    TIMER_LOAD(COUNTER) = 0xffffffff;
    TIMER_CTRL(COUNTER) = ON | BY_256 | BITS_32;
    deep_clock_open(&deep, board_now());
}

/* Its interrupt has no handler: it ends the sleep, masked, and is taken back. */
void stop_until(pt_time until)
{
    uint32_t counts = deep_clock_count_at(&deep, until) - count();

    if ((int32_t)counts > 1) {
        TIMER_LOAD(ALARM) = counts - 1; /* a part of a count goes by before its first one */
        TIMER_CTRL(ALARM) = ON | INTERRUPTS | BY_256 | BITS_32 | ONCE;
        NVIC_ISER = 1u << DUAL_IRQ;
        SYST_CSR = 6; /* SysTick stands */
        __asm__ volatile("wfi" ::: "memory");
        SYST_CSR = 7;
        NVIC_ICER = 1u << DUAL_IRQ;
        TIMER_CTRL(ALARM) = 0;
        TIMER_INTCLR(ALARM) = 1;
        NVIC_ICPR = 1u << DUAL_IRQ;
    }
    clock_skip(deep_clock_stood(&deep, board_now()));
}
