/* sd.c - commands with a checksum, and blocks that nothing cuts off
 * SPDX-License-Identifier: MIT */
#include "sd.h"

enum {
    RESET = 0,
    CONDITION = 8,
    SET_LENGTH = 16,
    READ = 17,
    WRITE = 24,
    READY = 41, /* behind PREFIX */
    PREFIX = 55,
    CAPACITY = 58,
    CHECKSUMS = 59,
    NOTHING = 64, /* no command: is it idle? */

    IDLE = 0x01, /* answers: it is not ready yet */
    UNKNOWN = 0x04,
    BEGIN = 0xfe,           /* before a block */
    TAKEN = 0x05,           /* behind it, in the lower five bits */
    BAD_SUM = 0x0b,         /* likewise */
    BLOCK_TIME = PT_MS(250) /* the longest that a card takes to read or write one */
};

static const uint8_t begin[] = {0xff, BEGIN}; /* 8 clocks at least are between answer and block */
#define ONES_8 255, 255, 255, 255, 255, 255, 255, 255
static const uint8_t ones[] = {ONES_8, ONES_8, ONES_8, ONES_8, ONES_8, ONES_8, ONES_8, ONES_8};

/* The checksum of a command: 7 bits, and a one. */
static uint8_t sum_7(const uint8_t *bytes, unsigned count)
{
    uint8_t sum = 0;

    for (; count; count--) {
        sum ^= *bytes++;
        for (unsigned bit = 0; bit < 8; bit++)
            sum = (uint8_t)(sum & 0x80 ? sum << 1 ^ 0x12 : sum << 1);
    }
    return sum | 1;
}

/* The checksum of a block. */
static uint16_t sum_16(const uint8_t *bytes, unsigned count)
{
    uint16_t sum = 0;

    for (; count; count--) {
        sum = (uint16_t)(sum >> 8 | sum << 8);
        sum ^= *bytes++;
        sum ^= (sum & 0xff) >> 4;
        sum ^= (uint16_t)(sum << 12);
        sum ^= (uint16_t)((sum & 0xff) << 5);
    }
    return sum;
}

static const uint8_t *prepare(struct sd_command *self)
{
    self->bytes[0] = (uint8_t)(0x40 | self->code);
    for (unsigned i = 0; i < 4; i++)
        self->bytes[i + 1] = (uint8_t)(self->argument >> (24 - 8 * i));
    self->bytes[5] = sum_7(self->bytes, 5);
    return self->bytes;
}

PT_ASYNC(sd_command, self)
{
    PT_TRY(&self->transfer, transfer, SPI(self->spi), .out = prepare(self), .outs = 6);
    for (self->tries = 9; self->tries; self->tries--) {
        PT_TRY(&self->transfer, transfer, SPI(self->spi), .in = &self->answer, .ins = 1);
        if (!(self->answer & 0x80))
            PT_RETURN(PT_OK);
    }
    PT_RETURN(SD_NONE);
}
PT_END

/* --- a command and a block ---------------------------------------------------------------- */

static const uint8_t *prepare_sum(struct sd_act *self)
{
    uint16_t sum = sum_16(self->from, SD_BLOCK);

    self->sum[0] = (uint8_t)(sum >> 8);
    self->sum[1] = (uint8_t)sum;
    return self->sum;
}

static bool is_whole(const struct sd_act *self)
{
    return (uint16_t)(self->sum[0] << 8 | self->sum[1]) == sum_16(self->to, SD_BLOCK);
}

static pt_status code_of(uint8_t answer)
{
    return (answer & 0x1f) == TAKEN     ? (pt_status)PT_OK
           : (answer & 0x1f) == BAD_SUM ? (pt_status)SD_DAMAGED
                                        : (pt_status)SD_FAILED;
}

