/* stm32_usart.h - a USART of an STM32F1, F2, F4 or L1, by its interrupt both ways
 * SPDX-License-Identifier: MIT
 *
 *     static uint8_t in[64], out[64];
 *     static struct stm32_usart console = {.uart = {.in = UART_RING(in), .out = UART_RING(out)}};
 *
 *     stm32_usart_open(&console, 0x40004400, 42000000, 115200, &loop);      USART2
 *     stm32_usart_interrupt(&console);                                      in its interrupt
 *
 * 8 bits, no parity, 1 stop bit. A byte with a framing error or noise is dropped, and its place in
 * the stream has UART_FRAMING; if all of its bits are 0, UART_BREAK. A byte that came while the one
 * before it was still in the receiver is lost: PT_EOVERRUN. Newer families have other registers.
 *
 * qemu's model (netduinoplus2) takes no time to send, has no error of the line, and in 7.2 has no
 * interrupt of the transmitter: it never needs it, because it always has room. Those are tried
 * with a model of the tests' own, test/firmware/pico/stm32_units.js. */
#ifndef CHIPS_STM32_USART_H
#define CHIPS_STM32_USART_H

#include "drivers/uart.h"

struct stm32_usart {
    struct uart uart; /* its first member; with its rings */
    volatile struct stm32_usart_registers *at;
};

/* stm32_usart_open - the USART at AT, with a CLOCK in hertz, at BAUD, for the tasks of LOOP
 * The board has given it its clock and its pins. Its interrupt is enabled afterwards. */
void stm32_usart_open(struct stm32_usart *it, uintptr_t at, uint32_t clock, uint32_t baud,
                      struct pt_loop *loop);

/* stm32_usart_interrupt - for the interrupt of the USART */
void stm32_usart_interrupt(struct stm32_usart *it);

#endif
