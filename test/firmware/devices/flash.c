/* flash.c - a flash memory on the SPI bus of a board, cut off at every interrupt
 * SPDX-License-Identifier: MIT
 *
 * BENCH names the file of the board. */
#include BENCH
#include "devices/nor.h"

enum { BEGIN = NOR_SECTOR - 100, LENGTH = 400, MARGIN = 4, ABORT = 2 };

static uint8_t bytes[LENGTH], read[MARGIN + LENGTH + MARGIN];

static void clear(uint8_t with)
{
    for (unsigned i = 0; i < sizeof read; i++)
        read[i] = with;
}

/* Whether some bytes are programmed, and those behind them not. */
static bool is_part(const uint8_t *of)
{
    unsigned i = 0;

    while (i < LENGTH && of[i] == bytes[i])
        i++;
    return all_are(of + i, LENGTH - i, 0xff);
}

/* --- an operation that is cut off -------------------------------------------------------- */

enum operation { READ, PROGRAM, ERASE };

struct erase_both { /* awaited: both sectors that are used */
    struct pt pt;
    struct nor_erase erase;
};

static PT_ASYNC(erase_both, self)
{
    PT_TRY(&self->erase, nor_erase, .spi = &bench_flash, .at = 0);
    PT_TRY(&self->erase, nor_erase, .spi = &bench_flash, .at = NOR_SECTOR);
}
PT_END

struct cut {
    struct pt pt;
    enum operation operation;
    bool hangs; /* the bus goes on only after a reset */
    bool wrong;
    unsigned at, seen;
    uint8_t resets; /* result */
    struct pt_scope limit;
    struct erase_both erase;
    struct nor_program program;
    struct nor_read read;
    PT_TASK(nor_read) reader;
    PT_TASK(nor_program) programmer;
    PT_TASK(nor_erase) eraser;
};

static struct pt_task *victim_of(struct cut *self)
{
    return self->operation == READ      ? &self->reader.task
           : self->operation == PROGRAM ? &self->programmer.task
                                        : &self->eraser.task;
}

static PT_ASYNC(cut, self)
{
    self->resets = bench_flash.bus->controller.resets;
    for (self->at = 1;; self->at++) {
        PT_TRY(&self->erase, erase_both);
        if (self->operation != PROGRAM)
            PT_TRY(&self->program, nor_program, .spi = &bench_flash, .at = BEGIN, .from = bytes,
                   .length = LENGTH);
        clear(0x5a);
        bench_hold_after(self->at);
        pt_waker_aim(&held, pt_current_);
        if (self->operation == READ)
            PT_SPAWN(&self->reader, nor_read, .spi = &bench_flash, .at = BEGIN, .to = read + MARGIN,
                     .length = LENGTH);
        else if (self->operation == PROGRAM)
            PT_SPAWN(&self->programmer, nor_program, .spi = &bench_flash, .at = BEGIN,
                     .from = bytes, .length = LENGTH);
        else
            PT_SPAWN(&self->eraser, nor_erase, .spi = &bench_flash, .at = NOR_SECTOR);
        PT_WITH_TIMEOUT(&self->limit, PT_MS(1000)) {
            while (!bench.holds)
                PT_PARK();
        }
        pt_cancel(victim_of(self), PT_ECANCELED);
        PT_WAIT(self->hangs ? PT_MS(10) : 1);
        self->seen = bench.seen;
        bench_release();
        PT_JOIN(victim_of(self));
        if (!bench.holds)
            break; /* it was over before */
        self->wrong |= self->pt.status != PT_ECANCELED && self->pt.status != PT_OK;
        self->wrong |= bench.seen - self->seen > ABORT;
        self->wrong |= bench_flash.bus->selected != NULL;
        self->wrong |=
            !all_are(read, MARGIN, 0x5a) || !all_are(read + MARGIN + LENGTH, MARGIN, 0x5a);
        clear(0xa5); /* the buffer is ours again */
        PT_WAIT(PT_MS(3));
        self->wrong |= !all_are(read, sizeof read, 0xa5);
        PT_TRY(&self->read, nor_read, .spi = &bench_flash, .at = BEGIN, .to = read + MARGIN,
               .length = LENGTH);
        if (self->operation == ERASE) /* nothing, or all */
            self->wrong |= !equals(read + MARGIN, bytes, 100) ||
                           !(equals(read + MARGIN + 100, bytes + 100, LENGTH - 100) ||
                             all_are(read + MARGIN + 100, LENGTH - 100, 0xff));
        else
            self->wrong |= !is_part(read + MARGIN);
    }
    self->resets = (uint8_t)(bench_flash.bus->controller.resets - self->resets);
    PT_RETURN(self->wrong || self->at < 4 ? PT_EIO : PT_OK);
}
PT_END

/* --- clocks for nobody ------------------------------------------------------------------------ */

struct clocks {
    struct pt pt;
    struct pt_held held;
    struct transfer transfer;
};

static PT_ASYNC(clocks, self)
{
    PT_WITH_LOCK(&self->held, spi_lock(&bench_flash)) {
        PT_TRY(&self->transfer, transfer, SPI(&bench_flash), .in = read, .ins = 4);
    }
}
PT_END

/* --- the tests ----------------------------------------------------------------------------- */

struct tests {
    struct pt pt;
    struct pt_scope limit;
    unsigned count;
    struct nor_id id;
    struct erase_both erase;
    struct nor_program program;
    struct nor_read read;
    struct clocks clocks;
    struct cut cut;
    PT_TASK(nor_program) first, second;
    PT_TASK(nor_erase) eraser;
};

