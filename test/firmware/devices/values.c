/* values.c - a store on the flash memory of a board: values, also behind a reset and a cancel
 * SPDX-License-Identifier: MIT
 *
 * BENCH names the file of the board. */
#include BENCH
#include "services/nor_flash.h"
#include "services/store.h"

enum { SPEED = 7, NAME = 9, LENGTH = 40, WRITES = 100 };

static struct nor_flash memory;
static struct store store = {.flash = &memory.flash, .at = 0};

struct writer { /* awaited: COUNT versions of a value */
    struct pt pt;
    uint8_t version, count;
    uint8_t bytes[LENGTH];
    struct store_write write;
};

static PT_ASYNC(writer, self)
{
    for (; self->count; self->count--) {
        self->version++;
        for (uint8_t i = 0; i < LENGTH; i++)
            self->bytes[i] = (uint8_t)(self->version + i);
        PT_TRY(&self->write, store_write, .store = &store, .key = SPEED, .from = self->bytes,
               .length = LENGTH);
    }
}
PT_END

/* Whether it is a version of the value, and which. */
static bool is_version(const uint8_t *bytes, uint8_t *version)
{
    uint8_t i = 0;

    *version = bytes[0];
    while (i < LENGTH && bytes[i] == (uint8_t)(*version + i))
        i++;
    return i == LENGTH;
}

#ifdef BENCH_MODEL
/* A step of another task that takes so long. */
static void work(pt_time ticks)
{
    pt_time until = (pt_time)(board_now() + ticks);

    while (pt_time_before(board_now(), until)) {
        board_wake_at(until);
        board_sleep();
    }
}
#endif

struct tests {
    struct pt pt;
    pt_time when;
    unsigned turns;
    uint8_t version, seen;
    bool right;
    struct nor_erase erase;
    struct store_open open;
    struct store_read read;
    struct store_write write;
    struct writer writer;
    PT_TASK(writer) victim;
    uint8_t bytes[LENGTH];
};

static PT_ASYNC(tests, self)
{
    PT_TRY(&self->erase, nor_erase, .spi = &bench_flash, .at = 0);
    PT_TRY(&self->erase, nor_erase, .spi = &bench_flash, .at = NOR_SECTOR);
    PT_WAIT_COMPLETE(&self->open, store_open, .store = &store);
    expect(self->pt.status == (pt_status)STORE_NONE, "an erased memory is an empty store");
    PT_TRY(&self->write, store_write, .store = &store, .key = NAME, .from = (const uint8_t *)"name",
           .length = 4);
    PT_TRY(&self->writer, writer, .count = WRITES);
    expect(store.erases == 2, "a sector that is full goes over to the other one");
    PT_TRY(&self->open, store_open, .store = &store);
    PT_TRY(&self->read, store_read, .store = &store, .key = SPEED, .to = self->bytes,
           .size = LENGTH);
    self->right = is_version(self->bytes, &self->seen) && self->seen == WRITES;
    PT_TRY(&self->read, store_read, .store = &store, .key = NAME, .to = self->bytes,
           .size = LENGTH);
    expect(self->right && self->read.length == 4 && equals(self->bytes, (const uint8_t *)"name", 4),
           "the last value of each key is read behind a reset");

    self->right = true;
    self->version = WRITES;
    for (self->when = 1; self->when < 40; self->when++) {
        PT_SPAWN(&self->victim, writer, .version = self->version, .count = 100);
        PT_WAIT(self->when);
        pt_cancel(&self->victim.task, PT_ECANCELED);
        PT_JOIN(&self->victim.task);
        PT_TRY(&self->read, store_read, .store = &store, .key = SPEED, .to = self->bytes,
               .size = LENGTH);
        self->right = self->right && is_version(self->bytes, &self->seen) &&
                      (uint8_t)(self->victim.frame.version - self->seen) <= 1;
        self->version = self->seen;
        PT_TRY(&self->open, store_open, .store = &store);
        PT_TRY(&self->read, store_read, .store = &store, .key = SPEED, .to = self->bytes,
               .size = LENGTH);
        self->right =
            self->right && is_version(self->bytes, &self->seen) && self->seen == self->version;
    }
    expect(self->right && !memory.flash.controller.resets,
           "a write that is canceled leaves the old value or the new one and it stays so");
    PT_TRY(&self->writer, writer, .version = self->version, .count = 1);

#ifdef BENCH_MODEL
    self->right = true;
    for (self->when = 0; self->when < 48; self->when++) {
        PT_SPAWN(&self->victim, writer, .version = self->version, .count = 100);
        PT_WAIT(self->when / 6);
        pt_cancel(&self->victim.task, PT_ECANCELED);
        for (self->turns = 0; self->turns < self->when % 6; self->turns++)
            PT_YIELD();
        work(PT_MS(600));
        PT_JOIN(&self->victim.task);
        self->right = self->right && !pt_task_alive(&memory.job.task);
    }
    expect(self->right && !memory.flash.controller.resets,
           "a loop that is late does not take memory from a job that is canceled");
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
    nor_flash_open(&memory, &bench_flash, &loop);
    PT_START(&loop, &tests, tests);
    return bench_run(&tests.task);
}
