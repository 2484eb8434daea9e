/* rp2040_uart.h - a UART of an RP2040: its FIFO interrupts for what arrives, DMA sends
 * SPDX-License-Identifier: MIT
 *
 *     static uint8_t in[128], out[64];
 *     static struct rp2040_uart line = {.uart = {.in = UART_RING(in), .out = UART_RING(out)}};
 *
 *     rp2040_uart_open(&line, 1, 125000000, 115200, 2, &loop);
 *     rp2040_uart_interrupt(&line);                in UART1_IRQ
 *     rp2040_uart_sent(&line);                     in DMA_IRQ_0
 *
 * An interrupt comes when the FIFO of 32 bytes is half full, and when the line has been quiet for
 * 32 bits. DMA would take each byte out of the FIFO at once: then the interrupt of the quiet line
 * never comes, and the bytes have lost what went wrong with them. So DMA only sends. If the
 * interrupt is later than 16 bytes take on the line, bytes are lost: PT_EOVERRUN stands where they
 * are missing, as soon as the byte behind them has come. A wrong parity is UART_FRAMING. */
#ifndef CHIPS_RP2040_UART_H
#define CHIPS_RP2040_UART_H

#include "drivers/uart.h"

struct rp2040_uart {
    struct uart uart; /* its first member */
    uint8_t number;
    uint8_t channel; /* of the DMA */
    uart_count span; /* what the DMA sends now; 0: it rests */
};

/* rp2040_uart_open - the UART NUMBER, 0 or 1, for 8 bits without parity, with the channel CHANNEL
 * of the DMA, for the tasks of LOOP; CLOCK is that of the peripherals, in hertz, up to 1 GHz
 * RATE is in bits a second, CLOCK / 16 at most, and is set to 64ths of its divider. Both parts are
 * out of reset, and the pins are the UART's, which can be on. Before it is opened again, uart_close;
 * what has come and was not taken is forgotten. */
void rp2040_uart_open(struct rp2040_uart *it, uint8_t number, uint32_t clock, uint32_t rate,
                      uint8_t channel, struct pt_loop *loop);

/* rp2040_uart_interrupt - for UART0_IRQ or UART1_IRQ */
void rp2040_uart_interrupt(struct rp2040_uart *it);

/* rp2040_uart_sent - for DMA_IRQ_0, which other channels may share */
void rp2040_uart_sent(struct rp2040_uart *it);

#endif
