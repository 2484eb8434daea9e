/* tmp102.c - a register number goes out, two bytes come in
 * SPDX-License-Identifier: MIT */
#include "tmp102.h"

/* The register of the measurement is 0, and that of the mode 1: running, steps of 1/16 degree. */
static const uint8_t measured[] = {0}, finest[] = {1, 0x60};

PT_ASYNC(tmp102_start, self)
{
    PT_TRY(&self->i2c, i2c, .bus = self->device->bus, .address = self->device->address,
           .out = finest, .outs = sizeof finest);
}
PT_END

PT_ASYNC(tmp102_read, self)
{
    PT_TRY(&self->i2c, i2c, .bus = self->device->bus, .address = self->device->address,
           .out = measured, .outs = sizeof measured, .in = self->bytes, .ins = sizeof self->bytes);
    self->sixteenths = (int16_t)((int16_t)(self->bytes[0] << 8 | self->bytes[1]) / 16);
    self->degrees = (int8_t)self->bytes[0];
}
PT_END
