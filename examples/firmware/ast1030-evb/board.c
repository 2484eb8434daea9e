/* board.c - the UART and the startup of Aspeed's AST1030 evaluation board
 * SPDX-License-Identifier: MIT */
#include "input.h"
#include "cortex-m.h"
#include "interrupts.h"

#define UART_DATA REGISTER(0x7e784000)
#define UART_INTERRUPTS REGISTER(0x7e784004)
#define UART_LINE REGISTER(0x7e784014)

enum { RECEIVED = 1, CAN_SEND = 1 << 5 };
enum { UART = 8, FMC = 39, I2C = 110, I2CS = 14, INTERRUPTS = I2C + I2CS };

void clock_start(void);
void systick(void);

static void uart(void)
{
    if (UART_LINE & RECEIVED)
        input_received((uint8_t)UART_DATA);
}

bool board_put(char byte)
{
    if (!(UART_LINE & CAN_SEND))
        return false;
    UART_DATA = (uint8_t)byte;
    return true;
}

static void enable(unsigned interrupt)
{
    (&NVIC_ISER)[interrupt / 32] = 1u << interrupt % 32;
}

void board_start(void)
{
    clock_start();
    UART_INTERRUPTS = RECEIVED;
    enable(UART);
    enable(FMC);
    for (unsigned bus = 0; bus < I2CS; bus++)
        enable(I2C + bus);
}

static void i2c(void)
{
    i2c_interrupt((ICSR & 0x1ff) - 16 - I2C);
}

/* A program defines those that it uses. */
__attribute__((weak)) void i2c_interrupt(unsigned bus)
{
    (void)bus;
    stray();
}

__attribute__((weak)) void fmc_interrupt(void)
{
    stray();
}

TABLE_OF(INTERRUPTS, 0, systick, [UART] = uart, [FMC] = fmc_interrupt,
         [I2C... I2C + I2CS - 1] = i2c);
