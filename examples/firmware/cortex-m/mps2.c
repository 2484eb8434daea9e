/* mps2.c - the UART and the startup of Arm's MPS2 boards, which differ only in the processor
 * SPDX-License-Identifier: MIT */
#include "input.h"
#include "cortex-m.h"

#define UART_DATA REGISTER(0x40004000)
#define UART_STATE REGISTER(0x40004004)
#define UART_CTRL REGISTER(0x40004008)
#define UART_INTCLEAR REGISTER(0x4000400c)
#define UART_BAUDDIV REGISTER(0x40004010)

enum { TX_FULL = 1, RX_FULL = 2, TX_ON = 1, RX_ON = 2, RX_INTERRUPT = 8 };

void clock_start(void);
void systick(void);

static void uart(void)
{
    UART_INTCLEAR = RX_FULL;
    if (UART_STATE & RX_FULL)
        input_received((uint8_t)UART_DATA);
}

bool board_put(char byte)
{
    if (UART_STATE & TX_FULL)
        return false;
    UART_DATA = (uint8_t)byte;
    return true;
}

void board_start(void)
{
    clock_start();
    UART_BAUDDIV = BOARD_HZ / 115200;
    UART_CTRL = TX_ON | RX_ON | RX_INTERRUPT;
    NVIC_ISER = 1; /* the UART's receiver */
}

TABLE_OF(1, 0, systick, [0] = uart);
