/* i2c.h - an I2C bus: many devices on two wires, and one transaction at a time
 * SPDX-License-Identifier: MIT
 *
 *     struct read_temperature { struct pt pt; struct i2c i2c; struct pt_scope limit; ... };
 *
 *     PT_WITH_TIMEOUT(&self->limit, PT_MS(10)) {
 *         PT_WAIT_COMPLETE(&self->i2c, i2c, .bus = bus, .address = 0x48,
 *                          .out = &self->reg, .outs = 1, .in = self->bytes, .ins = 2);
 *     }
 *
 * The chip's file (README.md) has the wires; this one has the lock, and frees a stuck bus. */
#ifndef DRIVERS_I2C_H
#define DRIVERS_I2C_H

#include "codes.h"
#include "transfer.h"

/* A bus. A chip's file has a struct of its own that begins with this, and opens it by
 * controller_open(&bus->controller, &ops->controller, &loop). START reads the address and the head
 * here, the rest in bus->controller.transfer. Its interrupt sends
 *
 *     START  address+W  head  out  [REPEATED START]  address+R  in  STOP
 *
 * without the write half if both of its parts are empty, and without the read half if IN is; if all
 * are empty, the address with W: is a device there? It ends with PT_OK, I2C_NO_DEVICE, I2C_REFUSED,
 * I2C_LOST, or, if SDA is low before the start, I2C_STUCK. Whatever comes of it, an abort too, the
 * controller has sent STOP, if it still had the bus, before it calls controller_done. */
struct i2c_bus {
    struct controller controller; /* its first member */
    const uint8_t *head;
    uint8_t heads;
    uint8_t address; /* 7 bits */
};

struct i2c_ops {
    struct controller_ops controller; /* its first member */

    /* Take the wires from the controller; drive each low, or let it go high. The next START gives
     * them back to the controller. NULL: the chip cannot do this, and I2C_STUCK stays. */
    void (*wires)(struct i2c_bus *bus, bool scl, bool sda);
};

/* private: nine clocks for a device that holds SDA, and a STOP; awaited */
struct i2c_free {
    struct pt pt;
    struct i2c_bus *bus;
    uint8_t clocks; /* left */
};
PT_DECLARE(i2c_free);

/* i2c - one transaction: write HEAD and OUT, then read IN, whatever of them is not empty; awaited
 * It waits for the bus, first come, first served. HEAD is a register or a command in front of a
 * longer OUT. For several transactions without another task's in between, hold the bus's lock around
 * them. If a device holds SDA low, because a read was cut off, it gets nine clocks and a STOP, and
 * the transaction a second try. Ends with PT_OK, a code of codes.h, or the reason of a cancel; with
 * PT_ERANGE, before anything happens, if HEAD and OUT are over 65,535 bytes. */
struct i2c {
    struct pt pt;
    struct i2c_bus *bus;
    const uint8_t *head, *out;
    uint8_t *in;
    uint16_t outs, ins;
    uint8_t heads;
    uint8_t address;
    bool again; /* private: the bus was stuck, and is free */
    struct pt_held held;
    union {
        struct transfer transfer;
        struct i2c_free free;
    } in_turn;
};
PT_DECLARE(i2c);

#endif