static PT_ASYNC(tests, self)
{
    static const uint8_t id[] = {BENCH_ID};

    PT_WAIT_COMPLETE(&self->id, nor_id, .spi = &bench_flash);
    expect(self->pt.status == PT_OK && equals(self->id.id, id, sizeof id),
           "a flash says who made it");

    PT_WAIT_COMPLETE(&self->clocks, clocks);
    expect(self->pt.status == BENCH_CLOCKS,
           "a transfer while no flash is selected only clocks, or is refused");

    PT_TRY(&self->erase, erase_both);
    PT_TRY(&self->read, nor_read, .spi = &bench_flash, .at = BEGIN - MARGIN, .to = read,
           .length = sizeof read);
    expect(all_are(read, sizeof read, 0xff), "an erased sector is all ones");
    PT_TRY(&self->program, nor_program, .spi = &bench_flash, .at = BEGIN, .from = bytes,
           .length = LENGTH);
    expect(self->program.at == BEGIN + LENGTH && !self->program.length,
           "a program over three pages is stored");
    PT_TRY(&self->read, nor_read, .spi = &bench_flash, .at = BEGIN - MARGIN, .to = read,
           .length = sizeof read);
    expect(all_are(read, MARGIN, 0xff) && equals(read + MARGIN, bytes, LENGTH) &&
               all_are(read + MARGIN + LENGTH, MARGIN, 0xff),
           "a read over three pages gives what was programmed");

    PT_WITH_TIMEOUT(&self->limit, PT_MS(300)) {
        for (self->count = 0;; self->count++)
            PT_WAIT_COMPLETE(&self->read, nor_read, .spi = &bench_flash, .at = BEGIN, .to = read,
                             .length = LENGTH);
    }
    expect(pt_timed_out(&self->limit) && self->count > 2 && !bench_flash.bus->selected,
           "one timeout limits many reads, and the flash is not selected after it");

    PT_TRY(&self->erase, erase_both);
    PT_SPAWN(&self->first, nor_program, .spi = &bench_flash, .at = 0, .from = bytes,
             .length = LENGTH);
    PT_SPAWN(&self->second, nor_program, .spi = &bench_flash, .at = 4 * NOR_PAGE, .from = bytes,
             .length = LENGTH);
    PT_JOIN(&self->first.task);
    PT_JOIN(&self->second.task);
    PT_TRY(&self->read, nor_read, .spi = &bench_flash, .at = 0, .to = read, .length = LENGTH);
    self->count = equals(read, bytes, LENGTH);
    PT_TRY(&self->read, nor_read, .spi = &bench_flash, .at = 4 * NOR_PAGE, .to = read,
           .length = LENGTH);
    expect(self->count && equals(read, bytes, LENGTH), "two tasks program at once, page by page");

#ifdef BENCH_MODEL
    expect(!flash.broken, "no command comes while the flash is busy");
    PT_SPAWN(&self->eraser, nor_erase, .spi = &bench_flash, .at = 0);
    PT_WAIT(PT_MS(20)); /* it has begun */
    pt_cancel(&self->eraser.task, PT_ECANCELED);
    PT_JOIN(&self->eraser.task);
    expect(self->pt.status == PT_ECANCELED && flash_is_busy(),
           "a cancel does not wait for an erase");
    PT_WAIT_COMPLETE(&self->program, nor_program, .spi = &bench_flash, .at = 0, .from = bytes,
                     .length = LENGTH);
    PT_TRY(&self->read, nor_read, .spi = &bench_flash, .at = 0, .to = read, .length = LENGTH);
    expect(!flash.broken && equals(read, bytes, LENGTH), "the operation behind it does");
    flash.hangs = true;
    PT_WAIT_COMPLETE(&self->read, nor_read, .spi = &bench_flash, .at = 0, .to = read, .length = 1);
    expect(self->pt.status == NOR_BUSY, "a flash that stays busy ends with its code");
    flash.hangs = false;
    flash.gone = true;
    PT_WAIT_COMPLETE(&self->read, nor_read, .spi = &bench_flash, .at = 0, .to = read, .length = 1);
    expect(self->pt.status == NOR_NONE, "a flash that is taken away ends with its code");
    flash.gone = false;
#endif
    PT_WAIT_COMPLETE(&self->cut, cut, .operation = READ);
    expect(self->pt.status == PT_OK && !self->cut.resets,
           "a read cut off after any interrupt leaves the memory alone");
    PT_WAIT_COMPLETE(&self->cut, cut, .operation = PROGRAM);
    expect(self->pt.status == PT_OK && !self->cut.resets,
           "a program cut off after any interrupt leaves its first bytes");
    PT_WAIT_COMPLETE(&self->cut, cut, .operation = ERASE);
    expect(self->pt.status == PT_OK && !self->cut.resets,
           "an erase cut off after any interrupt has happened or not");
    PT_WAIT_COMPLETE(&self->cut, cut, .operation = READ, .hangs = true);
    expect(self->pt.status == PT_OK && self->cut.resets,
           "a controller that hangs at any interrupt of a read is reset");
    PT_WAIT_COMPLETE(&self->cut, cut, .operation = PROGRAM, .hangs = true);
    expect(self->pt.status == PT_OK && self->cut.resets,
           "a controller that hangs at any interrupt of a program is reset");
#ifdef BENCH_MODEL
    expect(!flash.broken, "and none after all that was cut off");
#endif

    PT_FINALLY
    expect(self->pt.result == PT_OK, "nothing ends the tests early");
}
PT_END

int main(void)
{
    static PT_TASK(tests) tests;

    bench_open();
    bench_spi();
    for (unsigned i = 0; i < LENGTH; i++)
        bytes[i] = (uint8_t)(i * 7 + 1 + i / 256);
    PT_START(&loop, &tests, tests);
    return bench_run(&tests.task);
}
