/* bme280.c - a measurement, and the arithmetic of its data sheet on what comes
 * SPDX-License-Identifier: MIT */
#include "bme280.h"

enum {
    ID = 0x60,
    COPIES = 1 << 0, /* in its status: the calibration is not there yet */
    MEASURES = 1 << 3
};

static const uint8_t its_id[] = {0xd0}, its_status[] = {0xf3}, low[] = {0x88}, high[] = {0xe1};
static const uint8_t measure[] = {0xf2, 1, 0xf4, 1 << 5 | 1 << 2 | 1}; /* all three, once */

PT_ASYNC(bme280_start, self)
{
    PT_TRY(&self->i2c, i2c, .bus = self->device->bus, .address = self->device->address,
           .out = its_id, .outs = 1, .in = &self->byte, .ins = 1);
    if (self->byte != ID)
        PT_RETURN(BME280_NONE);
    do
        PT_TRY(&self->i2c, i2c, .bus = self->device->bus, .address = self->device->address,
               .out = its_status, .outs = 1, .in = &self->byte, .ins = 1);
    while (self->byte & COPIES);
    PT_TRY(&self->i2c, i2c, .bus = self->device->bus, .address = self->device->address, .out = low,
           .outs = 1, .in = self->device->calibration, .ins = BME280_LOW);
    PT_TRY(&self->i2c, i2c, .bus = self->device->bus, .address = self->device->address, .out = high,
           .outs = 1, .in = self->device->calibration + BME280_LOW, .ins = BME280_HIGH);
}
PT_END

/* --- the arithmetic ------------------------------------------------------------------------ */

/* Two bytes of the calibration, the lower first. */
static uint16_t positive(const uint8_t *at)
{
    return (uint16_t)(at[0] | (uint16_t)at[1] << 8);
}

static int16_t word(const uint8_t *at)
{
    return (int16_t)positive(at);
}

/* 20 bits of a measurement, the uppermost first. */
static int32_t measured(const uint8_t *at)
{
    return (int32_t)at[0] << 12 | (int32_t)at[1] << 4 | at[2] >> 4;
}

/* x * 2^n: a negative number is not shifted to the left */
static int64_t times_power(int64_t x, unsigned n)
{
    return x * ((int64_t)1 << n);
}

static int64_t square(int64_t x)
{
    return x * x;
}

/* The temperature, in 1/5120 of a degree: the others depend on it. */
static int32_t fine_temperature(const uint8_t *t, int32_t raw)
{
    int64_t line = (((raw >> 3) - 2 * (int32_t)positive(t)) * (int64_t)word(t + 2)) >> 11;
    int64_t curve = ((square((raw >> 4) - (int32_t)positive(t)) >> 12) * word(t + 4)) >> 14;

    return (int32_t)(line + curve);
}

static uint32_t pascals(const uint8_t *p, int32_t raw, int32_t fine)
{
    int64_t x = (int64_t)fine - 128000, y;
    int64_t offset =
        square(x) * word(p + 10) + times_power(x * word(p + 8), 17) + times_power(word(p + 6), 35);
    int64_t slope = (square(x) * word(p + 4) >> 8) + times_power(x * word(p + 2), 12);

    slope = (times_power(1, 47) + slope) * positive(p) >> 33;
    if (slope == 0)
        return 0; /* it has no calibration */
    y = (times_power(1048576 - raw, 31) - offset) * 3125 / slope;
    y = (y + (square(y >> 13) * word(p + 16) >> 25) + (y * word(p + 14) >> 19)) >> 8;
    return (uint32_t)((y + times_power(word(p + 12), 4)) >> 8);
}

/* In 1/1024 of a percent. H has its coefficients from the second on; the fourth and the fifth share
 * a byte. */
static uint32_t humidity(uint8_t first, const uint8_t *h, int32_t raw, int32_t fine)
{
    int16_t fourth = (int16_t)((int8_t)h[3] * 16 | (h[4] & 15));
    int16_t fifth = (int16_t)((int8_t)h[5] * 16 | h[4] >> 4);
    int64_t x = (int64_t)fine - 76800;
    int64_t offset = (times_power(raw, 14) - times_power(fourth, 20) - fifth * x + 16384) >> 15;
    int64_t slope = ((x * (int8_t)h[6] >> 10) * ((x * h[2] >> 11) + 32768)) >> 10;

    x = offset * (((slope + 2097152) * word(h) + 8192) >> 14);
    x -= (square(x >> 15) >> 7) * first >> 4;
    return x < 0 ? 0 : x > times_power(100, 22) ? 102400 : (uint32_t)(x >> 12);
}

static void compute(struct bme280_read *self)
{
    const uint8_t *c = self->device->calibration, *values = self->bytes + 4;
    int32_t fine = fine_temperature(c, measured(values + 3));
    int32_t damp = (int32_t)values[6] << 8 | values[7];

    self->celsius = (int16_t)((fine * 5 + 128) >> 8);
    self->pascals = pascals(c + 6, measured(values), fine);
    self->humidity = (uint16_t)(humidity(c[25], c + BME280_LOW, damp, fine) * 100 / 1024);
}

PT_ASYNC(bme280_read, self)
{
    PT_TRY(&self->i2c, i2c, .bus = self->device->bus, .address = self->device->address,
           .out = measure, .outs = sizeof measure);
    do {
        PT_WAIT(PT_MS(10)); /* 9.3 at most */
        PT_TRY(&self->i2c, i2c, .bus = self->device->bus, .address = self->device->address,
               .out = its_status, .outs = 1, .in = self->bytes, .ins = sizeof self->bytes);
    } while (self->bytes[0] & MEASURES);
    compute(self);
}
PT_END
