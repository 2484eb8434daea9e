/* uart_model.c - the line, a byte at a time
 * SPDX-License-Identifier: MIT */
#include "uart_model.h"

static void tell(struct uart_model *it)
{
    it->told = it->place;
    it->interrupts++;
    uart_arrived(&it->uart);
}

/* DMA: a mark at each half, and at an error. */
static void store(struct uart_model *it, char byte)
{
    struct uart_ring *in = &it->uart.in;

    in->bytes[it->place] = (uint8_t)byte;
    it->place = (uart_count)((it->place + 1) & (in->size - 1));
    if (it->place % (in->size / 2) == 0)
        tell(it);
}

static void receive(struct uart_model *it)
{
    char byte = *it->line++;

    it->lines--;
    if (byte == '!' || byte == '~') {
        if (it->dma)
            tell(it);
        uart_failed(&it->uart, byte == '!' ? UART_FRAMING : UART_BREAK);
    } else if (it->dma) {
        store(it, byte);
    } else {
        it->interrupts++;
        uart_received(&it->uart, (uint8_t)byte);
    }
}

static void receive_some(struct hardware *hardware)
{
    struct uart_model *it =
        (struct uart_model *)(void *)((char *)hardware - offsetof(struct uart_model, receiver));

    for (uint16_t left = it->burst ? it->burst : 1; left && it->lines; left--)
        receive(it);
    if (it->lines)
        hardware_at(hardware, (pt_time)(board_now() + 1));
    else if (it->dma && it->told != it->place)
        tell(it); /* the line is idle */
}

/* DMA reads a byte of the span at a time, and tells when it has read them all. */
static bool next_byte(struct uart_model *it, uint8_t *byte)
{
    const volatile uint8_t *from;
    uart_count count;

    if (!it->dma)
        return uart_next(&it->uart, byte);
    count = uart_span(&it->uart, &from);
    if (it->went < count)
        *byte = from[it->went++];
    else
        return false;
    if (it->went == count) {
        it->went = 0;
        uart_went(&it->uart, count);
    }
    return true;
}

static void send_byte(struct hardware *hardware)
{
    struct uart_model *it =
        (struct uart_model *)(void *)((char *)hardware - offsetof(struct uart_model, transmitter));

    if (it->shifts && it->sents < sizeof it->sent)
        it->sent[it->sents++] = (char)it->shifted;
    it->shifts = next_byte(it, &it->shifted);
    if (it->shifts)
        hardware_at(hardware, (pt_time)(board_now() + 1));
}

static void send(struct uart *uart)
{
    struct uart_model *it = (struct uart_model *)uart;

    if (!it->shifts)
        send_byte(&it->transmitter);
}

static bool sends(const struct uart *uart)
{
    return ((const struct uart_model *)uart)->shifts;
}

/* The line goes on while a task looks. */
static uart_count place(const struct uart *uart)
{
    struct uart_model *it = (struct uart_model *)uart;

    if (!it->races_now) {
        it->races_now = true; /* a mark looks, too */
        for (uint16_t left = it->races; left && it->lines; left--)
            receive(it);
        it->races_now = false;
    }
    return it->place;
}

void uart_model_open(struct uart_model *it, struct pt_loop *loop, bool dma)
{
    static const struct uart_ops by_byte = {send, sends, NULL}, by_dma = {send, sends, place};

    it->dma = dma;
    it->receiver.act = receive_some;
    it->transmitter.act = send_byte;
    uart_open(&it->uart, dma ? &by_dma : &by_byte, loop);
}

void uart_model_type(struct uart_model *it, const char *text, uint16_t length)
{
    it->line = text;
    it->lines = length;
    hardware_at(&it->receiver, (pt_time)(board_now() + 1));
}
