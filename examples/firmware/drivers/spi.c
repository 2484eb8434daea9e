/* spi.c - a block that holds the bus, and leaves no device selected
 * SPDX-License-Identifier: MIT */
#include "spi.h"

/* Deselect what is selected, then select DEVICE, if it is not NULL. */
static void change_to(struct spi_bus *bus, const struct spi_device *device)
{
    const struct spi_ops *ops = (const struct spi_ops *)(const void *)bus->controller.ops;

    if (bus->selected)
        ops->select(bus, bus->selected, false);
    bus->selected = device;
    if (device)
        ops->select(bus, device, true);
}

/* The block is left: instead of the function that only unlocks. */
static void release(void *lock, struct pt_task *task)
{
    struct spi_bus *bus = (struct spi_bus *)lock; /* the lock is its first member */

    change_to(bus, NULL);
    (void)pt_lock_release(&bus->controller.lock, task);
}

void spi_select(struct pt_held *held, const struct spi_device *device)
{
#if PT_DEBUG
    if (device->bus->selected)
        PT_PANIC("the bus has a device selected: end its block first", "spi_select", 0);
#endif
    held->release = release;
    change_to(device->bus, device);
}
