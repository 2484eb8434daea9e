/* store.c - values that outlive the power, which goes at each step of the flash
 * SPDX-License-Identifier: MIT */
#include "services/store.h"
#include "traced.h"
#include "virtual/flash_model.h"

enum { KEYS = 4, LONGEST = 60, ROUNDS = 26, LARGE = 100 };

static struct flash_model flash;
static struct store store;
static uint8_t unit = 1;

/* --- what is written: a version of a key says all of its bytes ---------------------------- */

static uint8_t sure[KEYS], begun[KEYS]; /* the version that is stored; that may be */

static uint16_t length_of(uint8_t key, uint8_t version)
{
    return version == 0 ? 0 : (uint16_t)(1 + (key * 13 + version * 7) % 24);
}

static void fill(uint8_t *to, uint8_t key, uint8_t version)
{
    for (uint16_t i = 0; i < length_of(key, version); i++)
        to[i] = (uint8_t)(version * 31 + key + i);
}

/* The key of a round: some often, one never again. */
static uint8_t key_of(unsigned round)
{
    return round < KEYS ? (uint8_t)round : (uint8_t)(round * 5 % 7 % (KEYS - 1));
}

struct user {
    struct pt pt;
    unsigned round, rounds, rest;
    uint8_t key, bytes[LONGEST], wanted[LONGEST];
    struct store_open open;
    struct store_read read;
    struct store_write write;
};

/* The value is the one that is sure; or, of the write that was cut off, the new one. */
static void check_value(struct user *self)
{
    uint8_t versions[] = {sure[self->key], begun[self->key]};

    for (unsigned i = 0; i < 2; i++) {
        uint16_t length = length_of(self->key, versions[i]);

        fill(self->wanted, self->key, versions[i]);
        if (length == self->read.length && !memcmp(self->bytes, self->wanted, length)) {
            sure[self->key] = begun[self->key] = versions[i];
            return;
        }
    }
    ck_abort_msg("key %u: neither %u nor %u", self->key, versions[0], versions[1]);
}

/* Read all values; then write some, and check each. */
static PT_ASYNC(user, self)
{
    PT_WAIT_COMPLETE(&self->open, store_open, .store = &store);
    ck_assert(self->pt.status == PT_OK || self->pt.status == (pt_status)STORE_NONE);
    for (self->key = 0; self->key < KEYS; self->key++) {
        PT_WAIT_COMPLETE(&self->read, store_read, .store = &store, .key = self->key,
                         .to = self->bytes, .size = LONGEST);
        ck_assert(self->pt.status == PT_OK || self->pt.status == (pt_status)STORE_NONE);
        check_value(self);
    }
    for (; self->round < self->rounds; self->round++) {
        self->key = key_of(self->round);
        begun[self->key] = (uint8_t)(self->round % 9 == 8 ? 0 : sure[self->key] + 1);
        fill(self->wanted, self->key, begun[self->key]);
        PT_TRY(&self->write, store_write, .store = &store, .key = self->key, .from = self->wanted,
               .length = length_of(self->key, begun[self->key]));
        sure[self->key] = begun[self->key];
        PT_WAIT_COMPLETE(&self->read, store_read, .store = &store, .key = self->key,
                         .to = self->bytes, .size = LONGEST);
        check_value(self);
    }
}
PT_END

static PT_TASK(user) user;

static void reset_part(void)
{
    open_loop();
    flash_model_open(&flash, &loop, unit);
    store = (struct store){.flash = &flash.flash};
}

/* The power comes back; it goes again after POWER steps. */
static void power_on(unsigned round, unsigned rounds, uint32_t power)
{
    reset_part();
    flash.power = power;
    memset(&user, 0, sizeof user);
    PT_START(&loop, &user, user, .round = round, .rounds = rounds);
}

static void run_to_the_end(void)
{
    while (pt_task_alive(&user.task) && !flash.is_off)
        board_turn_posted(&loop);
    if (!flash.is_off)
        ck_assert_int_eq(pt_task_status(&user.task), PT_OK);
}

static void open_world(void)
{
    memset(flash.bytes, 0xff, sizeof flash.bytes);
    memset(sure, 0, sizeof sure);
    memset(begun, 0, sizeof begun);
    flash.broken = flash.erases[0] = flash.erases[1] = 0;
    unit = 1;
    power_on(0, 0, 0);
    run_to_the_end();
}

