/* tmp102.h - a thermometer on I2C: TMP102, and its relatives TMP105, TMP75 and LM75
 * SPDX-License-Identifier: MIT
 *
 *     static const struct tmp102 outside = {&bus, 0x48};
 *
 *     PT_WITH_TIMEOUT(&self->limit, PT_MS(20)) {
 *         PT_WAIT_COMPLETE(&self->start, tmp102_start, .device = &outside);
 *         PT_WAIT_COMPLETE(&self->read, tmp102_read, .device = &outside);
 *     }
 *     if (self->pt.status == PT_OK && self->read.degrees < 0)
 *         say("it freezes");
 *
 * It measures by itself, about four times a second. What is read is its last measurement, so a
 * read waits for the bus, and for nothing else. */
#ifndef DEVICES_TMP102_H
#define DEVICES_TMP102_H

#include "drivers/i2c.h"

/* A thermometer; constant. */
struct tmp102 {
    struct i2c_bus *bus;
    uint8_t address; /* 0x48 to 0x4f, by its pins */
};

/* tmp102_start - measure again and again, in steps of 1/16 degree; awaited
 * A TMP102 does so from power-up; a TMP105 would have steps of 1/2. Ends with PT_OK or a code of
 * i2c. Cut off, it is in its old mode or in the new one. */
struct tmp102_start {
    struct pt pt;
    const struct tmp102 *device;
    struct i2c i2c;
};
PT_DECLARE(tmp102_start);

/* tmp102_read - the last measurement; awaited
 * Ends with PT_OK or a code of i2c; only with PT_OK are the results new. */
struct tmp102_read {
    struct pt pt;
    const struct tmp102 *device;
    int16_t sixteenths; /* result: in 1/16 of a degree Celsius */
    int16_t degrees;    /* result: in whole degrees, rounded down */
    struct i2c i2c;
    uint8_t bytes[2];
};
PT_DECLARE(tmp102_read);

#endif
