/* lm3s6965evb.h - the bench on an LM3S6965: an SD card on SSI0
 * SPDX-License-Identifier: MIT */
#include "bench.h"
#include "chips/pl022.h"
#include "cortex-m.h"
#include "devices/sd.h"
#include "interrupts.h"

#ifndef BENCH_BY_BLOCK
#define BENCH_BY_BLOCK false
#endif
enum { SSI = 7, BENCH_BLOCKS = BENCH_BY_BLOCK ? 8388608 : 131072 }; /* of 4 GB, of 64 MB */

static struct pl022 spi_bus;
static const struct spi_device slow = {&spi_bus.bus, .hertz = 400000, .mode = 0, .pin = 0};
static const struct spi_device fast = {&spi_bus.bus, .hertz = 6000000, .mode = 0, .pin = 0};
static struct sd bench_card = {.slow = &slow, .fast = &fast};

void ssi_interrupt(void)
{
    pl022_interrupt(&spi_bus);
    if (bench_interrupted())
        NVIC_ICER = 1u << SSI;
}

void bench_hold_after(unsigned count)
{
    bench_count(count);
}

void bench_release(void)
{
    bench.left = 0;
    NVIC_ISER = 1u << SSI;
}

static inline void bench_spi(void)
{
    pl022_open(&spi_bus, 0x40008000, BOARD_HZ, card_select, &loop);
}
