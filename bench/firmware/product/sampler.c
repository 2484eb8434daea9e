/* sampler.c - the sensor of a part that does not exist, for its bytes: DMA, and interrupt 1
 * SPDX-License-Identifier: MIT */
#include "product.h"
#include "cortex-m.h"

#define CONVERTER_TO REGISTER(0x40006000)
#define CONVERTER_COUNT REGISTER(0x40006004)
#define CONVERTER_CTRL REGISTER(0x40006008)
#define CONVERTER_INTCLEAR REGISTER(0x4000600c)

enum { CTRL_RUN = 1, CTRL_ABORT = 2, CTRL_RESET = 4 };

static void converter(void)
{
    CONVERTER_INTCLEAR = 1;
    sampler_done();
}

/* Behind the board's table, which ends with interrupt 0. */
extern handler *const converter_entry;
handler *const converter_entry __attribute__((section(".vectors"), used)) = converter;

void sampler_start(uint8_t *to)
{
    NVIC_ISER = 2;
    CONVERTER_TO = (uint32_t)(uintptr_t)to;
    CONVERTER_COUNT = SAMPLES;
    CONVERTER_CTRL = CTRL_RUN;
}

void sampler_abort(void)
{
    CONVERTER_CTRL = CTRL_ABORT;
}

void sampler_reset(void)
{
    CONVERTER_CTRL = CTRL_RESET;
    CONVERTER_INTCLEAR = 1;
    NVIC_ICPR = 2;
}
