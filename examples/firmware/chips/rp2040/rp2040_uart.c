/* rp2040_uart.c - a channel of the DMA sends what stands in the ring, one span after the other
 * SPDX-License-Identifier: MIT */
#include "rp2040_uart.h"

#include "rp2040.h"

#define UART(it, offset) REGISTER(0x40034000 + 0x4000 * (it)->number + (offset))
#define DATA(it) UART(it, 0x00)
#define STATE(it) UART(it, 0x18)
#define DIVIDER(it) UART(it, 0x24)
#define FRACTION(it) UART(it, 0x28)
#define LINE(it) UART(it, 0x2c)
#define CONTROL(it) UART(it, 0x30)
#define LEVELS(it) UART(it, 0x34)
#define INTERRUPTS(it) UART(it, 0x38)
#define SEEN(it) UART(it, 0x44)
#define DMA_REQUEST(it) UART(it, 0x48)

enum { FRAMING = 1 << 8, PARITY = 1 << 9, BREAK = 1 << 10, LOST = 1 << 11 }; /* in DATA */
enum { BUSY = 1 << 3, IN_EMPTY = 1 << 4 };                                   /* in STATE */
enum { FIFOS = 1 << 4, EIGHT_BITS = 3 << 5 };                                /* in LINE */
enum { ON = 1 << 0, SENDS = 1 << 8, RECEIVES = 1 << 9 };                     /* in CONTROL */
enum { IN_AT_HALF = 2 << 3 };                                                /* in LEVELS */
enum { LEVEL = 1 << 4, QUIET_LINE = 1 << 6 };                                /* interrupts */
enum { TO_SEND = 1 << 1 };                                                   /* in DMA_REQUEST */

static struct rp2040_uart *uart(const struct uart *it)
{
    return (struct rp2040_uart *)(uintptr_t)it; /* its first member */
}

/* --- what goes out --------------------------------------------------------------------------- */

static void send(struct uart *by)
{
    struct rp2040_uart *it = uart(by);
    const volatile uint8_t *from;

    if (it->span)
        return;
    it->span = uart_span(by, &from);
    if (!it->span)
        return;
    DMA_COUNT(it->channel) = it->span;
    DMA_START_FROM(it->channel) = rp2040_address(from);
}

void rp2040_uart_sent(struct rp2040_uart *it)
{
    uint32_t bit = 1u << it->channel;
    board_state state;

    if (!(DMA_STATE & bit))
        return;
    DMA_STATE = bit;
    state = board_lock();
    uart_went(&it->uart, it->span);
    it->span = 0;
    send(&it->uart);
    board_unlock(state);
}

static bool sends(const struct uart *it)
{
    return STATE(uart(it)) & BUSY;
}

/* --- what arrives ---------------------------------------------------------------------------- */

static void received(struct uart *it, uint32_t word)
{
    if (word & LOST) /* in front of this byte */
        uart_failed(it, PT_EOVERRUN);
    if (word & BREAK)
        uart_failed(it, UART_BREAK);
    else if (word & (FRAMING | PARITY))
        uart_failed(it, UART_FRAMING);
    else
        uart_received(it, (uint8_t)word);
}

void rp2040_uart_interrupt(struct rp2040_uart *it)
{
    SEEN(it) = QUIET_LINE;
    while (!(STATE(it) & IN_EMPTY))
        received(&it->uart, DATA(it));
}

void rp2040_uart_open(struct rp2040_uart *it, uint8_t number, uint32_t clock, uint32_t rate,
                      uint8_t channel, struct pt_loop *loop)
{
    static const struct uart_ops ops = {send, sends, NULL};
    uint32_t divider = (clock * 4 + rate / 2) / rate; /* in 64ths; it counts 16 to a bit */

    uart_open(&it->uart, &ops, loop);
    it->number = number;
    it->channel = channel;
    it->span = 0;
    CONTROL(it) = 0; /* it can have been on: then neither its rate nor its line may change */
    LINE(it) = 0;    /* empties the FIFOs */
    DMA_TO(channel) = rp2040_address(&DATA(it));
    DMA_CONTROL(channel, 0) =
        (20u + 2u * number) << ASKED_BY | (uint32_t)channel << CHAIN | FROM_NEXT | ENABLED;
    DMA_STATE = 1u << channel;
    DMA_ENABLE(SET) = 1u << channel;
    DIVIDER(it) = divider >> 6;
    FRACTION(it) = divider & 63;
    LINE(it) = EIGHT_BITS | FIFOS; /* behind the divider: this write latches it */
    LEVELS(it) = IN_AT_HALF;
    DMA_REQUEST(it) = TO_SEND;
    INTERRUPTS(it) = LEVEL | QUIET_LINE;
    CONTROL(it) = RECEIVES | SENDS | ON;
}
