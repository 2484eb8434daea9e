/* pl022.c - two FIFOs: never more bytes on their way than the receiver has places
 * SPDX-License-Identifier: MIT */
#include "pl022.h"

struct pl022_registers {
    uint32_t format, control, data, status, prescaler, interrupts, raw, masked, clear;
};

enum {
    PLACES = 8, /* in each FIFO */
    BYTES = 7,  /* in format: 8 bits */
    ON = 1 << 1,
    HAS_RECEIVED = 1 << 2, /* in status */
    PAUSES = 1 << 1,       /* in interrupts: bytes were received, and no more come */
    HALF_RECEIVED = 1 << 2,
    HALF_SENT = 1 << 3,
    RESTS = 1 << 1 | 1 << 0 /* in clear */
};

static void receive(struct pl022 *it)
{
    const struct transfer *transfer = it->bus.controller.transfer;

    for (; it->at->status & HAS_RECEIVED; it->received++) {
        uint8_t byte = (uint8_t)it->at->data;

        if (it->received < transfer->ins)
            transfer->in[it->received] = byte;
    }
}

static void send(struct pl022 *it)
{
    const struct transfer *transfer = it->bus.controller.transfer;

    for (; it->sent < it->length && it->sent - it->received < PLACES; it->sent++)
        it->at->data = it->sent < transfer->outs ? transfer->out[it->sent] : 0xff;
}

void pl022_interrupt(struct pl022 *it)
{
    struct controller *by = &it->bus.controller;

    it->at->clear = RESTS;
    if (!by->holds)
        return;
    receive(it);
    if (it->aborts)
        it->length = it->sent; /* what is on its way is the rest */
    send(it);
    if (it->sent < it->length) {
        it->at->interrupts = HALF_SENT;
        return;
    }
    receive(it);
    it->at->interrupts = HALF_RECEIVED | PAUSES;
    if (it->received < it->sent)
        return;
    it->at->interrupts = 0;
    controller_done(by, it->aborts ? (pt_status)PT_ECANCELED : (pt_status)PT_OK);
}

static void start(struct controller *by)
{
    struct pl022 *it = (struct pl022 *)(void *)by;

    it->sent = it->received = 0;
    it->length = by->transfer->outs > by->transfer->ins ? by->transfer->outs : by->transfer->ins;
    it->aborts = false;
    it->at->interrupts = HALF_SENT; /* at once: nothing is on its way */
}

/* An interrupt comes: of the bytes that are on their way. */
static void stop_soon(struct controller *by)
{
    ((struct pl022 *)(void *)by)->aborts = true;
}

static void reset(struct controller *by)
{
    struct pl022 *it = (struct pl022 *)(void *)by;

    it->at->interrupts = 0;
    it->at->control = 0;
    for (unsigned i = 0; i < PLACES; i++)
        (void)it->at->data;
    it->at->control = ON;
}

/* The bit rate: CLOCK / prescaler / (1 + the upper byte of format), as fast as the device can. */
static void choose(struct spi_bus *bus, const struct spi_device *device, bool on)
{
    struct pl022 *it = (struct pl022 *)bus;
    uint32_t divisor = (it->clock / 2 + device->hertz - 1) / device->hertz;

    if (on) {
        it->at->control = 0;
        it->at->prescaler = divisor > 256 ? 254 : 2;
        it->at->format = (divisor > 256 ? divisor / 127
                          : divisor     ? divisor - 1
                                        : 0)
                             << 8 |
                         (uint32_t)(device->mode & 1) << 7 | (uint32_t)(device->mode >> 1) << 6 |
                         BYTES;
        it->at->control = ON;
    }
    it->choose(device->pin, on);
}

static const struct spi_ops ops = {{start, stop_soon, reset, NULL, PT_MS(2)}, choose};

void pl022_open(struct pl022 *it, uintptr_t at, uint32_t clock,
                void (*choose_pin)(uint8_t pin, bool on), struct pt_loop *loop)
{
    it->at = (volatile struct pl022_registers *)at;
    it->clock = clock;
    it->choose = choose_pin;
    controller_open(&it->bus.controller, &ops.controller, loop);
    it->at->prescaler = 254;
    it->at->format = BYTES;
    reset(&it->bus.controller);
}
