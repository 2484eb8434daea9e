/* rp2040_i2c.h - I2C of an RP2040, by its FIFOs
 * SPDX-License-Identifier: MIT
 *
 *     static struct rp2040_i2c bus;
 *
 *     rp2040_i2c_open(&bus, 0, 125000000, 400000, 5, 4, &loop);    SCL is pin 5, SDA pin 4
 *     rp2040_i2c_interrupt(&bus);                                  in I2C0_IRQ
 *
 * A transaction of up to 16 bytes interrupts once, at its STOP; a longer one for each eight bytes
 * more. If an interrupt is late, the bus waits; only if there is another controller, whose STOP
 * interrupts, too, it must be in time for the one behind.
 *
 * It is not by DMA: each byte, also one that is read, needs a command of its own, of 16 bits, with
 * RESTART and STOP in it. So a transaction would need a second memory of twice its size, and two
 * channels; it would save an interrupt for each eight bytes, 180 us at 400 kHz.
 *
 * The controller sends no address alone. Where all parts of a transaction are empty, it reads a
 * byte, which nobody gets: a device for which a read is more than that is not to be looked for. */
#ifndef CHIPS_RP2040_I2C_H
#define CHIPS_RP2040_I2C_H

#include "drivers/i2c.h"

struct rp2040_i2c {
    struct i2c_bus bus; /* its first member */
    uint32_t clock, hertz;
    uint8_t number, scl, sda;
    uint32_t asked; /* bytes that are sent, or asked for */
    uint32_t got;   /* bytes that were read */
    pt_status code;
};

/* rp2040_i2c_open - the controller NUMBER, 0 or 1, at HERTZ, 10,000 to 1,000,000, for the tasks of
 * LOOP; CLOCK is that of the processors, in hertz
 * It is out of reset. SCL and SDA are the numbers of its pins, which get a weak pull-up: a bus has
 * resistors of its own. */
void rp2040_i2c_open(struct rp2040_i2c *it, uint8_t number, uint32_t clock, uint32_t hertz,
                     uint8_t scl, uint8_t sda, struct pt_loop *loop);

/* rp2040_i2c_interrupt - for I2C0_IRQ or I2C1_IRQ */
void rp2040_i2c_interrupt(struct rp2040_i2c *it);

#endif