/* The steps of ROUNDS writes. */
static unsigned steps_of_all(void)
{
    power_on(0, ROUNDS, 0);
    run_to_the_end();
    return flash.steps;
}

START_TEST(a_value_that_was_written_is_read_also_behind_a_reset)
{
    steps_of_all();
    power_on(0, 0, 0); /* which reads all */
    run_to_the_end();
    ck_assert_uint_eq(sure[KEYS - 1], 1);
    ck_assert_uint_eq(flash.broken, 0);
}
END_TEST

START_TEST(after_a_power_cut_at_each_byte_of_each_write_a_value_is_the_old_one_or_the_new_one)
{
    for (unit = 1; unit <= 8; unit = (uint8_t)(unit * 8)) {
        uint8_t kept = unit;
        unsigned steps = steps_of_all();

        ck_assert_uint_gt(steps, 500);
        for (unsigned cut = 1; cut <= steps; cut++) {
            open_world();
            unit = kept;
            power_on(0, ROUNDS, cut);
            run_to_the_end();
            ck_assert(flash.is_off);
            power_on(1, 8, 0);
            run_to_the_end();
            ck_assert_uint_eq(flash.broken, 0);
        }
        open_world();
        unit = kept;
    }
}
END_TEST

START_TEST(power_that_goes_again_and_again_at_any_byte_damages_nothing)
{
    for (unsigned step = 1; step < 90; step++) {
        open_world();
        for (unsigned round = 0; round < 60; round++) {
            power_on(round, round + 4, 1 + (step * 37 + round * round * 11) % 90);
            run_to_the_end();
        }
        power_on(0, 0, 0);
        run_to_the_end();
        ck_assert_uint_eq(flash.broken, 0);
    }
}
END_TEST

/* --- one value ------------------------------------------------------------------------------ */

struct one {
    struct pt pt;
    uint16_t key, length;
    uint8_t bytes[LARGE + 1];
    struct store_write write;
    struct store_read read;
};

static PT_ASYNC(one, self)
{
    PT_TRY(&self->write, store_write, .store = &store, .key = self->key, .from = self->bytes,
           .length = self->length);
}
PT_END

static PT_TASK(one) one;

static void begin_one(uint16_t key, uint16_t length)
{
    memset(&one, 0, sizeof one);
    PT_START(&loop, &one, one, .key = key, .length = length);
}

static pt_status end_one(void)
{
    while (pt_task_alive(&one.task))
        board_turn_posted(&loop);
    return pt_task_status(&one.task);
}

static pt_status write_one(uint16_t key, uint16_t length)
{
    begin_one(key, length);
    return end_one();
}

static PT_TASK(store_open) opener;

static pt_status open_store(void)
{
    memset(&opener, 0, sizeof opener);
    PT_START(&loop, &opener, store_open, .store = &store);
    while (pt_task_alive(&opener.task))
        board_turn_posted(&loop);
    return pt_task_status(&opener.task);
}

/* The length of a key's value. */
static uint16_t length_now(uint16_t key)
{
    static PT_TASK(store_read) read;
    static uint8_t bytes[LARGE + 1];

    memset(&read, 0, sizeof read);
    PT_START(&loop, &read, store_read, .store = &store, .key = key, .to = bytes,
             .size = sizeof bytes);
    while (pt_task_alive(&read.task))
        board_turn_posted(&loop);
    ck_assert(pt_task_status(&read.task) == PT_OK ||
              pt_task_status(&read.task) == (pt_status)STORE_NONE);
    return read.frame.length;
}

/* --- cut off --------------------------------------------------------------------------------- */

static void cancel(struct hardware *self)
{
    (void)self;
    pt_cancel(&user.task, PT_ECANCELED);
}

START_TEST(after_a_cancel_at_any_tick_a_value_is_the_old_one_or_the_new_one_and_stays_so)
{
    static struct hardware canceler = {.act = cancel};

    for (pt_time when = 1; when < 900; when++) {
        struct store found;

        open_world();
        power_on(0, ROUNDS, 0);
        hardware_at(&canceler, (pt_time)(board_now() + when));
        while (pt_task_alive(&user.task))
            board_turn_posted(&loop);
        ck_assert_int_eq(pt_task_status(&user.task), PT_ECANCELED);
        (void)length_now(0);
        found = store; /* what a task reads now, ... */
        power_on(0, 0, 0);
        run_to_the_end(); /* ... and behind a reset */
        ck_assert(!found.end || (store.erases == found.erases && store.end == found.end &&
                                 store.current == found.current && store.torn == found.torn));
        power_on(2, 6, 0);
        run_to_the_end();
        ck_assert_uint_eq(flash.broken, 0);
    }
}
END_TEST

