/* instants.c - interrupts at random instants of the product, a million of them in one run
 * SPDX-License-Identifier: MIT
 *
 * Timer 0 of an MPS2 board interrupts after a random number of ticks, again and again, with the priority of the others.
 * Each time it may receive a byte of a random command, or end the transfer of the sensor. Only the instants at which
 * the program did not sleep are counted. At the end it prints, by semihosting, how many bytes of the painted stack were
 * used, and the ticks from the timer's end to its handler, at most.
 *
 * Linked with --wrap: clock_start begins, board_sleep tells of a sleep, sampler_* are the sensor. */
#include "product.h"
#include "cortex-m.h"
#include "input.h"

#define VTOR REGISTER(0xe000ed08)
#define TIMER_CTRL REGISTER(0x40000000)
#define TIMER_VALUE REGISTER(0x40000004)
#define TIMER_RELOAD REGISTER(0x40000008)
#define TIMER_INTCLEAR REGISTER(0x4000000c)

enum { TIMER_IRQ = 8, CONVERTER_IRQ = 1, PAINT = 0x5a5a5a5a, WORDS = 256 };

#ifndef SEED
#define SEED 1
#endif

void __wrap_clock_start(void);
void __wrap_board_sleep(void);
void __wrap_sampler_start(uint8_t *to);
void __wrap_sampler_abort(void);
void __wrap_sampler_reset(void);
void __real_clock_start(void);
void __real_board_sleep(void);

static const char commands[] =
    "read\nrate 2\nrate 1\nstatus\nhelp\n\n\n\nclear\nnonsense\nrate 0\n";
static uint32_t chance = SEED, left = INSTANTS, latest;
static uint32_t ticks = 1000; /* of the timer, until it interrupts */
static uint8_t next;          /* of the commands */
static volatile bool sleeps, measures;

static uint32_t *const bottom = stack_top - WORDS;

static inline uint32_t dice(void)
{
    chance ^= chance << 13;
    chance ^= chance >> 17;
    return chance ^= chance << 5;
}

static inline void call(uint32_t operation, const void *argument)
{
    register uint32_t r0 __asm__("r0") = operation;
    register const void *r1 __asm__("r1") = argument;

    __asm__ volatile("bkpt 0xab" : "+r"(r0) : "r"(r1) : "memory");
}

static inline __attribute__((always_inline)) char *put(char *at, uint32_t number)
{
    for (uint32_t unit = 1000000; unit; unit /= 10) /* pt-bounds: loop 7 */
        *at++ = (char)('0' + number / unit % 10);
    *at++ = ' ';
    *at = '\0';
    return at;
}

static inline void end(void)
{
    static const uint32_t code[2] = {0x20026, 0};
    static char text[20];
    uint32_t used = WORDS;

    while (bottom[WORDS - used] == PAINT) /* pt-bounds: loop 255 */
        used--;
    put(put(text, used * sizeof *bottom), latest);
    call(0x04, text); /* SYS_WRITE0 */
    call(0x20, code); /* SYS_EXIT_EXTENDED */
}

/* pt-bounds: priority 0 */
static void instant(void)
{
    uint32_t late = ticks - TIMER_VALUE, what;

    TIMER_INTCLEAR = 1;
    if (!sleeps) {
        latest = late > latest ? late : latest;
        if (--left == 0)
            end();
    }
    sleeps = false;
    what = dice();
    if (what & 3) {
        input_received((uint8_t)commands[next]);
        next = (uint8_t)(next + 1u < sizeof commands - 1 ? next + 1u : what >> 8 & 7);
    }
    if (measures && !(what & 12)) {
        measures = false;
        NVIC_ISPR = 1u << CONVERTER_IRQ;
    }
    ticks = 64 + (what >> 16 & 1023);
    TIMER_RELOAD = ticks; /* and begins again */
}

void __wrap_clock_start(void)
{
    static handler *copy[32] __attribute__((aligned(128)));
    handler *const *from = (handler *const *)(uintptr_t)VTOR;

    for (unsigned i = 0; i < 18; i++) /* pt-bounds: loop 18 */
        copy[i] = from[i];
    copy[16 + TIMER_IRQ] = instant;
    VTOR = (uint32_t)(uintptr_t)copy;
    /* pt-bounds: loop 255 */
    for (volatile uint32_t *at = bottom; at < (uint32_t *)__builtin_frame_address(0) - 16; at++)
        *at = PAINT;
    __real_clock_start();
    TIMER_RELOAD = ticks;
    TIMER_CTRL = 9;
    NVIC_ISER = 1u << TIMER_IRQ;
}

void __wrap_board_sleep(void)
{
    sleeps = true;
    __real_board_sleep();
}

void __wrap_sampler_start(uint8_t *to)
{
    for (uint8_t i = 0; i < SAMPLES; i++) /* pt-bounds: loop 8 */
        to[i] = (uint8_t)dice();
    NVIC_ISER = 1u << CONVERTER_IRQ;
    measures = true;
}

void __wrap_sampler_abort(void)
{
    measures = true;
}

void __wrap_sampler_reset(void)
{
    measures = false;
    NVIC_ICPR = 1u << CONVERTER_IRQ;
}
