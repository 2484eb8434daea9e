/* aspeed_fmc.c - bytes through the window of the selected flash, some in each interrupt
 * SPDX-License-Identifier: MIT */
#include "aspeed_fmc.h"
#include "cortex-m.h"

#define FMC_TYPE REGISTER(0x7e620000)
#define FMC_CONTROL(pin) REGISTER(0x7e620010 + 4u * (pin))
#define WINDOW(pin) (*(volatile uint8_t *)(uintptr_t)(0x80000000u + 0x08000000u * (pin)))

enum {
    WRITES = 3 << 16, /* in FMC_TYPE: both flashes can be written */
    PLAIN = 3,        /* in FMC_CONTROL: plain SPI */
    DESELECTED = 1 << 2,
    INTERRUPT = 39,
    SOME = 32 /* bytes in an interrupt: less than 30 us */
};

/* The bits of FMC_CONTROL that divide the bus clock by 1 to 16. */
static const uint8_t divisors[] = {15, 7, 14, 6, 13, 5, 12, 4, 11, 3, 10, 2, 9, 1, 8, 0};

static void raise(void)
{
    (&NVIC_ISPR)[INTERRUPT / 32] = 1u << INTERRUPT % 32;
}

static void begin(struct controller *by)
{
    struct aspeed_fmc *it = (struct aspeed_fmc *)(void *)by;

    it->done = 0;
    it->aborts = false;
    if (it->bus.selected)
        raise();
    else
        controller_done(by, PT_EINVAL);
}

void aspeed_fmc_interrupt(struct aspeed_fmc *it)
{
    struct controller *by = &it->bus.controller;
    const struct transfer *transfer = by->transfer;
    unsigned left = it->aborts ? 0 : SOME;
    uint8_t byte;

    if (!by->holds)
        return;
    for (; left && it->done < transfer->outs; left--)
        WINDOW(it->bus.selected->pin) = transfer->out[it->done++];
    for (; left && it->done < transfer->ins; left--) {
        byte = WINDOW(it->bus.selected->pin);
        transfer->in[it->done++] = byte;
    }
    if (it->aborts)
        controller_done(by, PT_ECANCELED);
    else if (left)
        controller_done(by, PT_OK);
    else
        raise();
}

/* The next interrupt is raised already. */
static void stop_soon(struct controller *by)
{
    ((struct aspeed_fmc *)(void *)by)->aborts = true;
}

static void reset(struct controller *by)
{
    (void)by;
    (&NVIC_ICPR)[INTERRUPT / 32] = 1u << INTERRUPT % 32;
}

static void choose(struct spi_bus *bus, const struct spi_device *device, bool on)
{
    unsigned divisor = 1;

    (void)bus;
    while (divisor < sizeof divisors && BOARD_HZ / divisor > device->hertz)
        divisor++;
    FMC_CONTROL(device->pin) = PLAIN | (uint32_t)divisors[divisor - 1] << 8 | (on ? 0 : DESELECTED);
}

static const struct spi_ops ops = {{begin, stop_soon, reset, NULL, PT_MS(2)}, choose};

void aspeed_fmc_open(struct aspeed_fmc *it, struct pt_loop *loop)
{
    FMC_TYPE |= WRITES;
    controller_open(&it->bus.controller, &ops.controller, loop);
}