START_TEST(both_sectors_are_erased_in_turn_and_counted)
{
    power_on(0, 200, 0);
    run_to_the_end();
    ck_assert_uint_ge(store.erases, 10);
    ck_assert_uint_eq(store.erases, flash.erases[0] + flash.erases[1]);
    ck_assert_uint_le(flash.erases[0] - flash.erases[1], 1);
    power_on(0, 0, 0);
    run_to_the_end();
    ck_assert_uint_eq(store.erases, flash.erases[0] + flash.erases[1]);
}
END_TEST

static void fail(struct hardware *self)
{
    (void)self;
    flash.fails = true;
}

START_TEST(a_write_behind_a_flash_that_failed_for_a_while_is_there_behind_a_reset)
{
    static struct hardware failure = {.act = fail};

    for (pt_time when = 1; when < 300; when++) {
        pt_status code;

        open_world();
        ck_assert_int_eq(write_one(1, LARGE), PT_OK);
        ck_assert_int_eq(write_one(2, LARGE), PT_OK);
        hardware_at(&failure, (pt_time)(board_now() + when));
        code = write_one(1, LARGE + 1); /* which goes over to the other sector */
        ck_assert(code == PT_OK || code == (pt_status)BUS_FAILED);
        hardware_stop(&failure);
        flash.fails = false;
        ck_assert_int_eq(write_one(3, 4), PT_OK); /* which the old one has room for */
        reset_part();
        ck_assert_int_eq(open_store(), PT_OK);
        ck_assert_uint_eq(length_now(3), 4);
        ck_assert_uint_eq(length_now(2), LARGE);
        ck_assert_uint_ge(length_now(1), LARGE);
        ck_assert_uint_eq(flash.broken, 0);
    }
}
END_TEST

START_TEST(a_write_that_is_canceled_while_the_flash_hangs_ends)
{
    ck_assert_int_eq(write_one(1, 4), PT_OK);
    flash.hangs = true;
    begin_one(1, 5);
    run_for(10);
    pt_cancel(&one.task, PT_ECANCELED);
    run_for(200);
    ck_assert(!pt_task_alive(&one.task));
    ck_assert_uint_eq(flash.flash.controller.resets, 1);
    flash.hangs = false;
    ck_assert_uint_eq(length_now(1), 4);
}
END_TEST

START_TEST(a_second_open_waits_for_the_task_that_writes)
{
    begin_one(1, LARGE);
    run_for(10);
    ck_assert_int_eq(open_store(), PT_OK);
    ck_assert(!pt_task_alive(&one.task) && pt_task_status(&one.task) == PT_OK);
    ck_assert_uint_eq(length_now(1), LARGE);
}
END_TEST

START_TEST(values_that_are_too_much_are_refused_and_nothing_is_erased)
{
    ck_assert_int_eq(write_one(1, LARGE), PT_OK);
    ck_assert_int_eq(write_one(2, LARGE), PT_OK);
    ck_assert_int_eq(write_one(3, 40), STORE_FULL);
    ck_assert_int_eq(write_one(0xffff, 1), PT_EINVAL);
    ck_assert_uint_eq(store.erases, 1);
    ck_assert_int_eq(write_one(2, 0), PT_OK); /* which makes room */
    ck_assert_int_eq(write_one(3, 40), PT_OK);
    ck_assert_uint_eq(flash.broken, 0);
}
END_TEST

int main(void)
{
    static const TTest *const *const tests[] = {
        &a_value_that_was_written_is_read_also_behind_a_reset,
        &after_a_power_cut_at_each_byte_of_each_write_a_value_is_the_old_one_or_the_new_one,
        &power_that_goes_again_and_again_at_any_byte_damages_nothing,
        &after_a_cancel_at_any_tick_a_value_is_the_old_one_or_the_new_one_and_stays_so,
        &a_write_behind_a_flash_that_failed_for_a_while_is_there_behind_a_reset,
        &a_write_that_is_canceled_while_the_flash_hangs_ends,
        &a_second_open_waits_for_the_task_that_writes,
        &both_sectors_are_erased_in_turn_and_counted,
        &values_that_are_too_much_are_refused_and_nothing_is_erased,
    };

    return run_tests(tests, sizeof tests / sizeof *tests, open_world);
}
