/* ws2812.c - three bits for one
 * SPDX-License-Identifier: MIT */
#include "ws2812.h"

/* 100 for a zero, 110 for a one, the uppermost bit first. */
static void put(uint8_t *bits, uint8_t color)
{
    uint32_t all = 0;

    for (unsigned bit = 0; bit < 8; bit++, color = (uint8_t)(color << 1))
        all = all << 3 | (color & 0x80 ? 6 : 4);
    bits[0] = (uint8_t)(all >> 16);
    bits[1] = (uint8_t)(all >> 8);
    bits[2] = (uint8_t)all;
}

static const uint8_t *prepare(struct ws2812_show *self)
{
    for (unsigned i = 0; i < self->lights; i++) {
        const uint8_t *color = self->colors + i * 3;
        uint8_t *bits = self->bits + i * 9;

        put(bits, color[1]); /* green comes first */
        put(bits + 3, color[0]);
        put(bits + 6, color[2]);
    }
    return self->bits;
}

PT_ASYNC(ws2812_show, self)
{
    if (self->lights > WS2812_MOST)
        PT_RETURN(PT_ERANGE);
    PT_WITH_LOCK(&self->held, spi_lock(self->wire)) {
        spi_select(&self->held, self->wire);
        PT_TRY(&self->transfer, transfer, SPI(self->wire), .out = prepare(self),
               .outs = (uint16_t)WS2812_BITS(self->lights));
        PT_WAIT(PT_MS(1)); /* low, for 300 us at least: it ends in a zero */
    }
}
PT_END