PT_ASYNC(sd_act, self)
{
    PT_FINALLY
    self->how = SD_FAILED;
    PT_WITH_TIMEOUT(&self->limit, BLOCK_TIME) { /* a cleanup has no other limit */
        PT_WAIT_COMPLETE(&self->command, sd_command, .spi = self->spi, .code = self->code,
                         .argument = self->argument);
        self->how = self->pt.status;
        if (self->how == PT_OK && self->rests)
            PT_WAIT_COMPLETE(&self->transfer, transfer, SPI(self->spi), .in = self->rest,
                             .ins = self->rests);
        if (self->how != PT_OK || self->command.answer || (!self->from && !self->to))
            break;
        self->how = SD_FAILED;
        if (self->from) {
            PT_WAIT_COMPLETE(&self->transfer, transfer, SPI(self->spi), .out = begin,
                             .outs = sizeof begin);
            PT_WAIT_COMPLETE(&self->transfer, transfer, SPI(self->spi), .out = self->from,
                             .outs = SD_BLOCK);
            PT_WAIT_COMPLETE(&self->transfer, transfer, SPI(self->spi), .out = prepare_sum(self),
                             .outs = 2);
            PT_WAIT_COMPLETE(&self->transfer, transfer, SPI(self->spi), .in = &self->byte,
                             .ins = 1);
            self->how = code_of(self->byte);
        } else {
            for (self->byte = 0xff; self->byte == 0xff;) {
                PT_WAIT(1);
                PT_WAIT_COMPLETE(&self->transfer, transfer, SPI(self->spi), .in = &self->byte,
                                 .ins = 1);
            }
            if (self->byte != BEGIN)
                break;
            PT_WAIT_COMPLETE(&self->transfer, transfer, SPI(self->spi), .in = self->to,
                             .ins = SD_BLOCK);
            PT_WAIT_COMPLETE(&self->transfer, transfer, SPI(self->spi), .in = self->sum, .ins = 2);
            self->how = is_whole(self) ? (pt_status)PT_OK : (pt_status)SD_DAMAGED;
        }
    }
}
PT_END

/* --- a selection --------------------------------------------------------------------------- */

PT_ASYNC(sd_selected, self)
{
    PT_WITH_LOCK(&self->held, spi_lock(self->spi)) {
        spi_select(&self->held, self->spi);
        for (; self->drains; self->drains--)
            PT_TRY(&self->transfer, transfer, SPI(self->spi), .out = ones, .outs = sizeof ones);
        PT_TRY(&self->transfer, transfer, SPI(self->spi), .in = &self->byte, .ins = 1);
        if (self->byte != 0xff)
            PT_RETURN(PT_EAGAIN);
        if (self->code == NOTHING)
            PT_RETURN(PT_OK);
        PT_TRY(&self->act, sd_act, .spi = self->spi, .code = self->code, .argument = self->argument,
               .from = self->from, .to = self->to, .rests = self->rests);
        PT_RETURN(self->act.how);
    }

    PT_FINALLY
    PT_WITH_TIMEOUT(&self->limit, BLOCK_TIME) {
        PT_WAIT_COMPLETE(&self->transfer, transfer, SPI(self->spi), .out = ones, .outs = 1);
    }
}
PT_END

PT_ASYNC(sd_ask, self)
{
    PT_WITH_LOCK(&self->held, spi_lock(self->spi)) { /* until the card has let go of its line */
        PT_TRY(&self->selected, sd_selected, .spi = self->spi, .code = self->code,
               .argument = self->argument, .from = self->from, .to = self->to, .rests = self->rests,
               .drains = self->drains);
    }
}
PT_END

/* Whether the card is busy for too long with one block. Other tasks write, too. */
static bool is_stuck(struct sd_do *self, pt_time now)
{
    if (self->seen != self->card->commands) {
        self->seen = self->card->commands;
        self->until = (pt_time)(now + 2 * BLOCK_TIME);
    }
    return !pt_time_before(now, self->until);
}

