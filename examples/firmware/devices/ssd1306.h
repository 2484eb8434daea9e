/* ssd1306.h - a display of 128 x 64 or 128 x 32 points on I2C: SSD1306 and SSD1309
 * SPDX-License-Identifier: MIT
 *
 *     static uint8_t pixels[8 * SSD1306_WIDTH];
 *     static const struct ssd1306 display = {&bus, .address = 0x3c, .pages = 8, .pixels = pixels};
 *
 *     PT_TRY(&self->start, ssd1306_start, .display = &display);
 *     ssd1306_set(&display, 10, 20, true);
 *     PT_TRY(&self->show, ssd1306_show, .display = &display);
 *
 * What is drawn is in memory, a bit a point; show sends all of it, a page of 8 lines at a time. In
 * between the bus is free for other tasks, which may show it too. What is drawn
 * during a show is seen now or by the next one.
 *
 * A cancel or a timeout leaves a part of the old picture. The next show sets its places anew. */
#ifndef DEVICES_SSD1306_H
#define DEVICES_SSD1306_H

#include "drivers/i2c.h"

enum { SSD1306_WIDTH = 128 };

/* A display; constant, but for its pixels. */
struct ssd1306 {
    struct i2c_bus *bus;
    uint8_t address; /* 0x3c or 0x3d */
    uint8_t pages;   /* 8, or 4: an eighth of its lines */
    uint8_t *pixels; /* pages * SSD1306_WIDTH bytes; the lowest bit is the uppermost line */
};

/* ssd1306_set - draw a point, or clear it; what is outside is ignored */
static inline void ssd1306_set(const struct ssd1306 *display, unsigned x, unsigned y, bool on)
{
    uint8_t bit = (uint8_t)(1u << y % 8);
    uint8_t *at;

    if (x >= SSD1306_WIDTH || y >= 8u * display->pages)
        return;
    at = display->pixels + y / 8 * SSD1306_WIDTH + x;
    *at = (uint8_t)(on ? *at | bit : *at & ~bit);
}

/* ssd1306_start - switch the display on, after its power-up; awaited
 * Ends with PT_OK or a code of i2c. Until the first show it has what its memory has. */
struct ssd1306_start {
    struct pt pt;
    const struct ssd1306 *display;
    struct i2c i2c;
    uint8_t height[2];
};
PT_DECLARE(ssd1306_start);

/* ssd1306_show - send the pixels; awaited
 * Ends with PT_OK or a code of i2c: 25 ms at 400 kHz. */
struct ssd1306_show {
    struct pt pt;
    const struct ssd1306 *display;
    uint8_t page; /* private: the next */
    uint8_t place[3];
    struct pt_held held;
    struct i2c i2c;
};
PT_DECLARE(ssd1306_show);

#endif
