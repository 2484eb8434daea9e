/* bme280.c - a model of a BME280, what it measures by its data sheet, and reads that are cut off
 * SPDX-License-Identifier: MIT */
#include "devices/bme280.h"
#include "traced.h"
#include "virtual/i2c_model.h"

enum { MEASURES = 9 }; /* ticks */

/* --- the model ---------------------------------------------------------------------------- */

static struct {
    uint8_t registers[256], fresh[8]; /* what it measures next */
    uint8_t at;
    bool placed, addressed, hangs; /* it has a register; that is an address for a write, too */
    bool measures;
    pt_time until;
    unsigned broken; /* measurements that were begun without a setting of all three */
} part;

static bool begin_part(struct i2c_device *self, bool read)
{
    (void)self;
    part.placed = read;
    if (part.measures && !part.hangs && !pt_time_before(board_now(), part.until)) {
        memcpy(part.registers + 0xf7, part.fresh, sizeof part.fresh);
        part.measures = false;
    }
    part.registers[0xf3] = (uint8_t)(part.measures << 3);
    return true;
}

/* A write is of pairs: a register, and what it gets. */
static bool take_byte(struct i2c_device *self, uint8_t byte)
{
    (void)self;
    part.placed = !part.placed;
    if (part.placed) {
        part.at = byte;
        return true;
    }
    part.registers[part.at] = byte;
    if (part.at == 0xf4 && (byte & 3) == 1) {
        part.measures = true;
        part.until = (pt_time)(board_now() + MEASURES);
        part.broken += part.registers[0xf2] != 1 || byte != 0x25;
    }
    return true;
}

static uint8_t send_byte(struct i2c_device *self)
{
    (void)self;
    return part.registers[part.at++];
}

static struct i2c_device device = {
    .address = 0x76, .begin = begin_part, .write = take_byte, .read = send_byte};
static struct i2c_model bus;
static struct bme280 air;

static void store(uint8_t at, int value)
{
    part.registers[at] = (uint8_t)value;
    part.registers[at + 1] = (uint8_t)(value >> 8);
}

/* The coefficients of the example in the data sheet of the BMP280, which has the same ones; those
 * of the humidity are a part's. */
static void open_world(void)
{
    static const int words[] = {27504, 26435, -1000, 36477, -10685, 3024,
                                2855,  140,   -7,    15500, -14600, 6000};

    open_loop();
    hardware_stop(&bus.hardware);
    memset(&bus, 0, sizeof bus);
    memset(&part, 0, sizeof part);
    i2c_model_open(&bus, &loop);
    i2c_model_add(&bus, &device);
    air = (struct bme280){.bus = &bus.bus, .address = 0x76};
    for (unsigned i = 0; i < sizeof words / sizeof *words; i++)
        store((uint8_t)(0x88 + 2 * i), words[i]);
    part.registers[0xa1] = 75;
    store(0xe1, 362);
    part.registers[0xe4] = 313 >> 4;
    part.registers[0xe5] = (50 & 15) << 4 | (313 & 15);
    part.registers[0xe6] = 50 >> 4;
    part.registers[0xe7] = 30;
    part.registers[0xd0] = 0x60;
}

/* What it measures next. */
static void sense(uint32_t temperature, uint32_t pressure, uint32_t humidity)
{
    uint64_t all = (uint64_t)pressure << 44 | (uint64_t)temperature << 20 | humidity;

    for (unsigned i = 0; i < sizeof part.fresh; i++)
        part.fresh[i] = (uint8_t)(all >> (56 - 8 * i));
}

/* --- a task ------------------------------------------------------------------------------- */

struct reader {
    struct pt pt;
    pt_time limit_ticks;
    bool starts;
    struct pt_scope limit;
    struct bme280_start start;
    struct bme280_read read;
};

static PT_ASYNC(reader, self)
{
    if (self->starts)
        PT_TRY(&self->start, bme280_start, .device = &air);
    PT_WITH_TIMEOUT(&self->limit, self->limit_ticks) {
        PT_TRY(&self->read, bme280_read, .device = &air);
    }
    PT_RETURN(pt_timed_out(&self->limit) ? PT_ETIMEDOUT : PT_OK);
}
PT_END

static PT_TASK(reader) first, second;

static pt_status read_within(pt_time limit, bool starts)
{
    memset(&first, 0, sizeof first);
    PT_START(&loop, &first, reader, .limit_ticks = limit, .starts = starts);
    run_for(200);
    ck_assert(pt_task_done(&first.task));
    ck_assert_ptr_null(bus.bus.controller.lock.owner);
    return pt_task_status(&first.task);
}