PT_ASYNC(sd_do, self)
{
    if (!self->card->by_block && self->block > UINT32_MAX / SD_BLOCK)
        PT_RETURN(SD_REFUSED); /* its first byte has no number */
    /* Its time begins when it is seen busy. */
    self->seen = (uint8_t)(self->card->commands - 1);
    for (;;) {
        PT_WAIT_COMPLETE(&self->ask, sd_ask, .spi = self->card->fast, .code = self->code,
                         .argument = self->card->by_block ? self->block : self->block * SD_BLOCK,
                         .from = self->from, .to = self->to);
        if (self->pt.status != PT_EAGAIN)
            break;
        if (is_stuck(self, PT_NOW()))
            PT_RETURN(SD_FAILED);
        PT_WAIT(PT_MS(1));
    }
    if (self->pt.status == PT_OK && self->code != NOTHING && self->ask.selected.act.command.answer)
        PT_RETURN(SD_REFUSED);
    PT_RETURN(self->pt.status);

    PT_FINALLY
    if (self->ask.selected.act.spi) /* it has given its command, also if it was cut off then */
        self->card->commands++;
}
PT_END

/* --- what people call ---------------------------------------------------------------------- */

PT_ASYNC(sd_start, self)
{
    PT_WITH_LOCK(&self->held, spi_lock(self->card->slow)) { /* 74 clocks wake it */
        PT_TRY(&self->transfer, transfer, SPI(self->card->slow), .out = ones, .outs = sizeof ones);
    }
    PT_WAIT_COMPLETE(&self->ask, sd_ask, .spi = self->card->slow, .code = NOTHING,
                     .drains = SD_BLOCK / sizeof ones + 1);
    for (self->tries = 10; self->tries; self->tries--) {
        PT_WAIT_COMPLETE(&self->ask, sd_ask, .spi = self->card->slow, .code = RESET);
        if (self->pt.status == PT_OK && self->ask.selected.act.command.answer == IDLE)
            break;
        PT_WAIT(PT_MS(10));
    }
    if (!self->tries)
        PT_RETURN(SD_NONE);
    PT_TRY(&self->ask, sd_ask, .spi = self->card->slow, .code = CONDITION, .argument = 0x1aa,
           .rests = 4);
    self->is_old = self->ask.selected.act.command.answer & UNKNOWN;
    PT_TRY(&self->ask, sd_ask, .spi = self->card->slow, .code = CHECKSUMS, .argument = 1);
    self->until = (pt_time)(PT_NOW() + PT_SEC(1));
    for (;;) {
        PT_WITH_LOCK(&self->held, spi_lock(self->card->slow)) { /* no other command in between */
            PT_TRY(&self->ask, sd_ask, .spi = self->card->slow, .code = PREFIX);
            PT_TRY(&self->ask, sd_ask, .spi = self->card->slow, .code = READY,
                   .argument = self->is_old ? 0 : 1ul << 30);
            if (self->ask.selected.act.command.answer == 0) {
                PT_TRY(&self->ask, sd_ask, .spi = self->card->slow, .code = CAPACITY, .rests = 4);
                self->card->by_block = !self->is_old && (self->ask.selected.act.rest[0] & 0x40);
                if (!self->card->by_block)
                    PT_TRY(&self->ask, sd_ask, .spi = self->card->slow, .code = SET_LENGTH,
                           .argument = SD_BLOCK);
                PT_RETURN(PT_OK);
            }
        }
        if (!pt_time_before(PT_NOW(), self->until))
            PT_RETURN(SD_REFUSED);
        PT_WAIT(PT_MS(10));
    }
}
PT_END

PT_ASYNC(sd_read, self)
{
    PT_TRY(&self->act, sd_do, .card = self->card, .code = READ, .block = self->block,
           .to = self->to);
}
PT_END

PT_ASYNC(sd_write, self)
{
    PT_TRY(&self->act, sd_do, .card = self->card, .code = WRITE, .block = self->block,
           .from = self->from);
    PT_TRY(&self->act, sd_do, .card = self->card, .code = NOTHING);
}
PT_END
