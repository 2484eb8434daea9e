/* phases.c - the urgent task of urgent.c, with its event at every instant of the busy tasks' turns
 * SPDX-License-Identifier: MIT
 *
 * Instead of cortex-m/mps2_upper.c. Timer 0 of an MPS2 board brings the event once, BEFORE ticks after the beginning of
 * a turn, then one tick (STEP) later, and so on: a tick is shorter than an instruction. The last event comes a whole
 * turn after the first. Prints, by semihosting, the events, the ticks from the event to board_led, at most, and those
 * of a turn, and how often it saw half an order. Linked with --wrap=board_now,--wrap=board_led. */
#include "cortex-m.h"
#include "ticks_per_sec.h"
#include "board.h"

#define VTOR REGISTER(0xe000ed08)
#define TIMER_CTRL REGISTER(0x40000000)
#define TIMER_VALUE REGISTER(0x40000004)
#define TIMER_RELOAD REGISTER(0x40000008)
#define TIMER_INTCLEAR REGISTER(0x4000000c)
#define NVIC_PRIORITY(irq) (*(volatile uint8_t *)(uintptr_t)(0xe000e400 + (irq)))

enum { TIMER_IRQ = 8 };

#ifndef STEP
#define STEP 1
#endif

void upper_turn(void);
void upper_start(void);
pt_time __wrap_board_now(void);
pt_time __real_board_now(void);
void __wrap_board_led(uint8_t led, bool on);

static uint32_t ticks = BEFORE, latest, turn, events, torn;
static bool started, waits;

/* pt-bounds: priority 1 */
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
    NVIC_PRIORITY(TIMER_IRQ) = 0x80; /* below SysTick */
    NVIC_ISER = 1u << TIMER_IRQ;
    started = true;
}

static inline void call(uint32_t operation, const void *argument)
{
    register uint32_t r0 __asm__("r0") = operation;
    register const void *r1 __asm__("r1") = argument;

    __asm__ volatile("bkpt 0xab" : "+r"(r0) : "r"(r1) : "memory");
}

static char *put(char *at, uint32_t number)
{
    for (uint32_t unit = 1000000; unit; unit /= 10) /* pt-bounds: loop 7 */
        *at++ = (char)('0' + number / unit % 10);
    *at++ = ' ';
    *at = '\0';
    return at;
}

static __attribute__((noreturn)) void end(void)
{
    static const uint32_t code[2] = {0x20026, 0};
    static char text[36];

    put(put(put(put(text, events), latest), turn), torn);
    call(0x04, text); /* SYS_WRITE0 */
    for (;;)
        call(0x20, code); /* SYS_EXIT_EXTENDED */
}

/* At the beginning of each turn of main; in an interrupt, it is the time and nothing more. */
pt_time __wrap_board_now(void)
{
    uint32_t interrupt;

    __asm__("mrs %0, ipsr" : "=r"(interrupt));
    if (started && !interrupt && !waits) {
        if (ticks > BEFORE + turn && turn)
            end();
        TIMER_CTRL = 0;
        waits = true;
        TIMER_RELOAD = ticks;
        TIMER_CTRL = 9;
    } else if (started && !interrupt && !turn) {
        turn = ticks - TIMER_VALUE; /* since the last one */
    }
    return __real_board_now();
}

/* The urgent task has done its work: the timer began again at the event. */
void __wrap_board_led(uint8_t led, bool on)
{
    uint32_t late = ticks - TIMER_VALUE;

    (void)led;
    torn += !on;
    latest = late > latest ? late : latest;
    TIMER_CTRL = 0;
    events++;
    ticks += STEP;
    waits = false;
}
