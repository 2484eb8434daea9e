/* codes.h - what the drivers' operations end with, beside the codes of pt
 * SPDX-License-Identifier: MIT
 *
 *     if (self->i2c.pt.status != PT_OK)
 *         say(driver_code_text(self->i2c.pt.status));
 *
 * A program's own codes are -128 to -64 (pt/base/status.h). The drivers have those down to -96, and
 * leave the rest to the program. Something came too fast: that is pt's PT_EOVERRUN. */
#ifndef DRIVERS_CODES_H
#define DRIVERS_CODES_H

#include "board.h"

#define DRIVER_CODE_TABLE(X)                                          \
    X(I2C_NO_DEVICE, -64, "no device answers to the address")         \
    X(I2C_REFUSED, -65, "the device refused a byte")                  \
    X(I2C_LOST, -66, "another controller took the bus")               \
    X(I2C_STUCK, -67, "a device holds the bus, for ever as it seems") \
    X(UART_FRAMING, -68, "no stop bit: another speed, or noise")      \
    X(UART_BREAK, -69, "the line was held low: a break")              \
    X(BUS_FAILED, -70, "the controller or its DMA failed")            \
    X(NOR_NONE, -80, "no flash answers")                              \
    X(NOR_BUSY, -81, "the flash does not end its work")               \
    X(SD_NONE, -82, "no card answers")                                \
    X(SD_REFUSED, -83, "the card refuses a command")                  \
    X(SD_FAILED, -84, "the card cannot read or write")                \
    X(SD_DAMAGED, -85, "a block was damaged on its way")              \
    X(BME280_NONE, -86, "another part than a BME280 answers")         \
    X(STORE_NONE, -90, "the key has no value")                        \
    X(STORE_FULL, -91, "all values are more than a sector")           \
    X(STORE_DAMAGED, -92, "the value was damaged in the flash")

enum {
#define DRIVER_CODE_ENUM_(name, number, text) name = number,
    DRIVER_CODE_TABLE(DRIVER_CODE_ENUM_)
#undef DRIVER_CODE_ENUM_
};

/* driver_code_text - the meaning of a code of the drivers or of pt, in words; the text is static */
const char *driver_code_text(pt_status code);

#endif
