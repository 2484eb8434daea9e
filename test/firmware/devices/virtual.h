/* virtual.h - the bench in virtual time: a display on I2C, a flash and lights on SPI
 * SPDX-License-Identifier: MIT
 *
 * A task plays the hardware: each tick it moves some bytes, which is an interrupt. The models mind:
 * what a real device would not take is counted. */
#include "bench.h"
#include "drivers/i2c.h"
#include "drivers/spi.h"

#include <string.h>

enum { SOME = 8 }; /* bytes in a tick */
#define BENCH_MODEL

/* --- a flash ------------------------------------------------------------------------------- */

enum { FLASH_SIZE = 0x2000, FLASH_PROGRAMS = PT_MS(3), FLASH_ERASES = PT_MS(60) };
#define BENCH_ID 0xef, 0x40, 0x0d
#define BENCH_CLOCKS PT_OK

static struct {
    uint8_t bytes[FLASH_SIZE], page[256];
    bool is_new[256];
    uint8_t command[4];
    unsigned count; /* bytes since the select */
    bool permits, gone, hangs;
    pt_time until;
    unsigned broken; /* commands that it did not take */
} flash;

static bool flash_is_busy(void)
{
    return flash.hangs || pt_time_before(board_now(), flash.until);
}

static uint8_t flash_exchange(uint8_t byte)
{
    static const uint8_t id[] = {BENCH_ID};
    unsigned place, at = flash.count++;

    if (flash.gone)
        return 0xff;
    if (at < 4)
        flash.command[at] = byte;
    if (at == 0 && byte != 0x05 && flash_is_busy())
        flash.broken++;
    place = ((unsigned)flash.command[2] << 8 | flash.command[3]) % FLASH_SIZE;
    switch (flash.command[0]) {
    case 0x05: return (uint8_t)(flash_is_busy() | flash.permits << 1);
    case 0x9f: return at >= 1 && at <= 3 ? id[at - 1] : 0;
    case 0x03: return at >= 4 ? flash.bytes[(place + at - 4) % FLASH_SIZE] : 0;
    case 0x02:
        if (at >= 4) {
            flash.page[(place + at - 4) % 256] = byte;
            flash.is_new[(place + at - 4) % 256] = true;
        }
        break;
    default: break;
    }
    return 0;
}

static void flash_select(bool on)
{
    unsigned place = ((unsigned)flash.command[2] << 8 | flash.command[3]) % FLASH_SIZE;

    if (!on && flash.count && !flash.gone) {
        if (flash.command[0] == 0x06) {
            flash.permits = true;
        } else if (flash.command[0] == 0x20 && flash.count == 4) {
            flash.broken += !flash.permits;
            memset(flash.bytes + place / 4096 * 4096, 0xff, 4096);
            flash.until = board_now() + FLASH_ERASES;
            flash.permits = false;
        } else if (flash.command[0] == 0x02 && flash.count > 4) {
            flash.broken += !flash.permits;
            for (unsigned i = 0; i < 256; i++)
                if (flash.is_new[i])
                    flash.bytes[place / 256 * 256 + i] &= flash.page[i];
            flash.until = board_now() + FLASH_PROGRAMS;
            flash.permits = false;
        }
    }
    memset(flash.is_new, 0, sizeof flash.is_new);
    flash.count = 0;
}

/* --- a display, and lights ----------------------------------------------------------------- */

static struct {
    uint8_t memory[8][128];
    uint8_t page, column, control;
    bool on, gone;
} panel;

static void panel_take(unsigned at, uint8_t byte)
{
    if (at == 0)
        panel.control = byte;
    else if (panel.control == 0x40)
        panel.memory[panel.page][panel.column++ % 128] = byte;
    else if ((byte & 0xf8) == 0xb0)
        panel.page = byte & 7;
    else if (byte < 0x10)
        panel.column = (uint8_t)((panel.column & 0xf0) | byte);
    else if (byte < 0x20)
        panel.column = (uint8_t)((panel.column & 0x0f) | byte << 4);
    else if ((byte & 0xfe) == 0xae)
        panel.on = byte & 1;
}

static struct {
    uint8_t bytes[256];
    unsigned count;
} lights;

/* --- a card, which holds the line until it has seen clocks without its select ------------------ */

static struct {
    bool drives;
    unsigned collisions; /* bytes of others meanwhile */
} card;

/* --- the buses ------------------------------------------------------------------------------- */

enum { FLASH, LIGHTS, CARD }; /* pins */

