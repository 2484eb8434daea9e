/* spi.c - a block that holds the bus, and leaves no device selected
 * SPDX-License-Identifier: MIT */
#include "spi.h"

static void select_on(struct spi_bus *bus, bool on)
{
    const struct spi_ops *ops = (const struct spi_ops *)(const void *)bus->controller.ops;

    ops->select(bus, bus->selected, on);
}

/* The block is left: instead of the function that only unlocks. */
static void release(void *lock, struct pt_task *task)
{
    struct spi_bus *bus = (struct spi_bus *)lock; /* the lock is its first member */

    select_on(bus, false);
    bus->selected = NULL;
    (void)pt_lock_release(&bus->controller.lock, task);
}

void spi_select(struct pt_held *held, const struct spi_device *device)
{
    device->bus->selected = device;
    held->release = release;
    select_on(device->bus, true);
}
