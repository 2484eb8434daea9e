/* mps2_upper.c - an interrupt for a second loop on Arm's MPS2 boards: timer 0, every millisecond
 * SPDX-License-Identifier: MIT
 *
 * The interrupt table has no entry for it, so it makes a copy in RAM that has one. */
#include "cortex-m.h"
#include "ticks_per_sec.h"

#define VTOR REGISTER(0xe000ed08)
#define TIMER_CTRL REGISTER(0x40000000)
#define TIMER_RELOAD REGISTER(0x40000008)
#define TIMER_INTCLEAR REGISTER(0x4000000c)
#define NVIC_PRIORITY(irq) (*(volatile uint8_t *)(uintptr_t)(0xe000e400 + (irq)))

enum { TIMER_IRQ = 8 };

void upper_turn(void);
void upper_start(void);

/* pt-bounds: priority 1, below the clock and the UART */
static void timer(void)
{
    TIMER_INTCLEAR = 1;
    upper_turn();
}

void upper_start(void)
{
    static handler *copy[32] __attribute__((aligned(128)));
    handler *const *from = (handler *const *)(uintptr_t)VTOR;

    for (unsigned i = 0; i < 17; i++) /* pt-bounds: loop 17 */
        copy[i] = from[i];
    copy[16 + TIMER_IRQ] = timer;
    VTOR = (uint32_t)(uintptr_t)copy;
    NVIC_PRIORITY(TIMER_IRQ) = 0x80; /* below SysTick, the clock of both loops */
    TIMER_RELOAD = BOARD_HZ / 1000;
    TIMER_CTRL = 9;
    NVIC_ISER = 1u << TIMER_IRQ;
}
