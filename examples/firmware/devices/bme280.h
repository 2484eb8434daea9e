/* bme280.h - temperature, pressure and humidity on I2C: BME280
 * SPDX-License-Identifier: MIT
 *
 *     static struct bme280 air = {.bus = &bus, .address = 0x76};
 *
 *     PT_TRY(&self->start, bme280_start, .device = &air);
 *     PT_WITH_TIMEOUT(&self->limit, PT_MS(50)) {
 *         PT_WAIT_COMPLETE(&self->read, bme280_read, .device = &air);
 *     }
 *     if (self->pt.status == PT_OK && self->read.pascals < 98000)
 *         say("it will rain");
 *
 * It sleeps until it is asked. A read starts one measurement, waits 10 ms for it, in which the bus
 * is free, and gets all three results of it. */
#ifndef DEVICES_BME280_H
#define DEVICES_BME280_H

#include "drivers/i2c.h"

enum { BME280_LOW = 26, BME280_HIGH = 7 }; /* bytes of its calibration, in two places */

/* A sensor. Its user sets the first two. */
struct bme280 {
    struct i2c_bus *bus;
    uint8_t address;                               /* 0x76 or 0x77, by its pin */
    uint8_t calibration[BME280_LOW + BME280_HIGH]; /* private: as it sends them */
};

/* bme280_start - read the calibration of this sensor; awaited
 * After power-up, before the first read. Ends with PT_OK; BME280_NONE if another part answers, a
 * BMP280 for one; or a code of i2c. Cut off, it is to be started again. */
struct bme280_start {
    struct pt pt;
    struct bme280 *device;
    struct i2c i2c;
    uint8_t byte;
};
PT_DECLARE(bme280_start);

/* bme280_read - measure once; awaited
 * Ends with PT_OK or a code of i2c; only with PT_OK are the results new. It waits as long as the
 * sensor says that it measures. Tasks that read at once can get the same measurement. Cut off, the
 * sensor measures to its end, and sleeps. */
struct bme280_read {
    struct pt pt;
    const struct bme280 *device;
    int16_t celsius;   /* result: in 1/100 of a degree */
    uint16_t humidity; /* result: in 1/100 of a percent */
    uint32_t pascals;  /* result */
    struct i2c i2c;
    uint8_t bytes[12];
};
PT_DECLARE(bme280_read);

#endif
