/* stm32_usart.c - a byte in the receiver, and room in the transmitter
 * SPDX-License-Identifier: MIT */
#include "stm32_usart.h"

struct stm32_usart_registers {
    uint32_t status, data, rate, control;
};

enum {
    FRAMING = 1 << 1, /* in status; a read of it and then of data clears what is wrong */
    NOISE = 1 << 2,
    OVERRUN = 1 << 3,
    RECEIVED = 1 << 5,
    SENT_ALL = 1 << 6, /* a read of status and then a write of data clears it */
    ROOM = 1 << 7,
    RECEIVER = 1 << 2, /* in control */
    TRANSMITTER = 1 << 3,
    ON_RECEIVED = 1 << 5,
    ON_ROOM = 1 << 7,
    ON = 1 << 13
};

/* An overrun can be told alone, when the byte before it has just been read: without a read of data
 * its interrupt would never end. */
static void receive(struct stm32_usart *it)
{
    uint32_t status;

    while ((status = it->at->status) & (RECEIVED | OVERRUN)) {
        uint8_t byte = (uint8_t)it->at->data;

        if (status & (FRAMING | NOISE))
            uart_failed(&it->uart, (status & FRAMING) && !byte ? UART_BREAK : UART_FRAMING);
        else if (status & RECEIVED)
            uart_received(&it->uart, byte);
        if (status & OVERRUN)
            uart_failed(&it->uart, PT_EOVERRUN);
    }
}

/* What there is room for goes at once: the first byte takes no interrupt. Where the byte before it
 * ends between the read of status and the write of data, that write does not clear its end. */
static void send(struct uart *uart)
{
    struct stm32_usart *it = (struct stm32_usart *)uart;
    uint32_t status;
    uint8_t byte;

    while ((status = it->at->status) & ROOM) {
        if (!uart_next(uart, &byte)) {
            it->at->control &= ~(uint32_t)ON_ROOM;
            return;
        }
        it->at->data = byte;
        if (~status & it->at->status & SENT_ALL)
            it->at->status = ~(uint32_t)SENT_ALL;
    }
    it->at->control |= ON_ROOM;
}

static bool sends(const struct uart *uart)
{
    return !(((const struct stm32_usart *)uart)->at->status & SENT_ALL);
}

void stm32_usart_interrupt(struct stm32_usart *it)
{
    board_state state;

    receive(it);
    state = board_lock(); /* else a byte can end between two lines of SEND */
    if (it->at->control & ON_ROOM)
        send(&it->uart);
    board_unlock(state);
}

static const struct uart_ops ops = {send, sends, NULL};

void stm32_usart_open(struct stm32_usart *it, uintptr_t at, uint32_t clock, uint32_t baud,
                      struct pt_loop *loop)
{
    it->at = (volatile struct stm32_usart_registers *)at;
    uart_open(&it->uart, &ops, loop);
    it->at->rate = (clock + baud / 2) / baud; /* in sixteenths, each of which is a sample */
    it->at->control = ON | TRANSMITTER | RECEIVER | ON_RECEIVED;
}
