/* spi.h - an SPI bus: a chip select for each device, and bytes both ways at once
 * SPDX-License-Identifier: MIT
 *
 *     struct read_id { struct pt pt; struct pt_held held; struct transfer transfer; ... };
 *
 *     PT_WITH_LOCK(&self->held, spi_lock(flash)) {
 *         spi_select(&self->held, flash);
 *         PT_WAIT_COMPLETE(&self->transfer, transfer, SPI(flash), .out = command, .outs = 1);
 *         PT_WAIT_COMPLETE(&self->transfer, transfer, SPI(flash), .in = self->id, .ins = 3);
 *     }
 *
 * The device is selected to the end of the block, over all transfers in it. However the block is
 * left, by a timeout or a cancel too, first the hardware lets go of the memory, then the device is
 * deselected, then the next task gets the bus. */
#ifndef DRIVERS_SPI_H
#define DRIVERS_SPI_H

#include "transfer.h"

struct spi_device;

/* A bus. A chip's file has a struct of its own that begins with this, and opens it by
 * controller_open(&bus->controller, &ops->controller, &loop). A transfer exchanges as many bytes as
 * the longer of OUT and IN has: where OUT is over, 0xff goes out; where IN is over, what comes in
 * is dropped. While no device is selected, it only clocks; PT_EINVAL if the chip cannot. Else it
 * ends with PT_OK or PT_EOVERRUN. */
struct spi_bus {
    struct controller controller;      /* its first member */
    const struct spi_device *selected; /* or NULL */
};

struct spi_ops {
    struct controller_ops controller; /* its first member */

    /* Pull the chip select of DEVICE low, in its mode and at its speed; if ON is false, let it go
     * high. No transfer runs. */
    void (*select)(struct spi_bus *bus, const struct spi_device *device, bool on);
};

/* A device; constant. */
struct spi_device {
    struct spi_bus *bus;
    uint32_t hertz; /* at most */
    uint8_t mode;   /* 0 to 3 */
    uint8_t pin;    /* its chip select, as the chip's file numbers them */
};

/* spi_lock - the lock of a device's bus */
static inline struct pt_lock *spi_lock(const struct spi_device *device)
{
    return &device->bus->controller.lock;
}

/* SPI(device) - a field of `transfer`: by the bus of this device */
#define SPI(device) .by = &(device)->bus->controller

/* spi_select - first in a block that HELD holds the bus's lock in: select DEVICE to its end
 * One at a time: while the task has a device selected, in a block around this one, PT_DEBUG stops
 * here. Without it, that one is deselected for good: what its block still transfers only clocks,
 * since to the device the rest of a command would be another one. */
void spi_select(struct pt_held *held, const struct spi_device *device);

#endif
