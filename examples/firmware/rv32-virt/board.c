/* board.c - RV32 on qemu's "virt": mtime, a 16550 UART at the PLIC, and the startup
 * SPDX-License-Identifier: MIT */
#include "input.h"

#define WORD(address) (*(volatile uint32_t *)(address))
#define BYTE(address) (*(volatile uint8_t *)(address))

#define MTIMECMP(i) WORD(0x02004000 + 4 * (i))
#define MTIME(i) WORD(0x0200bff8 + 4 * (i))
#define PLIC_PRIORITY(source) WORD(0x0c000000 + 4 * (source))
#define PLIC_ENABLE WORD(0x0c002000)
#define PLIC_CLAIM WORD(0x0c200004)
#define UART(register) BYTE(0x10000000 + (register))

enum { UART_SOURCE = 10, UART_DATA = 0, UART_IER = 1, UART_LSR = 5 };
enum { TX_EMPTY = 0x20 }; /* in UART_LSR */

#ifndef BOARD_CLOCK_START
#define BOARD_CLOCK_START 0 /* the first time of the clock; tests make it wrap soon */
#endif

/* --- time ------------------------------------------------------------------------------ */

volatile bool rang;

/* All ticks since the start, in 64 bits; the clock is the low part. */
static uint64_t ticks(void)
{
    uint32_t high, low;

    do {
        high = MTIME(1);
        low = MTIME(0);
    } while (high != MTIME(1)); /* pt-bounds: loop 1 */
    return (((uint64_t)high << 32 | low) >> 7) + BOARD_CLOCK_START;
}

pt_time board_now(void)
{
    return (pt_time)ticks();
}

/* The interrupt is pending while mtime is past mtimecmp, so a missed deadline still causes one. */
void board_wake_at(pt_time until)
{
    uint64_t now = ticks(), time;

    rang = false;
    if (!pt_time_before((pt_time)now, until)) {
        rang = true;
        return;
    }
    time = (now - BOARD_CLOCK_START + (pt_time)(until - (pt_time)now)) << 7;
    MTIMECMP(1) = UINT32_MAX; /* or a half-written time could be due */
    MTIMECMP(0) = (uint32_t)time;
    MTIMECMP(1) = (uint32_t)(time >> 32);
}

void board_sleep(void)
{
    __asm__ volatile("wfi" ::: "memory"); /* a masked interrupt wakes it, and stays pending */
}

/* --- interrupts: start.S has the table ------------------------------------------------- */

void timer(void) __attribute__((interrupt));
void external(void) __attribute__((interrupt));

void timer(void)
{
    MTIMECMP(1) = UINT32_MAX; /* off until the next alarm */
    rang = true;
}

/* Other interrupts of the PLIC, if the program has enabled them. */
void claimed(uint32_t source);
__attribute__((weak)) void claimed(uint32_t source)
{
    (void)source;
}

void external(void)
{
    uint32_t source = PLIC_CLAIM;

    if (source == UART_SOURCE)
        input_received(UART(UART_DATA));
    else
        claimed(source);
    PLIC_CLAIM = source;
}

bool board_put(char byte)
{
    if (!(UART(UART_LSR) & TX_EMPTY))
        return false;
    UART(UART_DATA) = (uint8_t)byte;
    return true;
}

void vectors(void);
void board_start(void)
{
    MTIMECMP(1) = UINT32_MAX;
    UART(UART_IER) = 1;
    PLIC_PRIORITY(UART_SOURCE) = 2;
    PLIC_ENABLE = 1u << UART_SOURCE;
    __asm__ volatile("csrw mtvec, %0" ::"r"((uintptr_t)vectors | 1)); /* one entry per cause */
    __asm__ volatile("csrw mie, %0" ::"r"(0x880));                    /* timer, external */
    board_unlock(8);
}
