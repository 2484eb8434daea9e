/* board.c - the console and the startup of a Netduino Plus 2, with an STM32F405
 * SPDX-License-Identifier: MIT
 *
 * The console is USART1. USART2 and USART3 have their clocks and pins, and are a program's, by
 * chips/stm32/stm32_usart.h. */
#include "input.h"
#include "cortex-m.h"
#include "interrupts.h"

#define PORT_A(offset) REGISTER(0x40020000 + (offset))
#define PORT_B(offset) REGISTER(0x40020400 + (offset))
#define CLOCKS_AHB1 REGISTER(0x40023830)
#define CLOCKS_APB1 REGISTER(0x40023840)
#define CLOCKS_APB2 REGISTER(0x40023844)
#define UART_STATE REGISTER(0x40011000)
#define UART_DATA REGISTER(0x40011004)
#define UART_BAUD REGISTER(0x40011008)
#define UART_CTRL REGISTER(0x4001100c)

enum {
    MODES = 0x00, /* offsets of a port: what each pin is for */
    LOWER = 0x20, /* which peripheral has pins 0 to 7, and 8 to 15 */
    UPPER = 0x24,
    OVERRUN = 1 << 3, /* in UART_STATE */
    RECEIVED = 1 << 5,
    CAN_SEND = 1 << 7,
    USART1 = 37,
    USART2 = 38,
    USART3 = 39,
    INTERRUPTS = 40
};

void clock_start(void);
void systick(void);

/* An overrun can be told alone: without a read of data its interrupt would never end. */
static void uart(void)
{
    uint32_t state;

    while ((state = UART_STATE) & (RECEIVED | OVERRUN)) {
        uint8_t byte = (uint8_t)UART_DATA;

        if (state & RECEIVED)
            input_received(byte);
    }
}

bool board_put(char byte)
{
    if (!(UART_STATE & CAN_SEND))
        return false;
    UART_DATA = (uint8_t)byte;
    return true;
}

void board_start(void)
{
    CLOCKS_AHB1 |= 1 << 0 | 1 << 1;   /* ports A and B */
    CLOCKS_APB1 |= 1 << 17 | 1 << 18; /* USART2 and USART3 */
    CLOCKS_APB2 |= 1 << 4;            /* USART1 */
    PORT_A(UPPER) |= 0x770;           /* USART1: A9, A10 */
    PORT_A(LOWER) |= 0x7700;          /* USART2: A2, A3 */
    PORT_B(UPPER) |= 0x7700;          /* USART3: B10, B11 */
    PORT_A(MODES) |= 0x2800a0;
    PORT_B(MODES) |= 0xa00000;
    clock_start();
    UART_BAUD = BOARD_APB2_HZ / 115200;
    UART_CTRL = 0x202c; /* on, both ways, the receiver's interrupt */
    (&NVIC_ISER)[1] = 1u << (USART1 - 32) | 1u << (USART2 - 32) | 1u << (USART3 - 32);
}

/* A program that uses them defines them. */
__attribute__((weak)) void usart2_interrupt(void)
{
    stray();
}

__attribute__((weak)) void usart3_interrupt(void)
{
    stray();
}

TABLE_OF(INTERRUPTS, 0,
         systick, [USART1] = uart, [USART2] = usart2_interrupt, [USART3] = usart3_interrupt);
