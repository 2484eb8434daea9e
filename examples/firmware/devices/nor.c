/* nor.c - a command when the flash is idle: asked, and given, with the bus in one hand
 * SPDX-License-Identifier: MIT */
#include "nor.h"

enum {
    PROGRAM = 0x02,
    READ = 0x03,
    STATUS = 0x05,
    PERMIT = 0x06,
    ERASE = 0x20,
    ID = 0x9f,
    BUSY = 1 << 0, /* in its status */
    NOBODY = 0xff, /* instead of a status: never with that bit */
    PLACE = 4      /* bytes of a command with a place */
};

static const uint8_t *prepare(struct nor_step *self)
{
    self->head[0] = self->code;
    self->head[1] = (uint8_t)(self->at >> 16);
    self->head[2] = (uint8_t)(self->at >> 8);
    self->head[3] = (uint8_t)self->at;
    return self->head;
}

PT_ASYNC(nor_step, self)
{
    PT_WITH_LOCK(&self->selected, spi_lock(self->spi)) {
        spi_select(&self->selected, self->spi);
        PT_TRY(&self->transfer, transfer, SPI(self->spi), .out = prepare(self),
               .outs = self->heads);
        if (self->outs || self->ins)
            PT_TRY(&self->transfer, transfer, SPI(self->spi), .out = self->out, .outs = self->outs,
                   .in = self->in, .ins = self->ins);
    }
}
PT_END

PT_ASYNC(nor_ask, self)
{
    self->until = (pt_time)(PT_NOW() + PT_SEC(4));
    for (;;) {
        PT_WITH_LOCK(&self->held, spi_lock(self->spi)) { /* nobody makes it busy in between */
            PT_TRY(&self->step, nor_step, .spi = self->spi, .code = STATUS, .heads = 1,
                   .in = &self->status, .ins = 1);
            if (self->status == NOBODY)
                PT_RETURN(NOR_NONE);
            if (!(self->status & BUSY)) {
                if (self->changes)
                    PT_TRY(&self->step, nor_step, .spi = self->spi, .code = PERMIT, .heads = 1);
                if (self->code)
                    PT_TRY(&self->step, nor_step, .spi = self->spi, .code = self->code,
                           .heads = self->heads, .at = self->at, .out = self->out,
                           .outs = self->outs, .in = self->in, .ins = self->ins);
                PT_RETURN(PT_OK);
            }
        }
        if (!pt_time_before(PT_NOW(), self->until))
            PT_RETURN(NOR_BUSY);
        PT_WAIT(PT_MS(1));
    }
}
PT_END

PT_ASYNC(nor_id, self)
{
    PT_TRY(&self->ask, nor_ask, .spi = self->spi, .code = ID, .heads = 1, .in = self->id,
           .ins = sizeof self->id);
}
PT_END

PT_ASYNC(nor_read, self)
{
    if (self->length)
        PT_TRY(&self->ask, nor_ask, .spi = self->spi, .code = READ, .heads = PLACE, .at = self->at,
               .in = self->to, .ins = self->length);
}
PT_END

PT_ASYNC(nor_program, self)
{
    while (self->length) {
        self->part = (uint16_t)(NOR_PAGE - self->at % NOR_PAGE);
        if (self->part > self->length)
            self->part = self->length;
        PT_TRY(&self->ask, nor_ask, .spi = self->spi, .code = PROGRAM, .heads = PLACE,
               .at = self->at, .out = self->from, .outs = self->part, .changes = true);
        PT_TRY(&self->ask, nor_ask, .spi = self->spi);
        self->at += self->part;
        self->from += self->part;
        self->length = (uint16_t)(self->length - self->part);
    }
}
PT_END

PT_ASYNC(nor_erase, self)
{
    PT_TRY(&self->ask, nor_ask, .spi = self->spi, .code = ERASE, .heads = PLACE, .at = self->at,
           .changes = true);
    PT_TRY(&self->ask, nor_ask, .spi = self->spi);
}
PT_END
