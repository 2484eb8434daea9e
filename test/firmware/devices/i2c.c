/* i2c.c - a thermometer and an EEPROM on the I2C bus of a board, cut off at every interrupt
 * SPDX-License-Identifier: MIT
 *
 * BENCH names the file of the board. */
#include BENCH
#include "devices/at24c.h"
#include "devices/tmp102.h"

enum { BEGIN = 2 * BENCH_PAGE - 5, LENGTH = BENCH_PAGE + 11, MARGIN = 4 };

static struct tmp102 thermometer;
static struct at24c eeprom;

/* What is written, and what is read with a margin around it. */
static uint8_t older[LENGTH], newer[LENGTH], read[MARGIN + LENGTH + MARGIN];

static void fill(void)
{
    for (unsigned i = 0; i < LENGTH; i++) {
        older[i] = (uint8_t)(i * 7 + 1);
        newer[i] = (uint8_t)~older[i];
    }
}

static void clear(uint8_t with)
{
    for (unsigned i = 0; i < sizeof read; i++)
        read[i] = with;
}

/* Whether the first bytes are new, and the others old. */
static bool is_new_then_old(const uint8_t *bytes)
{
    unsigned i = 0;

    while (i < LENGTH && bytes[i] == newer[i])
        i++;
    return equals(bytes + i, older + i, LENGTH - i);
}

/* --- a write, and a read, that is cut off ------------------------------------------------ */

enum { ABORT = 3 }; /* interrupts at most: of what was on its way, a refused byte, a STOP */

/* When the bus goes on: before the cancel is carried out, after its abort, or after its reset. */
enum release { BEFORE, AFTER_ABORT, AFTER_RESET };

struct cut {
    struct pt pt;
    enum release release;
    bool writes;
    bool wrong; /* result */
    unsigned at, seen;
    uint8_t resets; /* result */
    struct pt_scope limit;
    union {
        struct at24c_write write;
        struct at24c_read read;
    } in_turn;
    union {
        PT_TASK(at24c_write) writer;
        PT_TASK(at24c_read) reader;
    } victim;
};

static struct pt_task *victim_of(struct cut *self)
{
    return self->writes ? &self->victim.writer.task : &self->victim.reader.task;
}

static PT_ASYNC(cut, self)
{
    self->resets = eeprom.bus->controller.resets;
    for (self->at = 1;; self->at++) {
        PT_TRY(&self->in_turn.write, at24c_write, .device = &eeprom, .at = BEGIN, .from = older,
               .length = LENGTH);
        clear(0x5a);
        bench_hold_after(self->at);
        if (self->writes)
            PT_SPAWN(&self->victim.writer, at24c_write, .device = &eeprom, .at = BEGIN,
                     .from = newer, .length = LENGTH);
        else
            PT_SPAWN(&self->victim.reader, at24c_read, .device = &eeprom, .at = BEGIN,
                     .to = read + MARGIN, .length = LENGTH);
        pt_waker_aim(&held, pt_current_);
        PT_WITH_TIMEOUT(&self->limit, PT_MS(200)) {
            while (!bench.holds)
                PT_PARK();
        }
        pt_cancel(victim_of(self), PT_ECANCELED);
        if (self->release != BEFORE)
            PT_WAIT(self->release == AFTER_ABORT ? 1 : PT_MS(10));
        self->seen = bench.seen;
        bench_release();
        PT_JOIN(victim_of(self));
        if (!bench.holds)
            break; /* it was over before */
        self->wrong |= self->pt.status != PT_ECANCELED && self->pt.status != PT_OK;
        self->wrong |= self->release != BEFORE && bench.seen - self->seen > ABORT;
        self->wrong |=
            !all_are(read, MARGIN, 0x5a) || !all_are(read + MARGIN + LENGTH, MARGIN, 0x5a);
        if (!self->writes) /* the buffer is ours again */
            clear(0xa5);
        PT_WAIT(PT_MS(3));
        self->wrong |= !self->writes && !all_are(read, sizeof read, 0xa5);
        PT_TRY(&self->in_turn.read, at24c_read, .device = &eeprom, .at = BEGIN, .to = read + MARGIN,
               .length = LENGTH);
        self->wrong |= !is_new_then_old(read + MARGIN);
    }
    self->resets = (uint8_t)(eeprom.bus->controller.resets - self->resets);
    self->wrong |= self->release != AFTER_RESET && bench_broken();
    PT_RETURN(self->wrong || self->at < LENGTH ? PT_EIO : PT_OK);
}
PT_END