static bool has_read(int celsius, unsigned pascals, unsigned humidity)
{
    const struct bme280_read *read = &first.frame.read;

    return read->celsius == celsius && read->pascals == pascals &&
           (unsigned)(read->humidity + 1 - humidity) <= 2; /* its steps are 1/1024 of a percent */
}

/* --- the tests ---------------------------------------------------------------------------- */

START_TEST(a_sensor_measures_what_its_data_sheet_computes)
{
    static const struct {
        uint32_t temperature, pressure, humidity; /* as the sensor sends them */
        int celsius;
        unsigned pascals, percent;
    } rows[] = {
        {519888, 415148, 27000, 2508, 100653, 3827}, /* the first two: the example of the data sheet */
        {519888, 415148, 10000, 2508, 100653, 0},    /* it is no drier */
        {519888, 415148, 60000, 2508, 100653, 10000}, {380000, 300000, 30000, -1897, 112487, 5307},
        {600000, 500000, 25000, 5011, 89314, 2627},   {330000, 700000, 22000, -3482, 47540, 1341},
    };

    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        sense(rows[i].temperature, rows[i].pressure, rows[i].humidity);
        ck_assert_int_eq(read_within(PT_DELAY_NEVER, i == 0), PT_OK);
        if (!has_read(rows[i].celsius, rows[i].pascals, rows[i].percent))
            printf("row %u: %d %u %u\n", i, first.frame.read.celsius,
                   (unsigned)first.frame.read.pascals, first.frame.read.humidity);
        ck_assert(has_read(rows[i].celsius, rows[i].pascals, rows[i].percent));
    }
    ck_assert_uint_eq(part.broken, 0);
}
END_TEST

START_TEST(another_part_is_told_and_so_is_none)
{
    part.registers[0xd0] = 0x58; /* a BMP280 */
    ck_assert_int_eq(read_within(PT_DELAY_NEVER, true), BME280_NONE);
    air.address = 0x77;
    ck_assert_int_eq(read_within(PT_DELAY_NEVER, true), I2C_NO_DEVICE);
}
END_TEST

START_TEST(a_read_that_is_cut_off_at_any_tick_leaves_the_memory_alone_and_the_next_one_right)
{
    sense(519888, 415148, 27000);
    ck_assert_int_eq(read_within(PT_DELAY_NEVER, true), PT_OK);
    for (pt_time limit = 0; limit < 40; limit++) {
        bus.lag = (uint16_t)(limit % 5);
        memset(&first, 0, sizeof first);
        PT_START(&loop, &first, reader, .limit_ticks = limit);
        while (!pt_task_done(&first.task))
            run_for(1);
        ck_assert(limit < 30 || pt_task_status(&first.task) == PT_OK);
        memset(&first, POISON, sizeof first);
        run_for(40);
        ck_assert(is_poison(&first, sizeof first));
        ck_assert_int_eq(read_within(PT_DELAY_NEVER, false), PT_OK);
        ck_assert(has_read(2508, 100653, 3827));
    }
}
END_TEST

START_TEST(a_sensor_that_measures_for_ever_is_limited_by_a_block)
{
    part.hangs = true;
    ck_assert_int_eq(read_within(50, true), PT_ETIMEDOUT);
    part.hangs = false;
    ck_assert_int_eq(read_within(50, true), PT_OK);
}
END_TEST

START_TEST(two_tasks_read_at_once)
{
    sense(519888, 415148, 27000);
    memset(&second, 0, sizeof second);
    PT_START(&loop, &second, reader, .limit_ticks = PT_DELAY_NEVER, .starts = true);
    ck_assert_int_eq(read_within(PT_DELAY_NEVER, true), PT_OK);
    ck_assert(pt_task_done(&second.task) && second.frame.read.pascals == 100653);
    ck_assert(has_read(2508, 100653, 3827));
}
END_TEST

int main(void)
{
    static const TTest *const *const tests[] = {
        &a_sensor_measures_what_its_data_sheet_computes,
        &another_part_is_told_and_so_is_none,
        &a_read_that_is_cut_off_at_any_tick_leaves_the_memory_alone_and_the_next_one_right,
        &a_sensor_that_measures_for_ever_is_limited_by_a_block,
        &two_tasks_read_at_once,
    };

    return run_tests(tests, sizeof tests / sizeof *tests, open_world);
}
