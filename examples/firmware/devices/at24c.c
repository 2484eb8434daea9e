/* at24c.c - pages, and an EEPROM that does not answer while it writes one
 * SPDX-License-Identifier: MIT */
#include "at24c.h"

enum { LONGEST = PT_MS(250) }; /* a page takes 5 to 10 ms */

static bool is_within(const struct at24c *device, uint32_t at, uint16_t length)
{
    return length <= device->size && at <= device->size - length;
}

/* Prepare the place's low bytes, the higher first; its upper bits are in the device's address. */
static uint8_t prepare(struct at24c_ask *self)
{
    self->head[0] = (uint8_t)(self->device->wide == 2 ? self->at >> 8 : self->at);
    self->head[1] = (uint8_t)self->at;
    return self->outs || self->ins ? self->device->wide : 0;
}

static uint8_t address_of(const struct at24c_ask *self)
{
    return (uint8_t)(self->device->address | self->at >> 8 * self->device->wide);
}

/* Whether it has answered nobody for too long. Other tasks write, too. */
static bool is_gone(struct at24c_ask *self, pt_time now)
{
    if (self->seen != self->device->answers) {
        self->seen = self->device->answers;
        self->until = (pt_time)(now + LONGEST);
    }
    return !pt_time_before(now, self->until);
}

PT_ASYNC(at24c_ask, self)
{
    self->seen = (uint8_t)(self->device->answers - 1); /* its time begins at the first silence */
    for (;;) {
        PT_WAIT_COMPLETE(&self->i2c, i2c, .bus = self->device->bus, .address = address_of(self),
                         .head = self->head, .heads = prepare(self), .out = self->out,
                         .outs = self->outs, .in = self->in, .ins = self->ins);
        if (self->pt.status != I2C_NO_DEVICE || is_gone(self, PT_NOW()))
            break;
        PT_WAIT(1);
    }
    if (self->pt.status == PT_OK)
        self->device->answers++;
    PT_RETURN(self->pt.status);
}
PT_END

PT_ASYNC(at24c_read, self)
{
    if (!is_within(self->device, self->at, self->length))
        PT_RETURN(PT_ERANGE);
    if (self->length)
        PT_TRY(&self->ask, at24c_ask, .device = self->device, .at = self->at, .in = self->to,
               .ins = self->length);
}
PT_END

PT_ASYNC(at24c_write, self)
{
    if (!is_within(self->device, self->at, self->length))
        PT_RETURN(PT_ERANGE);
    while (self->length) {
        self->part = (uint16_t)(self->device->page - self->at % self->device->page);
        if (self->part > self->length)
            self->part = self->length;
        PT_TRY(&self->ask, at24c_ask, .device = self->device, .at = self->at, .out = self->from,
               .outs = self->part);
        PT_TRY(&self->ask, at24c_ask, .device = self->device, .at = self->at);
        self->at += self->part;
        self->from += self->part;
        self->length = (uint16_t)(self->length - self->part);
    }
}
PT_END
