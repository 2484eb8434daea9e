/* board.c - the UART and the startup of an ATmega328P
 * SPDX-License-Identifier: MIT */
#include "input.h"
#include "registers.h"

void clock_start(void);
void pins_start(void);

INTERRUPT(18) /* the UART has received a byte */
{
    input_received(UDR0);
}

bool board_put(char byte)
{
    if (!(UCSR0A & UDRE0))
        return false;
    UDR0 = (uint8_t)byte;
    return true;
}

void board_start(void)
{
    pins_start();
    clock_start();
    UCSR0A = U2X0;
    UBRR0 = 16; /* 115,200 baud, 2 % fast */
    UCSR0B = RXCIE0 | RXEN0 | TXEN0;
    __asm__ volatile("sei" ::: "memory");
}
