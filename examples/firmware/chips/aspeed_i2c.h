/* aspeed_i2c.h - the I2C controllers of Aspeed's parts (AST2400 to AST1030), a byte an interrupt
 * SPDX-License-Identifier: MIT
 *
 *     static struct aspeed_i2c bus;
 *
 *     aspeed_i2c_open(&bus, 2, &loop);       the third of the buses
 *     aspeed_i2c_interrupt(&bus);            in the interrupt of that bus
 *
 * The part's own recovery frees a stuck bus, so there is no `wires`; it is not tried here. */
#ifndef CHIPS_ASPEED_I2C_H
#define CHIPS_ASPEED_I2C_H

#include "drivers/i2c.h"

struct aspeed_i2c {
    struct i2c_bus bus; /* its first member */
    volatile struct aspeed_i2c_registers *at;
    uint16_t done;        /* bytes of the part that runs: of head and out, or of in */
    bool addresses;       /* the byte on the wire is the address */
    bool reads;           /* it is the read half */
    bool open;            /* the device sends on, unless the next byte is refused */
    volatile bool aborts; /* ends as soon as it can */
    pt_status code;       /* what it ends with after the STOP */
};

/* aspeed_i2c_open - bus NUMBER, for the tasks of LOOP; its clock is as the boot code has set it */
void aspeed_i2c_open(struct aspeed_i2c *it, unsigned number, struct pt_loop *loop);

/* aspeed_i2c_interrupt - for the interrupt of the bus */
void aspeed_i2c_interrupt(struct aspeed_i2c *it);

#endif
