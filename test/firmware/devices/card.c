/* card.c - an SD card on the SPI bus of a board, cut off at every interrupt
 * SPDX-License-Identifier: MIT
 *
 * BENCH names the file of the board. */
#include BENCH
#include "devices/sd.h"

enum { MARGIN = 4, BLOCK = 3 };

static uint8_t older[SD_BLOCK], newer[SD_BLOCK], read[MARGIN + SD_BLOCK + MARGIN];

static void clear(uint8_t with)
{
    for (unsigned i = 0; i < sizeof read; i++)
        read[i] = with;
}

struct cut {
    struct pt pt;
    bool writes;
    bool hangs; /* the bus goes on only after a reset */
    bool wrong, was_old, was_new;
    unsigned at;
    uint8_t resets; /* result */
    struct pt_scope limit;
    struct sd_start start;
    struct sd_write write;
    struct sd_read read;
    PT_TASK(sd_write) writer;
    PT_TASK(sd_read) reader;
};

static struct pt_task *victim_of(struct cut *self)
{
    return self->writes ? &self->writer.task : &self->reader.task;
}

static PT_ASYNC(cut, self)
{
    self->resets = bench_card.fast->bus->controller.resets;
    for (self->at = 0;; self->at++) {
        if (self->hangs) /* the card may have lost a command's end, or a block's */
            PT_TRY(&self->start, sd_start, .card = &bench_card);
        PT_TRY(&self->write, sd_write, .card = &bench_card, .block = BLOCK, .from = older);
        clear(0x5a);
        bench_hold_after(self->at);
        pt_waker_aim(&held, pt_current_);
        if (self->writes)
            PT_SPAWN(&self->writer, sd_write, .card = &bench_card, .block = BLOCK, .from = newer);
        else
            PT_SPAWN(&self->reader, sd_read, .card = &bench_card, .block = BLOCK,
                     .to = read + MARGIN);
        PT_WITH_TIMEOUT(&self->limit, PT_MS(1000)) {
            while (self->at && !bench.holds)
                PT_PARK();
        }
        pt_cancel(victim_of(self), PT_ECANCELED);
        PT_WAIT(self->hangs ? PT_MS(600) : 1);
        bench_release();
        PT_JOIN(victim_of(self));
        if (self->at && !bench.holds)
            break; /* it was over before */
        self->wrong |= self->pt.status != PT_ECANCELED && self->pt.status != PT_OK;
        self->wrong |= bench_card.fast->bus->selected != NULL;
        self->wrong |=
            !all_are(read, MARGIN, 0x5a) || !all_are(read + MARGIN + SD_BLOCK, MARGIN, 0x5a);
        clear(0xa5); /* the buffer is ours again */
        PT_WAIT(PT_MS(3));
        self->wrong |= !all_are(read, sizeof read, 0xa5);
        if (self->hangs)
            continue;
        PT_TRY(&self->read, sd_read, .card = &bench_card, .block = BLOCK, .to = read + MARGIN);
        self->was_old |= equals(read + MARGIN, older, SD_BLOCK);
        self->was_new |= equals(read + MARGIN, newer, SD_BLOCK);
        self->wrong |=
            !equals(read + MARGIN, older, SD_BLOCK) && !equals(read + MARGIN, newer, SD_BLOCK);
    }
    self->resets = (uint8_t)(bench_card.fast->bus->controller.resets - self->resets);
    PT_RETURN(self->wrong || self->at < 70 ? PT_EIO : PT_OK);
}
PT_END

/* --- a transfer that is cut off: clocks for nobody ------------------------------------------- */

struct clocks {
    struct pt pt;
    struct pt_held held;
    struct transfer transfer;
};

static PT_ASYNC(clocks, self)
{
    PT_WITH_LOCK(&self->held, spi_lock(bench_card.fast)) {
        PT_TRY(&self->transfer, transfer, SPI(bench_card.fast), .in = read, .ins = SD_BLOCK);
    }
}
PT_END

struct cut_clocks {
    struct pt pt;
    bool wrong;
    unsigned at, seen;
    struct pt_scope limit;
    PT_TASK(clocks) clocks;
};

static PT_ASYNC(cut_clocks, self)
{
    for (self->at = 1;; self->at++) {
        bench_hold_after(self->at);
        pt_waker_aim(&held, pt_current_);
        PT_SPAWN(&self->clocks, clocks);
        PT_WITH_TIMEOUT(&self->limit, PT_MS(1000)) {
            while (!bench.holds)
                PT_PARK();
        }
        pt_cancel(&self->clocks.task, PT_ECANCELED);
        PT_WAIT(1);
        self->seen = bench.seen;
        bench_release();
        PT_JOIN(&self->clocks.task);
        if (!bench.holds)
            break; /* it was over before */
        self->wrong |= bench.seen - self->seen > 2;
    }
    PT_RETURN(self->wrong || self->at < 60 ? PT_EIO : PT_OK);
}
PT_END

/* --- a task that does not wait until the card is ready ------------------------------------- */

