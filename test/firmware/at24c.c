/* at24c.c - an EEPROM that many tasks write at once
 * SPDX-License-Identifier: MIT */
#include "devices/at24c.h"
#include "devices/eeprom.h"
#include "traced.h"
#include "virtual/i2c_model.h"

enum { WRITERS = 6, LENGTH = 40 };

static struct eeprom part;

/* The model's time does not wrap. */
static uint64_t now(void)
{
    static uint64_t time;

    time += (pt_time)(board_now() - (pt_time)time);
    return time;
}

static bool begin_part(struct i2c_device *self, bool read)
{
    (void)self;
    return eeprom_start(&part, now(), EEPROM_ADDRESS, read);
}

static bool take_byte(struct i2c_device *self, uint8_t byte)
{
    (void)self;
    return eeprom_take(&part, byte);
}

static uint8_t give_byte(struct i2c_device *self)
{
    (void)self;
    return eeprom_give(&part, true);
}

static void end_part(struct i2c_device *self)
{
    (void)self;
    part.sends = false; /* the model refuses the last byte */
    eeprom_stop(&part, now());
}

static struct i2c_device device = {.address = EEPROM_ADDRESS,
                                   .begin = begin_part,
                                   .write = take_byte,
                                   .read = give_byte,
                                   .end = end_part};
static struct i2c_model bus;
static struct at24c eeprom = {&bus.bus, .address = EEPROM_ADDRESS, .wide = 1, .page = EEPROM_PAGE,
                              .size = EEPROM_SIZE};
static uint8_t bytes[WRITERS][LENGTH];
static PT_TASK(at24c_write) writers[WRITERS];

static void open_world(void)
{
    open_loop();
    part.write_time = 5;
    i2c_model_open(&bus, &loop);
    i2c_model_add(&bus, &device);
    for (unsigned i = 0; i < sizeof bytes; i++)
        bytes[i / LENGTH][i % LENGTH] = (uint8_t)(i * 7 + 1);
}

START_TEST(an_eeprom_that_many_tasks_write_at_once_answers_each_of_them)
{
    for (unsigned i = 0; i < WRITERS; i++)
        PT_START(&loop, &writers[i], at24c_write, .device = &eeprom, .at = i * LENGTH,
                 .from = bytes[i], .length = LENGTH);
    run_for(3000);
    for (unsigned i = 0; i < WRITERS; i++)
        ck_assert(pt_task_done(&writers[i].task) && pt_task_status(&writers[i].task) == PT_OK);
    ck_assert(!memcmp(part.bytes, bytes, sizeof bytes));
}
END_TEST

START_TEST(an_eeprom_that_others_keep_busy_is_not_taken_for_one_that_is_gone)
{
    part.write_time = 60;
    for (unsigned i = 0; i < WRITERS; i++)
        PT_START(&loop, &writers[i], at24c_write, .device = &eeprom, .at = i * LENGTH,
                 .from = bytes[i], .length = LENGTH);
    run_for(6000);
    for (unsigned i = 0; i < WRITERS; i++)
        ck_assert(pt_task_done(&writers[i].task) && pt_task_status(&writers[i].task) == PT_OK);
    ck_assert(!memcmp(part.bytes, bytes, sizeof bytes));
}
END_TEST

START_TEST(an_eeprom_that_is_not_there_ends_with_its_code)
{
    part.gone = true;
    PT_START(&loop, &writers[0], at24c_write, .device = &eeprom, .from = bytes[0],
             .length = LENGTH);
    run_for(240);
    ck_assert(!pt_task_done(&writers[0].task));
    run_for(20);
    ck_assert_int_eq(pt_task_status(&writers[0].task), I2C_NO_DEVICE);
}
END_TEST

int main(void)
{
    static const TTest *const *const tests[] = {
        &an_eeprom_that_many_tasks_write_at_once_answers_each_of_them,
        &an_eeprom_that_others_keep_busy_is_not_taken_for_one_that_is_gone,
        &an_eeprom_that_is_not_there_ends_with_its_code,
    };

    return run_tests(tests, sizeof tests / sizeof *tests, open_world);
}
