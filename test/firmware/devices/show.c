/* show.c - a display and lights in models: what they show, also after a cancel at any step; no card
 * SPDX-License-Identifier: MIT */
#include BENCH
#include "devices/sd.h"
#include "devices/ssd1306.h"
#include "devices/ws2812.h"

enum { PAGES = 8, LIGHTS_HERE = 5 };

static uint8_t pixels[PAGES * SSD1306_WIDTH];
static struct ssd1306 display;
static const uint8_t colors[3 * LIGHTS_HERE] = {1, 2, 3, 0xff, 0, 0, 0x80, 0x7f, 0x55, 9, 9, 9};

static bool shows_all(void)
{
    return equals(panel.memory[0], pixels, sizeof pixels);
}

/* The color byte that three bytes on the wire are, or -1. */
static int color_of(const uint8_t *bits)
{
    uint32_t all = (uint32_t)bits[0] << 16 | (uint32_t)bits[1] << 8 | bits[2];
    int color = 0;

    for (int bit = 7; bit >= 0; bit--) {
        uint32_t pulse = all >> bit * 3 & 7;

        if (pulse != 4 && pulse != 6)
            return -1;
        color = color << 1 | (pulse == 6);
    }
    return color;
}

static bool are_lit(void)
{
    for (unsigned i = 0; i < LIGHTS_HERE; i++)
        if (color_of(lights.bytes + 9 * i) != colors[3 * i + 1] ||
            color_of(lights.bytes + 9 * i + 3) != colors[3 * i] ||
            color_of(lights.bytes + 9 * i + 6) != colors[3 * i + 2])
            return false;
    return lights.count == WS2812_BITS(LIGHTS_HERE);
}

struct cut {
    struct pt pt;
    bool wrong;
    unsigned at;
    struct pt_scope limit;
    struct ssd1306_show show;
    PT_TASK(ssd1306_show) shower;
};

static PT_ASYNC(cut, self)
{
    for (self->at = 1;; self->at++) {
        bench_hold_after(self->at);
        pt_waker_aim(&held, pt_current_);
        PT_SPAWN(&self->shower, ssd1306_show, .display = &display);
        PT_WITH_TIMEOUT(&self->limit, PT_MS(1000)) {
            while (!bench.holds)
                PT_PARK();
        }
        pt_cancel(&self->shower.task, PT_ECANCELED);
        PT_WAIT(1);
        bench_release();
        PT_JOIN(&self->shower.task);
        if (!bench.holds)
            break; /* it was over before */
        for (unsigned i = 0; i < sizeof pixels; i++)
            pixels[i] = (uint8_t)(i * 5 + self->at);
        PT_TRY(&self->show, ssd1306_show, .display = &display);
        self->wrong |= !shows_all();
    }
    PT_RETURN(self->wrong || self->at < sizeof pixels / SOME ? PT_EIO : PT_OK);
}
PT_END

struct neighbor {
    struct pt pt;
    unsigned times;
    struct pt_held held;
    struct transfer transfer;
};

static PT_ASYNC(neighbor, self)
{
    for (;; self->times++) {
        PT_WITH_LOCK(&self->held, spi_lock(&bench_flash)) {
            spi_select(&self->held, &bench_flash);
            PT_TRY(&self->transfer, transfer, SPI(&bench_flash), .out = colors, .outs = 1);
        }
    }
}
PT_END

struct tests {
    struct pt pt;
    struct ssd1306_start start;
    struct ssd1306_show show;
    struct ws2812_show light;
    struct sd_start card;
    struct sd_read read;
    PT_TASK(neighbor) beside;
    struct cut cut;
    PT_TASK(ssd1306_show) second;
    uint8_t bits[WS2812_BITS(LIGHTS_HERE)];
};

static PT_ASYNC(tests, self)
{
    static const uint8_t reset_card[] = {0x40, 0, 0, 0, 0, 0x95};
    static struct sd no_card = {.slow = &bench_lights,
                                .fast = &bench_lights}; /* the lights listen in */

    PT_WAIT_COMPLETE(&self->start, ssd1306_start, .display = &display);
    expect(self->pt.status == PT_OK && panel.on, "a display is switched on");
    ssd1306_set(&display, 127, 63, true);
    ssd1306_set(&display, 5, 9, true);
    ssd1306_set(&display, 128, 0, true);
    ssd1306_set(&display, 0, 64, true);
    PT_WAIT_COMPLETE(&self->show, ssd1306_show, .display = &display);
    expect(self->pt.status == PT_OK && shows_all() && panel.memory[7][127] == 0x80 &&
               panel.memory[1][5] == 0x02 && !panel.memory[1][0],
           "a display shows the points that were drawn");
    PT_WAIT_COMPLETE(&self->cut, cut);
    expect(self->pt.status == PT_OK,
           "a show that is cut off at any step leaves the next one whole");
    PT_SPAWN(&self->second, ssd1306_show, .display = &display);
    PT_WAIT(60); /* it is at another page then */
    for (unsigned i = 0; i < sizeof pixels; i++)
        pixels[i] = (uint8_t)(i * 3);
    PT_TRY(&self->show, ssd1306_show, .display = &display);
    PT_JOIN(&self->second.task);
    expect(self->pt.status == PT_OK && shows_all(), "two tasks show at once, page by page");
    panel.gone = true;
    PT_WAIT_COMPLETE(&self->show, ssd1306_show, .display = &display);
    expect(self->pt.status == I2C_NO_DEVICE, "a display that is taken away ends with its code");

    PT_WAIT_COMPLETE(&self->light, ws2812_show, .wire = &bench_lights, .colors = colors,
                     .lights = LIGHTS_HERE, .bits = self->bits);
    expect(self->pt.status == PT_OK && are_lit(), "each light gets green, red and blue as pulses");
    PT_WAIT_COMPLETE(&self->light, ws2812_show, .wire = &bench_lights, .lights = WS2812_MOST + 1);
    expect(self->pt.status == PT_ERANGE && lights.count == WS2812_BITS(LIGHTS_HERE),
           "more lights than a transfer has bytes for are refused");

    PT_WAIT_COMPLETE(&self->card, sd_start, .card = &no_card);
    expect(self->pt.status == SD_NONE, "a card that is not there ends with its code");
    expect(equals(lights.bytes + 1, reset_card, sizeof reset_card), "its command had its checksum");

    PT_WAIT_COMPLETE(&self->read, sd_read, .card = &no_card, .block = 1ul << 23);
    expect(self->pt.status == SD_REFUSED, "a block behind the last byte of 32 bits is refused");

    no_card.slow = &bench_card;
    PT_SPAWN(&self->beside, neighbor);
    PT_WAIT_COMPLETE(&self->card, sd_start, .card = &no_card);
    pt_cancel(&self->beside.task, PT_ECANCELED);
    PT_JOIN(&self->beside.task);
    expect(self->beside.frame.times > 10 && !card.collisions,
           "a card has let go of its line before another device is selected");

    PT_FINALLY
    expect(self->pt.result == PT_OK, "nothing ends the tests early");
}
PT_END

int main(void)
{
    static PT_TASK(tests) tests;

    bench_open();
    bench_spi();
    display = (struct ssd1306){bench_i2c(), 0x3c, PAGES, pixels};
    PT_START(&loop, &tests, tests);
    return bench_run(&tests.task);
}