static struct {
    struct spi_bus bus;
} spi_bus;
static struct {
    struct i2c_bus bus;
} i2c_bus;

static const struct spi_device bench_flash = {&spi_bus.bus, .hertz = 1000000, .pin = FLASH};
static const struct spi_device bench_lights = {&spi_bus.bus, .hertz = 2400000, .pin = LIGHTS};
static const struct spi_device bench_card = {&spi_bus.bus, .hertz = 400000, .pin = CARD};

struct hardware {
    struct pt pt;
    unsigned at; /* bytes of the transfer */
    bool aborts;
};
static PT_TASK(hardware) hardware;
static bool keeps; /* the next interrupt is kept back */

static void begin(struct controller *by)
{
    (void)by;
    hardware.frame.at = 0;
    hardware.frame.aborts = false;
    pt_wake(&hardware.task);
}

static void stop_soon(struct controller *by)
{
    (void)by;
    hardware.frame.aborts = true;
}

static void reset(struct controller *by)
{
    (void)by;
    hardware.frame.at = 0;
}

static void choose(struct spi_bus *bus, const struct spi_device *device, bool on)
{
    (void)bus;
    if (device->pin == FLASH)
        flash_select(on);
    else if (device->pin == CARD)
        card.drives = true;
    else if (on)
        lights.count = 0;
}

static const struct spi_ops spi_ops = {{begin, stop_soon, reset, NULL, PT_MS(5)}, choose};
static const struct i2c_ops i2c_ops = {{begin, stop_soon, reset, NULL, PT_MS(5)}, NULL};

/* Whether the transfer is over after these bytes. */
static bool spi_moves(unsigned count)
{
    const struct transfer *it = spi_bus.bus.controller.transfer;
    unsigned length = it->outs > it->ins ? it->outs : it->ins;

    for (; count && hardware.frame.at < length; count--, hardware.frame.at++) {
        unsigned at = hardware.frame.at;
        uint8_t out = at < it->outs ? it->out[at] : 0xff, in = 0xff;

        if (spi_bus.bus.selected == &bench_flash)
            in = flash_exchange(out);
        else if (lights.count < sizeof lights.bytes)
            lights.bytes[lights.count++] = out;
        if (spi_bus.bus.selected != &bench_card) {
            card.collisions += card.drives && spi_bus.bus.selected;
            card.drives = false;
        }
        if (at < it->ins)
            it->in[at] = in;
    }
    return hardware.frame.at == length;
}

static bool i2c_moves(unsigned count)
{
    const struct transfer *it = i2c_bus.bus.controller.transfer;
    unsigned length = i2c_bus.bus.heads + it->outs;

    for (; count && hardware.frame.at < length; count--, hardware.frame.at++) {
        unsigned at = hardware.frame.at;

        panel_take(at,
                   at < i2c_bus.bus.heads ? i2c_bus.bus.head[at] : it->out[at - i2c_bus.bus.heads]);
    }
    return hardware.frame.at == length;
}

static PT_ASYNC(hardware, self)
{
    for (;;) {
        while (keeps || (!spi_bus.bus.controller.holds && !i2c_bus.bus.controller.holds))
            PT_PARK();
        PT_WAIT(1);
        if (keeps)
            continue;
        if (spi_bus.bus.controller.holds) {
            if (self->aborts)
                controller_done(&spi_bus.bus.controller, PT_ECANCELED);
            else if (spi_moves(SOME))
                controller_done(&spi_bus.bus.controller, PT_OK);
        } else if (i2c_bus.bus.controller.holds) {
            if (self->aborts)
                controller_done(&i2c_bus.bus.controller, PT_ECANCELED);
            else if (i2c_bus.bus.address != 0x3c || panel.gone)
                controller_done(&i2c_bus.bus.controller, I2C_NO_DEVICE);
            else if (i2c_moves(SOME))
                controller_done(&i2c_bus.bus.controller, PT_OK);
        }
        keeps = bench_interrupted();
    }
}
PT_END

void bench_hold_after(unsigned count)
{
    bench_count(count);
}

void bench_release(void)
{
    bench.left = 0;
    keeps = false;
    pt_wake(&hardware.task);
}

static inline void bench_spi(void)
{
    memset(flash.bytes, 0xff, sizeof flash.bytes);
    controller_open(&spi_bus.bus.controller, &spi_ops.controller, &loop);
    PT_START(&loop, &hardware, hardware);
}

static inline struct i2c_bus *bench_i2c(void)
{
    controller_open(&i2c_bus.bus.controller, &i2c_ops.controller, &loop);
    return &i2c_bus.bus;
}