struct nag {
    struct pt pt;
    struct sd_read read;
    uint8_t block[SD_BLOCK];
};

static PT_ASYNC(nag, self)
{
    for (;;) {
        PT_WAIT_COMPLETE(&self->read, sd_read, .card = &bench_card, .block = BLOCK,
                         .to = self->block);
        PT_YIELD();
    }
}
PT_END

/* --- the tests ----------------------------------------------------------------------------- */

struct tests {
    struct pt pt;
    struct pt_scope limit;
    unsigned count;
    struct sd_start start;
    struct sd_write write;
    struct sd_read read;
    struct cut cut;
    struct cut_clocks cut_clocks;
    PT_TASK(sd_write) first, second;
    PT_TASK(nag) nag;
};

static PT_ASYNC(tests, self)
{
    PT_WAIT_COMPLETE(&self->start, sd_start, .card = &bench_card);
    expect(self->pt.status == PT_OK, "a card gets ready");
    expect(bench_card.by_block == BENCH_BY_BLOCK, "a card says how it counts");

    PT_WAIT_COMPLETE(&self->write, sd_write, .card = &bench_card, .block = BLOCK, .from = newer);
    expect(self->pt.status == PT_OK, "a block is written");
    PT_WAIT_COMPLETE(&self->read, sd_read, .card = &bench_card, .block = BLOCK,
                     .to = read + MARGIN);
    expect(self->pt.status == PT_OK && equals(read + MARGIN, newer, SD_BLOCK),
           "a block reads as it was written");
    PT_WAIT_COMPLETE(&self->read, sd_read, .card = &bench_card, .block = BLOCK + 1,
                     .to = read + MARGIN);
    expect(self->pt.status == PT_OK && all_are(read + MARGIN, SD_BLOCK, 0),
           "the block behind it is as before");
    PT_WAIT_COMPLETE(&self->read, sd_read, .card = &bench_card, .block = BENCH_BLOCKS,
                     .to = read + MARGIN);
    expect(self->pt.status == SD_REFUSED || self->pt.status == SD_FAILED,
           "a block beyond the end ends with a code");

    PT_WITH_TIMEOUT(&self->limit, PT_MS(200)) {
        for (self->count = 0;; self->count++)
            PT_WAIT_COMPLETE(&self->read, sd_read, .card = &bench_card, .block = BLOCK,
                             .to = read + MARGIN);
    }
    expect(pt_timed_out(&self->limit) && self->count > 2 && equals(read + MARGIN, newer, SD_BLOCK),
           "one timeout limits many reads, and the last one is whole");

    PT_SPAWN(&self->first, sd_write, .card = &bench_card, .block = BLOCK, .from = older);
    PT_SPAWN(&self->second, sd_write, .card = &bench_card, .block = BLOCK + 1, .from = newer);
    PT_JOIN(&self->first.task);
    PT_JOIN(&self->second.task);
    PT_TRY(&self->read, sd_read, .card = &bench_card, .block = BLOCK, .to = read);
    self->count = equals(read, older, SD_BLOCK);
    PT_TRY(&self->read, sd_read, .card = &bench_card, .block = BLOCK + 1, .to = read);
    expect(self->count && equals(read, newer, SD_BLOCK), "two tasks write at once, block by block");

    PT_SPAWN(&self->nag, nag);
    PT_WAIT_COMPLETE(&self->start, sd_start, .card = &bench_card);
    expect(self->pt.status == PT_OK, "a card gets ready while another task reads");
    pt_cancel(&self->nag.task, PT_ECANCELED);
    PT_JOIN(&self->nag.task);

    PT_WAIT_COMPLETE(&self->cut_clocks, cut_clocks);
    expect(self->pt.status == PT_OK,
           "a transfer aborted after any interrupt ends with what is on its way");
    PT_WAIT_COMPLETE(&self->cut, cut, .writes = true);
    expect(self->pt.status == PT_OK && !self->cut.resets && self->cut.was_old && self->cut.was_new,
           "a write cut off after any interrupt leaves the old block or the new one");
    PT_WAIT_COMPLETE(&self->cut, cut);
    expect(self->pt.status == PT_OK && !self->cut.resets,
           "a read cut off after any interrupt leaves memory and card alone");
    PT_WAIT_COMPLETE(&self->cut, cut, .writes = true, .hangs = true);
    expect(self->pt.status == PT_OK && self->cut.resets,
           "a controller that hangs at any interrupt of a write is reset");

    PT_FINALLY
    expect(self->pt.result == PT_OK, "nothing ends the tests early");
}
PT_END

int main(void)
{
    static PT_TASK(tests) tests;

    bench_open();
    bench_spi();
    for (unsigned i = 0; i < SD_BLOCK; i++) {
        older[i] = (uint8_t)(i * 7 + 1 + i / 256);
        newer[i] = (uint8_t)~older[i];
    }
    PT_START(&loop, &tests, tests);
    return bench_run(&tests.task);
}
