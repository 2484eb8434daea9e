/* stm32_spi.c - a byte at a time, because the receiver has one place
 * SPDX-License-Identifier: MIT */
#include "stm32_spi.h"

struct stm32_spi_registers {
    uint32_t control, interrupts, status, data;
};

enum {
    CONTROLLER = 1 << 2, /* in control, whose lowest two bits are the mode */
    RATE = 3,            /* the place of three bits: CLOCK / 2, / 4, ... / 256 */
    SLOWEST = 7,
    ON = 1 << 6,          /* in control */
    BY_PINS = 3 << 8,     /* chip selects are the board's */
    ON_RECEIVED = 1 << 6, /* in interrupts */
    RECEIVED = 1 << 0,    /* in status */
    BUSY = 1 << 7
};

static void send(struct stm32_spi *it)
{
    const struct transfer *transfer = it->bus.controller.transfer;

    it->at->data = it->received < transfer->outs ? transfer->out[it->received] : 0xff;
}

void stm32_spi_interrupt(struct stm32_spi *it)
{
    struct controller *by = &it->bus.controller;
    uint8_t byte;

    if (!(it->at->status & RECEIVED))
        return;
    byte = (uint8_t)it->at->data; /* which also ends the interrupt */
    if (it->received < by->transfer->ins)
        by->transfer->in[it->received] = byte;
    it->received++;
    if (it->received < it->length && !it->aborts) {
        send(it);
        return;
    }
    it->at->interrupts = 0;
    controller_done(by, it->aborts ? (pt_status)PT_ECANCELED : (pt_status)PT_OK);
}

static void start(struct controller *by)
{
    struct stm32_spi *it = (struct stm32_spi *)(void *)by;

    it->received = 0;
    it->length = by->transfer->outs > by->transfer->ins ? by->transfer->outs : by->transfer->ins;
    it->aborts = false;
    if (!it->length) {
        controller_done(by, PT_OK);
        return;
    }
    send(it);
    it->at->interrupts = ON_RECEIVED;
}

/* An interrupt comes: of the byte that is on its way. */
static void stop_soon(struct controller *by)
{
    ((struct stm32_spi *)(void *)by)->aborts = true;
}

static void reset(struct controller *by)
{
    struct stm32_spi *it = (struct stm32_spi *)(void *)by;
    uint32_t control = it->at->control;

    it->at->interrupts = 0;
    it->at->control = 0;
    (void)it->at->data;
    it->at->control = control;
}

static void be_on(struct stm32_spi *it, uint32_t rate, uint32_t mode)
{
    uint32_t control = CONTROLLER | BY_PINS | rate << RATE | mode;

    it->at->control = control; /* rate and mode change while it is off */
    it->at->control = control | ON;
}

static void choose(struct spi_bus *bus, const struct spi_device *device, bool on)
{
    struct stm32_spi *it = (struct stm32_spi *)bus;
    uint32_t rate = 0;

    /* The last byte was received half of a bit before its end. A hang is not possible here: it is
     * not busy while it is off, as in a reset. */
    while (it->at->status & BUSY) {
    }
    if (on) {
        while (rate < SLOWEST && it->clock >> (rate + 1) > device->hertz)
            rate++;
#if PT_DEBUG
        if (it->clock >> (rate + 1) > device->hertz)
            PT_PANIC("the device is too slow: give the SPI a slower clock", "spi_select", 0);
#endif
        be_on(it, rate, device->mode);
    }
    it->choose(device->pin, on);
}

static const struct spi_ops ops = {{start, stop_soon, reset, NULL, PT_MS(5)}, choose};

void stm32_spi_open(struct stm32_spi *it, uintptr_t at, uint32_t clock,
                    void (*choose_pin)(uint8_t pin, bool on), struct pt_loop *loop)
{
    it->at = (volatile struct stm32_spi_registers *)at;
    it->clock = clock;
    it->choose = choose_pin;
    controller_open(&it->bus.controller, &ops.controller, loop);
    it->at->interrupts = 0;
    be_on(it, SLOWEST, 0);
}
