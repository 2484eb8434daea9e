/* board.c - the clocks, the TIMER, UART 0 and the startup of a Raspberry Pi Pico
 * SPDX-License-Identifier: MIT
 *
 * The TIMER counts microseconds, in 64 bits, and both cores read it. Its alarm 0 wakes core 0,
 * alarm 1 core 1. The emulator starts at the interrupt table. A real part reads the first 256 bytes
 * of its flash before, which the linker script keeps free, for a section .boot2: the second stage
 * of the boot, with its checksum, which sets up the flash; take that of the Pico SDK. That, and the
 * waits for the crystal and the PLL, are untried. */
#include "input.h"
#include "registers.h"

#ifndef BOARD_CLOCK_START
#define BOARD_CLOCK_START 0 /* the first time of the clock; tests make it wrap soon */
#endif

void pins_start(void);

/* --- time ------------------------------------------------------------------------------ */

enum { SHIFT = 5 }; /* 32 us a tick */

volatile bool rang[2];

/* All ticks since the start, in 64 bits; the clock is the low part. TIMER has a latch for its high
 * word, too, but that is shared by the cores. */
static uint64_t ticks(void)
{
    uint32_t high, low;

    do {
        high = TIMER_HIGH;
        low = TIMER_LOW;
    } while (high != TIMER_HIGH);
    return (((uint64_t)high << 32 | low) >> SHIFT) + BOARD_CLOCK_START;
}

pt_time board_now(void)
{
    return (pt_time)ticks();
}

static void alarm_rang(uint32_t core)
{
    TIMER_INTR = 1u << core;
    rang[core] = true;
}

static void alarm0(void)
{
    alarm_rang(0);
}

static void alarm1(void)
{
    alarm_rang(1);
}

/* The alarm compares the low 32 bits of the microseconds: one that is more than 71 minutes ahead is
 * early. It is armed before the clock is read, so that a match missed in between is detected. */
void board_wake_at(pt_time until)
{
    uint32_t core = board_core();
    uint64_t now = ticks();

    rang[core] = false;
    TIMER_ALARM(core) =
        (uint32_t)((now - BOARD_CLOCK_START + (pt_time)(until - (pt_time)now)) << SHIFT);
    if (!pt_time_before(board_now(), until))
        rang[core] = true;
}

/* With two cores, a post of the other one ends in sev, which ends wfe. So does what pends, because
 * of SEVONPEND. An interrupt that has run is an event, too: the next wfe returns at once, for a
 * turn that finds nothing. With one core wfi saves that turn. */
void board_sleep(void)
{
    if (BOARD_CORES == 2)
        __asm__ volatile("wfe" ::: "memory");
    else
        __asm__ volatile("wfi" ::: "memory"); /* a masked interrupt wakes it, and stays pending */
}

/* --- the UART -------------------------------------------------------------------------- */

enum { TX_FULL = 1 << 5, RX_EMPTY = 1 << 4 };                   /* in UART_STATE */
enum { RX_LEVEL = 1 << 4, RX_PAUSE = 1 << 6 };                  /* interrupts */
enum { EIGHT_BITS = 3 << 5, FIFOS = 1 << 4, RX_TX_ON = 0x301 }; /* in UART_LINE, UART_CTRL */

/* The FIFO of 32 bytes interrupts at four of them, or when the line has been quiet for 32 bits. */
static void uart(void)
{
    UART_CLEAR = RX_PAUSE;
    while (!(UART_STATE & RX_EMPTY))
        input_received((uint8_t)UART_DATA);
}

bool board_put(char byte)
{
    if (UART_STATE & TX_FULL)
        return false;
    UART_DATA = (uint8_t)byte;
    return true;
}

static void uart_start(void)
{
    PIN_CTRL(0) = 2; /* the UART's: TX; and RX */
    PIN_CTRL(1) = 2;
    UART_IBRD = 67; /* 125 MHz / 16 / 115,200 = 67 + 52 / 64 */
    UART_FBRD = 52;
    UART_LEVELS = 0;
    UART_LINE = EIGHT_BITS | FIFOS;
    UART_CTRL = RX_TX_ON;
    UART_ENABLE = RX_LEVEL | RX_PAUSE;
}

/* --- the start ------------------------------------------------------------------------- */

/* The bits of RESETS: what this board uses. */
enum { PINS = 1 << 5, PADS = 1 << 8, PLL_SYS = 1 << 12, TIMER = 1 << 21, UART0 = 1 << 22 };

static void release(uint32_t parts)
{
    RESETS_RESET(CLEAR) = parts;
    while (~RESETS_DONE & parts) {
    }
}

/* From the crystal of 12 MHz: 125 MHz for the processors and the UART, a microsecond for TIMER. */
static void clocks_start(void)
{
    XOSC_STARTUP = 47;    /* 256 cycles each: a millisecond */
    XOSC_CTRL = 0xfabaa0; /* on, 1 to 15 MHz */
    while (!(XOSC_STATUS >> 31)) {
    }
    CLOCKS_REF_CTRL = 2; /* the crystal */
    release(PLL_SYS);
    PLL_CS = 1;
    PLL_FBDIV = 125;             /* 1500 MHz */
    PLL_PWR(CLEAR) = 1 << 5 | 1; /* the oscillator and the rest, but the dividers */
    while (!(PLL_CS >> 31)) {
    }
    PLL_PRIM = 6 << 16 | 2 << 12;
    PLL_PWR(CLEAR) = 1 << 3;
    CLOCKS_SYS_CTRL = 1; /* the PLL */
    while (CLOCKS_SYS_SELECTED != 2) {
    }
    CLOCKS_PERI_CTRL = 1 << 11;  /* on, as the processors */
    WATCHDOG_TICK = 1 << 9 | 12; /* on, a tick in 12 cycles of the crystal */
}

/* What each core has for itself: its interrupts, and its sleep. */
void core_start(uint32_t interrupts);
void core_start(uint32_t interrupts)
{
    TIMER_INTE(SET) = 1u << board_core();
    if (BOARD_CORES == 2)
        SCR |= SEVONPEND;
    NVIC_ISER = 1u << (TIMER_IRQ + board_core()) | interrupts;
}

void board_start(void)
{
    clocks_start();
    release(PINS | PADS | TIMER | UART0);
    pins_start();
    uart_start();
    core_start(1u << UART_IRQ);
}

/* The interrupts of alarm 2 and of the pins are free for the program. */
void alarm2(void);
void pins(void);
__attribute__((weak)) void alarm2(void)
{
    stray();
}

__attribute__((weak)) void pins(void)
{
    stray();
}

TABLE_OF(IRQS, 0, 0, [TIMER_IRQ] = alarm0, [TIMER_IRQ + 1] = alarm1,
         [TIMER_IRQ + 2] = alarm2, [PINS_IRQ] = pins, [UART_IRQ] = uart);