/* --- the tests ----------------------------------------------------------------------------- */

struct tests {
    struct pt pt;
    struct pt_scope limit;
    unsigned count;
    union {
        struct i2c i2c;
        struct tmp102_start start;
        struct tmp102_read measure;
        struct at24c_write write;
        struct at24c_read read;
        struct cut cut;
    } in_turn; /* a part has little RAM */
    PT_TASK(at24c_write) first, second;
};

static PT_ASYNC(tests, self)
{
    PT_WAIT_COMPLETE(&self->in_turn.i2c, i2c, .bus = eeprom.bus, .address = 0x21);
    expect(self->pt.status == I2C_NO_DEVICE, "an address without a device ends with its code");

#ifdef BENCH_SIXTEENTHS
    PT_WAIT_COMPLETE(&self->in_turn.start, tmp102_start, .device = &thermometer);
    PT_WAIT_COMPLETE(&self->in_turn.measure, tmp102_read, .device = &thermometer);
    expect(self->pt.status == PT_OK && self->in_turn.measure.sixteenths == BENCH_SIXTEENTHS &&
               self->in_turn.measure.degrees == BENCH_DEGREES,
           "a thermometer reads what the emulator was set to");
#endif

    PT_WAIT_COMPLETE(&self->in_turn.write, at24c_write, .device = &eeprom, .at = BEGIN,
                     .from = newer, .length = LENGTH);
    expect(self->pt.status == PT_OK && self->in_turn.write.at == BEGIN + LENGTH &&
               !self->in_turn.write.length,
           "a write over three pages is stored");
    PT_WAIT_COMPLETE(&self->in_turn.read, at24c_read, .device = &eeprom, .at = BEGIN - MARGIN,
                     .to = read, .length = sizeof read);
    expect(self->pt.status == PT_OK && equals(read + MARGIN, newer, LENGTH),
           "a read over three pages gives what was written");

    PT_WAIT_COMPLETE(&self->in_turn.write, at24c_write, .device = &eeprom, .at = eeprom.size - 1,
                     .from = newer, .length = 2);
    expect(self->pt.status == PT_ERANGE && self->in_turn.write.length == 2,
           "a write beyond the end is refused before it begins");

    PT_WITH_TIMEOUT(&self->limit, PT_MS(100)) {
        for (self->count = 0;; self->count++)
            PT_WAIT_COMPLETE(&self->in_turn.read, at24c_read, .device = &eeprom, .at = BEGIN,
                             .to = read, .length = LENGTH);
    }
    expect(pt_timed_out(&self->limit) && self->count > 2, "one timeout limits many transactions");

    PT_SPAWN(&self->first, at24c_write, .device = &eeprom, .at = 0, .from = newer,
             .length = LENGTH);
    PT_SPAWN(&self->second, at24c_write, .device = &eeprom, .at = 4 * BENCH_PAGE, .from = older,
             .length = LENGTH);
    PT_JOIN(&self->first.task);
    PT_JOIN(&self->second.task);
    PT_TRY(&self->in_turn.read, at24c_read, .device = &eeprom, .at = 0, .to = read,
           .length = LENGTH);
    self->count = equals(read, newer, LENGTH);
    PT_TRY(&self->in_turn.read, at24c_read, .device = &eeprom, .at = 4 * BENCH_PAGE, .to = read,
           .length = LENGTH);
    expect(self->count && equals(read, older, LENGTH), "two tasks write at once, page by page");

#ifdef BENCH_TELL
    bench_tell('s');
    PT_WAIT_COMPLETE(&self->in_turn.read, at24c_read, .device = &eeprom, .at = 0, .to = read,
                     .length = LENGTH);
    expect(self->pt.status == PT_OK && equals(read, newer, LENGTH),
           "nine clocks free a bus that a device holds");
    bench_tell('S');
    PT_WAIT_COMPLETE(&self->in_turn.read, at24c_read, .device = &eeprom, .at = 0, .to = read,
                     .length = LENGTH);
    expect(self->pt.status == I2C_STUCK, "a bus that is held for ever ends with its code");
    bench_tell('b');

    PT_SPAWN(&self->first, at24c_write, .device = &eeprom, .at = 0, .from = older,
             .length = LENGTH);
    PT_WAIT(PT_MS(7)); /* it writes its first page */
    bench_tell('g');
    PT_JOIN(&self->first.task);
    expect(self->pt.status == I2C_NO_DEVICE && self->first.frame.at < LENGTH,
           "a device that is taken away ends a write with its code");
    bench_tell('b');
    PT_WAIT_COMPLETE(&self->in_turn.read, at24c_read, .device = &eeprom, .at = 0, .to = read,
                     .length = LENGTH);
    self->count = (unsigned)self->first.frame.at;
    expect(self->pt.status == PT_OK && equals(read, older, self->count) &&
               equals(read + self->count + BENCH_PAGE, newer + self->count + BENCH_PAGE,
                      LENGTH - BENCH_PAGE - self->count),
           "and what the write counts as stored is stored");
#endif

    PT_WAIT_COMPLETE(&self->in_turn.cut, cut, .writes = true, .release = BEFORE);
    expect(self->pt.status == PT_OK && !self->in_turn.cut.resets,
           "a write cut off after any interrupt leaves new bytes before old ones");
    PT_WAIT_COMPLETE(&self->in_turn.cut, cut, .writes = true, .release = AFTER_ABORT);
    expect(self->pt.status == PT_OK && !self->in_turn.cut.resets,
           "a write aborted after any interrupt leaves new bytes before old ones");
    PT_WAIT_COMPLETE(&self->in_turn.cut, cut, .release = BEFORE);
    expect(self->pt.status == PT_OK && !self->in_turn.cut.resets,
           "a read cut off after any interrupt leaves the memory alone");
    PT_WAIT_COMPLETE(&self->in_turn.cut, cut, .release = AFTER_ABORT);
    expect(self->pt.status == PT_OK && !self->in_turn.cut.resets,
           "a read aborted after any interrupt leaves the memory alone");
    PT_WAIT_COMPLETE(&self->in_turn.cut, cut, .writes = true, .release = AFTER_RESET);
    expect(self->pt.status == PT_OK && self->in_turn.cut.resets,
           "a controller that hangs at any interrupt of a write is reset");
    PT_WAIT_COMPLETE(&self->in_turn.cut, cut, .release = AFTER_RESET);
    expect(self->pt.status == PT_OK && self->in_turn.cut.resets,
           "a controller that hangs at any interrupt of a read is reset");

    PT_FINALLY
    expect(self->pt.result == PT_OK, "nothing ends the tests early");
}
PT_END

int main(void)
{
    static PT_TASK(tests) tests;

    bench_open();
    thermometer = (struct tmp102){bench_i2c(), BENCH_THERMOMETER};
    eeprom = (struct at24c){thermometer.bus, BENCH_EEPROM, BENCH_WIDE, BENCH_PAGE, BENCH_SIZE, 0};
    fill();
    PT_START(&loop, &tests, tests);
    return bench_run(&tests.task);
}
