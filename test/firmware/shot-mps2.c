/* shot-mps2.c - a one-shot interrupt by timer 0 of Arm's MPS2 boards: 40 ns a step
 * SPDX-License-Identifier: MIT
 *
 * The vector table has no entry for it; a copy of the table in RAM has one. */
#include "shot.h"
#include "cortex-m.h"

#define VTOR REGISTER(0xe000ed08)
#define TIMER_CTRL REGISTER(0x40000000)
#define TIMER_VALUE REGISTER(0x40000004)
#define TIMER_RELOAD REGISTER(0x40000008)
#define TIMER_INTCLEAR REGISTER(0x4000000c)

#define SHPR3 REGISTER(0xe000ed20)

enum { TIMER_IRQ = 8, PENDSV = 14 };

const uint32_t shot_hz = 25000000;

void shot_in(uint32_t steps)
{
    TIMER_CTRL = 0;
    TIMER_RELOAD = 0; /* once */
    TIMER_VALUE = steps;
    TIMER_CTRL = 9;
}

void shot_below(void)
{
    ICSR = 1u << 28; /* PENDSVSET */
}

void timer_fired(const uint32_t *frame) __attribute__((used));
void timer_fired(const uint32_t *frame)
{
    TIMER_CTRL = 0;
    TIMER_INTCLEAR = 1;
    shot_came(frame[6]);
}

static void __attribute__((naked)) timer(void)
{
    __asm__ volatile("mov r0, sp\n\tb timer_fired");
}

void shot_start(void)
{
    static handler *copy[32] __attribute__((aligned(128)));
    handler *const *from = (handler *const *)(uintptr_t)VTOR;

    for (unsigned i = 0; i < 17; i++)
        copy[i] = from[i];
    copy[16 + TIMER_IRQ] = timer;
#ifdef TWO_LEVELS
    copy[PENDSV] = shot_came_below;
    SHPR3 |= 0xffu << 16; /* the lowest priority; the others have the highest */
#endif
    VTOR = (uint32_t)(uintptr_t)copy;
    NVIC_ISER = 1u << TIMER_IRQ;
}
