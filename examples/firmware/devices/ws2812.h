/* ws2812.h - a chain of colored lights on one wire, played by an SPI bus
 * SPDX-License-Identifier: MIT
 *
 *     static const struct spi_device wire = {&spi, .hertz = 2400000, .mode = 0, .pin = UNUSED};
 *     static const uint8_t colors[] = {255, 0, 0,  0, 255, 0};       red, green
 *     static uint8_t bits[WS2812_BITS(2)];
 *
 *     PT_TRY(&self->show, ws2812_show, .wire = &wire, .colors = colors, .lights = 2, .bits = bits);
 *
 * The lights are on the data line of a bus of their own. A bit for them is a pulse of a third or of
 * two thirds of 1.25 us, which is three bits of SPI. The clock must be 2.4 MHz, 10 % more or less,
 * and the bytes must follow each other without a gap: the controller has DMA, or a FIFO that its
 * interrupt keeps full. Between two pictures the line is low for 300 us: a show ends behind that.
 *
 * A cancel or a timeout leaves some lights new and the others old. The next show begins with the
 * first one. */
#ifndef DEVICES_WS2812_H
#define DEVICES_WS2812_H

#include "drivers/codes.h"
#include "drivers/spi.h"

/* WS2812_BITS(lights) - the size of the memory for their bits, in bytes */
#define WS2812_BITS(lights) (9 * (lights))

enum { WS2812_MOST = UINT16_MAX / WS2812_BITS(1) }; /* lights, as a transfer has 65,535 bytes */

/* ws2812_show - set the colors of the first LIGHTS lights; awaited
 * Ends with PT_OK; PT_ERANGE, before anything happens, if they are over WS2812_MOST, 7,281; or a code
 * of spi. */
struct ws2812_show {
    struct pt pt;
    const struct spi_device *wire;
    const uint8_t *colors; /* red, green, blue of each */
    uint8_t *bits;         /* WS2812_BITS(LIGHTS) bytes, until it ends */
    uint16_t lights;
    struct pt_held held;
    struct transfer transfer;
};
PT_DECLARE(ws2812_show);

#endif
