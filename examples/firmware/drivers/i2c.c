/* i2c.c - the lock around a transaction, and nine clocks for a device that holds the bus
 * SPDX-License-Identifier: MIT */
#include "i2c.h"

enum { CLOCKS = 9 }; /* a byte and its acknowledgment: then a device that sends lets go */

static const struct i2c_ops *ops_of(const struct i2c_bus *bus)
{
    return (const struct i2c_ops *)(const void *)bus->controller.ops;
}

static void drive(struct i2c_free *self, bool scl, bool sda)
{
    ops_of(self->bus)->wires(self->bus, scl, sda);
}

PT_ASYNC(i2c_free, self)
{
    for (self->clocks = CLOCKS; self->clocks; self->clocks--) {
        drive(self, false, true);
        PT_WAIT(2); /* a tick at least */
        drive(self, true, true);
        PT_WAIT(2);
    }
    drive(self, false, false); /* and a STOP */
    PT_WAIT(2);
    drive(self, true, false);
    PT_WAIT(2);
    drive(self, true, true); /* START looks at SDA: it is high by then */
    PT_WAIT(2);

    PT_FINALLY
    drive(self, true, true); /* cut off, too: the bus can have other controllers */
}
PT_END

PT_ASYNC(i2c, self)
{
    if (self->heads > UINT16_MAX - self->outs)
        PT_RETURN(PT_ERANGE);
    PT_WITH_LOCK(&self->held, &self->bus->controller.lock) {
        for (;;) {
            self->bus->address = self->address;
            self->bus->head = self->head;
            self->bus->heads = self->heads;
            PT_WAIT_COMPLETE(&self->in_turn.transfer, transfer, .by = &self->bus->controller,
                             .out = self->out, .outs = self->outs, .in = self->in,
                             .ins = self->ins);
            if (self->pt.status != I2C_STUCK || self->again || !ops_of(self->bus)->wires)
                PT_RETURN(self->pt.status);
            PT_WAIT_COMPLETE(&self->in_turn.free, i2c_free, .bus = self->bus);
            self->again = true;
        }
    }
}
PT_END
