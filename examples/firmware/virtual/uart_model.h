/* uart_model.h - a UART of the virtual board, and the line at both of its ends
 * SPDX-License-Identifier: MIT
 *
 * It takes a tick for each byte, or for a burst of them. It interrupts at each byte; or it has DMA
 * both ways, which interrupts at the marks. A byte that goes out is first in a shift register. */
#ifndef UART_MODEL_H
#define UART_MODEL_H

#include "drivers/uart.h"
#include "hardware.h"

struct uart_model {
    struct uart uart; /* its first member */
    struct hardware receiver, transmitter;
    uint16_t burst; /* bytes that come in a tick; 1 if it is 0 */
    uint16_t races; /* with DMA: bytes that come at each look at its place */
    char sent[512]; /* what has gone out */
    uint16_t sents, interrupts;
    /* private: */
    const char *line; /* what is to come; see uart_model_type */
    uint16_t lines;
    uart_count place, told, went; /* of DMA */
    uint8_t shifted;
    bool dma, shifts, races_now;
};

/* uart_model_open - make a UART with nothing on its line; IT has its rings. The fields up to RACES
 * can be set at any time. */
void uart_model_open(struct uart_model *it, struct pt_loop *loop, bool dma);

/* uart_model_type - let bytes come, from the next tick on. '!' is a byte without a stop bit, '~' a
 * break. TEXT must last until all have come. */
void uart_model_type(struct uart_model *it, const char *text, uint16_t length);

#endif
