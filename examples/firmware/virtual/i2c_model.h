/* i2c_model.h - an I2C bus of the virtual board, with the devices that a test puts on it
 * SPDX-License-Identifier: MIT
 *
 * It takes its time for each byte. Like DMA it writes to memory by itself, and it lets go late: an
 * abort changes nothing for a while. It can hang, so that only a reset helps. */
#ifndef I2C_MODEL_H
#define I2C_MODEL_H

#include "drivers/i2c.h"
#include "hardware.h"

/* A device. Its functions are called in the interrupt; any can be NULL. */
struct i2c_device {
    uint8_t address;
    bool (*begin)(struct i2c_device *self, bool read);    /* START and its address; ACK or not */
    bool (*write)(struct i2c_device *self, uint8_t byte); /* it gets a byte; ACK or not */
    uint8_t (*read)(struct i2c_device *self);             /* it sends one */
    void (*end)(struct i2c_device *self);                 /* STOP, or a repeated START */
    struct i2c_device *next;                              /* private */
};

struct i2c_model {
    struct i2c_bus bus; /* its first member */
    struct hardware hardware;
    struct i2c_device *devices;
    pt_time pace; /* ticks for each byte; 1 if it is 0 */
    uint16_t lag; /* how many more bytes it handles after an abort */
    bool hangs;   /* after an abort it never lets go */
    bool rival;   /* another controller wins the bus at the next address */
    uint8_t held; /* so many clocks until a device lets go of SDA */
    uint16_t starts, stops, clocks, aborts; /* counted for tests */
    /* private: */
    struct i2c_device *device; /* the one that was addressed */
    uint16_t byte;             /* the next one of this direction */
    uint16_t left;             /* bytes after the abort */
    bool begun, reads, aborted;
    bool scl, sda; /* what the processor lets go high */
};

/* i2c_model_open - make a bus without devices; the fields up to HELD can be set at any time */
void i2c_model_open(struct i2c_model *it, struct pt_loop *loop);

/* i2c_model_add - put a device on the bus */
void i2c_model_add(struct i2c_model *it, struct i2c_device *device);

#endif
