/* board.c - the UART, the pins and the startup of Stellaris's LM3S6965 evaluation board
 * SPDX-License-Identifier: MIT */
#include "input.h"
#include "cortex-m.h"
#include "interrupts.h"

#define CLOCKS_1 REGISTER(0x400fe104)
#define CLOCKS_2 REGISTER(0x400fe108)
#define PORT_A(offset) REGISTER(0x40004000 + (offset))
#define PORT_D(offset) REGISTER(0x40007000 + (offset))
#define UART_DATA REGISTER(0x4000c000)
#define UART_STATE REGISTER(0x4000c018)
#define UART_BAUD REGISTER(0x4000c024)
#define UART_BAUD_64 REGISTER(0x4000c028)
#define UART_FORMAT REGISTER(0x4000c02c)
#define UART_CTRL REGISTER(0x4000c030)
#define UART_INTERRUPTS REGISTER(0x4000c038)

enum {
    DIRECTION = 0x400, /* offsets of a port */
    FUNCTION = 0x420,
    DIGITAL = 0x51c,
    EMPTY = 1 << 4, /* in UART_STATE: nothing was received */
    FULL = 1 << 5,  /* it cannot send */
    RECEIVED = 1 << 4,
    UART = 5,
    SSI = 7,
    INTERRUPTS = 8
};

void clock_start(void);
void systick(void);

static void uart(void)
{
    while (!(UART_STATE & EMPTY))
        input_received((uint8_t)UART_DATA);
}

bool board_put(char byte)
{
    if (UART_STATE & FULL)
        return false;
    UART_DATA = (uint8_t)byte;
    return true;
}

/* A port's address has a mask in it: this one is of pin PIN alone. */
void card_select(uint8_t pin, bool on)
{
    PORT_D(4u << pin) = on ? 0 : 1u << pin;
}

void board_start(void)
{
    CLOCKS_1 |= 1 << 0 | 1 << 4;               /* UART 0 and SSI 0 */
    CLOCKS_2 |= 1 << 0 | 1 << 3;               /* ports A and D */
    PORT_A(FUNCTION) = PORT_A(DIGITAL) = 0x37; /* UART 0: A0, A1; SSI 0: A2, A4, A5 */
    PORT_D(DIRECTION) = PORT_D(DIGITAL) = 1;
    card_select(0, false);
    clock_start();
    UART_BAUD = BOARD_HZ / (16 * 115200);
    UART_BAUD_64 = BOARD_HZ * 4ul / 115200 % 64;
    UART_FORMAT = 0x70; /* 8 bits, FIFOs */
    UART_CTRL = 0x301;
    UART_INTERRUPTS = RECEIVED;
    NVIC_ISER = 1u << UART | 1u << SSI;
}

/* A program that uses it defines it. */
__attribute__((weak)) void ssi_interrupt(void)
{
    stray();
}

TABLE_OF(INTERRUPTS, 0, systick, [UART] = uart, [SSI] = ssi_interrupt);
