/* board.c - the timer 0, the UART and the startup of a microbit
 * SPDX-License-Identifier: MIT
 *
 * An nRF51822 has no SysTick; its timer 0 has 32 bits and compare registers. */
#include "input.h"
#include "registers.h"

#ifndef BOARD_CLOCK_START
#define BOARD_CLOCK_START 0 /* the first time of the clock; tests make it wrap soon */
#endif

PT_STATIC_ASSERT(PT_TIME_BITS == 32, "timer 0 has 32 bits");

void pins_start(void);

/* --- time ------------------------------------------------------------------------------ */

volatile bool rang;

static void timer0(void)
{
    EVENTS_COMPARE(0, 0) = 0;
    rang = true;
}

pt_time board_now(void)
{
    board_state state = board_lock(); /* or an interrupt could capture in between */
    pt_time now;

    TASKS_CAPTURE(0, 1) = 1;
    now = (pt_time)(TIMER_CC(0, 1) + BOARD_CLOCK_START);
    board_unlock(state);
    return now;
}

/* The alarm is armed before the clock is read, so that a match missed in between is detected. */
void board_wake_at(pt_time until)
{
    rang = false;
    TIMER_CC(0, 0) = until - BOARD_CLOCK_START;
    if (!pt_time_before(board_now(), until))
        rang = true;
}

void board_sleep(void)
{
    __asm__ volatile("wfi" ::: "memory"); /* a masked interrupt wakes it, and stays pending */
}

/* --- the UART -------------------------------------------------------------------------- */

static bool sending;

static void uart(void)
{
    UART_RXDRDY = 0;
    input_received((uint8_t)UART_RXD);
}

bool board_put(char byte)
{
    if (sending && !UART_TXDRDY)
        return false;
    UART_TXDRDY = 0;
    UART_TXD = (uint8_t)byte;
    sending = true;
    return true;
}

void board_start(void)
{
    pins_start();
    TIMER_BITMODE(0) = 3;   /* 32 bits */
    TIMER_PRESCALER(0) = 9; /* 16 MHz / 512 */
    TIMER_INTENSET(0) = 1u << 16;
    TASKS_START(0) = 1;
    UART_PSELTXD = 24;
    UART_PSELRXD = 25;
    UART_BAUDRATE = 0x01d7e000; /* 115,200 */
    UART_ENABLE = 4;
    UART_INTENSET = 1u << 2;
    UART_STARTRX = 1;
    UART_STARTTX = 1;
    NVIC_ISER = 1u << UART_IRQ | 1u << TIMER0_IRQ;
}

/* Timer 1 is free for the program. */
void timer1(void);
__attribute__((weak)) void timer1(void)
{
    stray();
}

TABLE_OF(10, 0, 0, [UART_IRQ] = uart, [TIMER0_IRQ] = timer0, [TIMER1_IRQ] = timer1);
