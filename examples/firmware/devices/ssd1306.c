/* ssd1306.c - a byte tells what follows: commands, or pixels
 * SPDX-License-Identifier: MIT */
#include "ssd1306.h"

static const uint8_t commands[] = {0x00}, pixels[] = {0x40};

static const uint8_t settings[] = {
    0xae,       /* off */
    0x20, 0x02, /* a page at a time */
    0xa1, 0xc8, /* the cable is above */
    0x8d, 0x14, /* its own high voltage */
    0xd5, 0x80, /* clock */
    0xd9, 0xf1, /* charge */
    0xdb, 0x40, /* level */
    0x81, 0x7f, /* contrast */
    0xd3, 0x00, /* the uppermost line is */
    0x40,       /* the first of memory */
    0xa4, 0xa6, /* from memory, bright on dark */
    0xaf,       /* on */
};

PT_ASYNC(ssd1306_start, self)
{
    self->height[0] = 0xda; /* how the lines are wired, then their number */
    self->height[1] = self->display->pages == 8 ? 0x12 : 0x02;
    PT_TRY(&self->i2c, i2c, .bus = self->display->bus, .address = self->display->address,
           .head = commands, .heads = 1, .out = self->height, .outs = 2);
    self->height[0] = 0xa8;
    self->height[1] = (uint8_t)(8 * self->display->pages - 1);
    PT_TRY(&self->i2c, i2c, .bus = self->display->bus, .address = self->display->address,
           .head = commands, .heads = 1, .out = self->height, .outs = 2);
    PT_TRY(&self->i2c, i2c, .bus = self->display->bus, .address = self->display->address,
           .head = commands, .heads = 1, .out = settings, .outs = sizeof settings);
}
PT_END

/* The place of a page: its number, and column 0 in two halves. */
static const uint8_t *prepare(struct ssd1306_show *self)
{
    self->place[0] = (uint8_t)(0xb0 | self->page);
    self->place[1] = 0x00;
    self->place[2] = 0x10;
    return self->place;
}

PT_ASYNC(ssd1306_show, self)
{
    for (self->page = 0; self->page < self->display->pages; self->page++) {
        PT_WITH_LOCK(&self->held, &self->display->bus->controller.lock) { /* for this page */
            PT_TRY(&self->i2c, i2c, .bus = self->display->bus, .address = self->display->address,
                   .head = commands, .heads = 1, .out = prepare(self), .outs = sizeof self->place);
            PT_TRY(&self->i2c, i2c, .bus = self->display->bus, .address = self->display->address,
                   .head = pixels, .heads = 1,
                   .out = self->display->pixels + self->page * SSD1306_WIDTH,
                   .outs = SSD1306_WIDTH);
        }
    }
}
PT_END
