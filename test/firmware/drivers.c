/* drivers.c - transfers that are canceled at every tick, in virtual time: who may write to what
 * SPDX-License-Identifier: MIT */
#include "traced.h"
#include "virtual/i2c_model.h"
#include "virtual/spi_model.h"

enum { BYTES = 6 };

static struct i2c_model i2c_bus;
static struct spi_model spi_bus;

/* --- a device that has a register, and sends what follows it ------------------------------ */

static uint8_t next_byte, refuses;

static bool take_register(struct i2c_device *self, uint8_t byte)
{
    (void)self;
    next_byte = byte;
    return byte != refuses;
}

static uint8_t send_next(struct i2c_device *self)
{
    (void)self;
    return next_byte++;
}

static struct i2c_device ramp = {.address = 0x48, .write = take_register, .read = send_next};

static uint8_t echo(struct spi_part *self, uint8_t byte)
{
    (void)self;
    return (uint8_t)~byte;
}

static void selected(struct spi_part *self, bool on)
{
    note(self->pin ? "pin 1" : "pin 0", on ? "low" : "high");
}

static struct spi_part flash = {.pin = 0, .exchange = echo, .select = selected};
static struct spi_part radio = {.pin = 1, .exchange = echo, .select = selected};
static const struct spi_device flash_device = {.bus = &spi_bus.bus, .pin = 0};
static const struct spi_device radio_device = {.bus = &spi_bus.bus, .pin = 1};

static void open_world(void)
{
    open_loop();
    hardware_stop(&i2c_bus.hardware);
    hardware_stop(&spi_bus.hardware);
    memset(&i2c_bus, 0, sizeof i2c_bus);
    memset(&spi_bus, 0, sizeof spi_bus);
    refuses = 0xff;
    i2c_model_open(&i2c_bus, &loop);
    i2c_model_add(&i2c_bus, &ramp);
    spi_model_open(&spi_bus, &loop);
    spi_model_add(&spi_bus, &flash);
    spi_model_add(&spi_bus, &radio);
}

/* --- a task that reads into its own frame ------------------------------------------------- */

struct borrower {
    struct pt pt;
    const char *name;
    pt_time limit_ticks; /* PT_DELAY_NEVER: none */
    uint8_t address;     /* 0: that of the ramp */
    uint8_t reg, times;
    bool poisons; /* it gives its memory to somebody else behind the block */
    struct pt_scope limit;
    struct i2c i2c;
    uint8_t bytes[BYTES];
};

static bool is_ramp(const struct borrower *self)
{
    for (uint8_t i = 0; i < BYTES; i++)
        if (self->bytes[i] != (uint8_t)(self->reg + i))
            return false;
    return true;
}

static PT_ASYNC(borrower, self)
{
    PT_WITH_TIMEOUT(&self->limit, self->limit_ticks) {
        do {
            memset(self->bytes, 0, sizeof self->bytes);
            PT_WAIT_COMPLETE(&self->i2c, i2c, .bus = &i2c_bus.bus,
                             .address = self->address ? self->address : 0x48, .out = &self->reg,
                             .outs = 1, .in = self->bytes, .ins = BYTES);
        } while (self->pt.status == PT_OK && self->times && --self->times);
        if (self->pt.status == PT_OK)
            ck_assert(is_ramp(self));
    }
    if (self->name)
        note(self->name, driver_code_text(self->pt.status));
    if (self->poisons) {
        memset(self->bytes, POISON, sizeof self->bytes);
        PT_WAIT(40);
        ck_assert(is_poison(self->bytes, sizeof self->bytes));
        PT_RETURN(pt_timed_out(&self->limit) ? PT_ETIMEDOUT : PT_OK);
    }
    PT_RETURN(self->pt.status);
}
PT_END

static PT_TASK(borrower) first, second, third;

struct canceler {
    struct pt pt;
    struct pt_task *task;
    size_t size; /* of the task's storage, which is somebody else's when the task has ended */
    pt_time delay;
    uint8_t times;
    pt_status code;
};

static PT_ASYNC(canceler, self)
{
    PT_WAIT(self->delay);
    for (; self->times; self->times--) {
        pt_cancel(self->task, PT_ECANCELED);
        pt_cancel(self->task, PT_EBUSY); /* no effect */
        if (self->times > 1)
            PT_YIELD();
    }
    PT_JOIN(self->task);
    self->code = self->pt.status;
    note("joined:", driver_code_text(self->code));
    ck_assert(!i2c_bus.bus.controller.holds || i2c_bus.bus.controller.lock.owner != self->task);
    memset((void *)self->task, POISON, self->size);
}
PT_END

static PT_TASK(canceler) canceler;

#define START(storage, ...)                                                       \
    do {                                                                          \
        memset(storage, 0, sizeof *(storage));                                    \
        ck_assert_int_eq(PT_START(&loop, storage, borrower, __VA_ARGS__), PT_OK); \
    } while (0)
#define CANCEL(storage, ticks, ...)                                                          \
    do {                                                                                     \
        memset(&canceler, 0, sizeof canceler);                                               \
        ck_assert_int_eq(PT_START(&loop, &canceler, canceler, .task = &(storage)->task,      \
                                  .delay = (ticks), .size = sizeof *(storage), __VA_ARGS__), \
                         PT_OK);                                                             \
    } while (0)

/* Nobody has the bus, and it works. */
static void check_bus_works(void)
{
    ck_assert_ptr_null(i2c_bus.bus.controller.lock.owner);
    ck_assert(!i2c_bus.bus.controller.holds);
    START(&third, .reg = 77, .limit_ticks = PT_DELAY_NEVER);
    run_for(100);
    ck_assert(pt_task_done(&third.task));
    ck_assert_int_eq(pt_task_status(&third.task), PT_OK);
    ck_assert_ptr_null(i2c_bus.bus.controller.lock.owner);
}

/* --- the tests ---------------------------------------------------------------------------- */

START_TEST(a_transaction_writes_and_then_reads_with_a_repeated_start)
{
    START(&first, .name = "first", .reg = 9, .limit_ticks = PT_DELAY_NEVER);
    run_for(50);
    ck_assert_str_eq(trace, "9 first success; "); /* a tick for each address and each byte */
    ck_assert_uint_eq(i2c_bus.starts, 1);
    ck_assert_uint_eq(i2c_bus.stops, 1);
    check_bus_works();
}
END_TEST

/* The task is canceled at tick WHEN; its storage is somebody else's at once. Returns its code. */
static pt_status cancel_at(pt_time when, uint16_t lag, bool late, uint8_t times)
{
    open_world();
    hardware_is_late = late;
    i2c_bus.lag = lag;
    START(&first, .reg = 1, .limit_ticks = PT_DELAY_NEVER);
    CANCEL(&first, when, .times = times);
    run_for(60);
    ck_assert(pt_task_done(&canceler.task));
    ck_assert(is_poison(&first, sizeof first));
    check_bus_works();
    return canceler.frame.code;
}

/* Returns how many of the cancels at all ticks came in time. */
static unsigned cancel_at_all_ticks(uint16_t lag, bool late, uint8_t times)
{
    unsigned canceled = 0;

    for (pt_time when = 0; when < 14; when++) {
        pt_status code = cancel_at(when, lag, late, times);

        ck_assert(code == PT_OK || code == PT_ECANCELED);
        ck_assert(code == PT_OK || when <= 9); /* it would be over then */
        canceled += code == PT_ECANCELED;
    }
    return canceled;
}

START_TEST(after_a_joined_cancel_at_any_tick_the_hardware_writes_no_byte)
{
    for (uint16_t lag = 0; lag < 9; lag++) {
        ck_assert_uint_ge(cancel_at_all_ticks(lag, false, 1), 9);
        ck_assert_uint_ge(cancel_at_all_ticks(lag, true, 1), 9);
    }
}
END_TEST

START_TEST(a_second_cancel_during_the_abort_changes_nothing)
{
    ck_assert_uint_ge(cancel_at_all_ticks(3, false, 2), 9);
    ck_assert_uint_ge(cancel_at_all_ticks(3, true, 3), 9);
}
END_TEST

START_TEST(a_canceled_task_ends_when_the_hardware_has_let_go_and_not_before)
{
    i2c_bus.lag = 3;
    START(&first, .reg = 1, .limit_ticks = PT_DELAY_NEVER);
    CANCEL(&first, 2, .times = 1);
    run_for(60);
    ck_assert_str_eq(trace, "6 joined: canceled before it was done; ");
    ck_assert_uint_eq(i2c_bus.aborts, 1);
    ck_assert_uint_eq(i2c_bus.stops, 1);
    ck_assert_uint_eq(i2c_bus.bus.controller.resets, 0);
}
END_TEST

START_TEST(behind_a_block_that_has_timed_out_at_any_tick_the_hardware_writes_no_byte)
{
    unsigned late_ones = 0;

    for (int late = 0; late < 2; late++)
        for (uint16_t lag = 0; lag < 9; lag++)
            for (pt_time limit = 0; limit < 14; limit++) {
                open_world();
                hardware_is_late = late;
                i2c_bus.lag = lag;
                START(&first, .reg = 1, .limit_ticks = limit, .poisons = true);
                run_for(100);
                ck_assert(pt_task_done(&first.task));
                late_ones += pt_task_status(&first.task) == PT_ETIMEDOUT;
                ck_assert(pt_task_status(&first.task) == PT_OK || limit <= 9);
                check_bus_works();
            }
    ck_assert_uint_ge(late_ones, 2 * 9 * 9);
}
END_TEST

START_TEST(one_limit_holds_over_many_transactions)
{
    i2c_bus.lag = 1;
    START(&first, .name = "first", .reg = 1, .limit_ticks = 30, .times = 100, .poisons = true);
    run_for(100);
    ck_assert_str_eq(trace, "32 first timed out; ");
    ck_assert_uint_eq(i2c_bus.starts, 4);
    ck_assert_uint_eq(i2c_bus.stops, 4);
    check_bus_works();
}
END_TEST

/* --- an interrupt in the middle of an abort ----------------------------------------------- */

enum { NEVER, AT_THE_START, BEFORE_THE_ABORT, AFTER_THE_ABORT, BEFORE_THE_RESET, AFTER_THE_RESET };
static int completes;
static const struct controller_ops *real;

static void complete(struct controller *by, int where)
{
    if (completes != where || !by->holds)
        return;
    hardware_stop(&i2c_bus.hardware);
    controller_done(by, PT_OK);
}

static void start_really(struct controller *by)
{
    real->start(by);
    complete(by, AT_THE_START);
}

static void abort_in_a_race(struct controller *by)
{
    complete(by, BEFORE_THE_ABORT);
    real->abort(by);
    complete(by, AFTER_THE_ABORT);
}

static void reset_in_a_race(struct controller *by)
{
    complete(by, BEFORE_THE_RESET);
    real->reset(by);
    complete(by, AFTER_THE_RESET);
}

static void wires_really(struct i2c_bus *bus, bool scl, bool sda)
{
    ((const struct i2c_ops *)(const void *)real)->wires(bus, scl, sda);
}

static const struct i2c_ops racing = {
    {start_really, abort_in_a_race, reset_in_a_race, NULL, PT_MS(100)}, wires_really};

START_TEST(a_transfer_can_be_over_at_the_moment_of_its_abort_or_of_its_reset)
{
    for (completes = BEFORE_THE_ABORT; completes <= AFTER_THE_RESET; completes++) {
        open_world();
        real = i2c_bus.bus.controller.ops;
        i2c_bus.bus.controller.ops = &racing.controller;
        i2c_bus.hangs = completes >= BEFORE_THE_RESET;
        START(&first, .reg = 1, .limit_ticks = PT_DELAY_NEVER);
        START(&second, .reg = 1, .limit_ticks = PT_DELAY_NEVER);
        CANCEL(&first, 2, .times = 1);
        run_for(200);
        ck_assert_int_eq(canceler.frame.code, PT_ECANCELED);
        ck_assert(is_poison(&first, sizeof first)); /* a late post must not wake it */
        ck_assert(pt_task_done(&second.task));
        ck_assert_int_eq(pt_task_status(&second.task), PT_OK);
        i2c_bus.bus.controller.ops = real;
        check_bus_works();
    }
}
END_TEST

START_TEST(a_task_whose_transfers_are_over_at_once_can_be_canceled)
{
    completes = AT_THE_START;
    real = i2c_bus.bus.controller.ops;
    i2c_bus.bus.controller.ops = &racing.controller;
    START(&first, .times = 200, .limit_ticks = PT_DELAY_NEVER);
    CANCEL(&first, 0, .times = 1);
    run_for(10);
    ck_assert_str_eq(trace, "0 joined: canceled before it was done; ");
    ck_assert(is_poison(&first, sizeof first));
    i2c_bus.bus.controller.ops = real;
    check_bus_works();
}
END_TEST

START_TEST(an_interrupt_after_the_end_of_a_transfer_wakes_nobody)
{
    START(&first, .reg = 1, .limit_ticks = PT_DELAY_NEVER);
    CANCEL(&first, 2, .times = 1);
    run_for(60);
    pt_waker_post(&i2c_bus.bus.controller.waker);
    run_for(1);
    ck_assert(is_poison(&first, sizeof first));
    check_bus_works();
}
END_TEST

START_TEST(a_second_end_of_a_transfer_is_told)
{
    struct controller *by = &i2c_bus.bus.controller;

    START(&first, .reg = 1, .limit_ticks = PT_DELAY_NEVER);
    run_for(60);
    ck_assert(pt_task_done(&first.task));
    if (PT_DEBUG) {
        CHECK_PANICS(controller_done(by, PT_EIO));
        ck_assert_str_eq(trace, "60 controller_done no transfer runs: call it once for each; ");
    } else {
        controller_done(by, PT_EIO);
        check_bus_works();
    }
}
END_TEST

/* --- hardware that never lets go ---------------------------------------------------------- */

START_TEST(hardware_that_does_not_let_go_is_reset_after_its_patience)
{
    for (pt_time when = 0; when < 9; when++) {
        open_world();
        i2c_bus.hangs = true;
        START(&first, .reg = 1, .limit_ticks = PT_DELAY_NEVER);
        CANCEL(&first, when, .times = 1);
        run_for(300);
        ck_assert_int_eq(canceler.frame.code, PT_ECANCELED);
        ck_assert(is_poison(&first, sizeof first));
        ck_assert_uint_eq(i2c_bus.bus.controller.resets, 1);
        check_bus_works();
    }
}
END_TEST

START_TEST(a_device_that_holds_the_bus_after_a_reset_gets_nine_clocks_and_the_transaction_works)
{
    i2c_bus.hangs = true;
    START(&first, .reg = 1, .limit_ticks = PT_DELAY_NEVER);
    CANCEL(&first, 5, .times = 1);
    START(&second, .name = "second", .reg = 1, .limit_ticks = PT_DELAY_NEVER);
    run_for(300);
    ck_assert_uint_eq(i2c_bus.clocks, 9 + 1); /* the last one is the STOP */
    ck_assert_str_eq(trace, "106 joined: canceled before it was done; 157 second success; ");
}
END_TEST

START_TEST(a_bus_that_is_stuck_is_let_go_when_its_nine_clocks_are_cut_off)
{
    for (pt_time when = 0; when < 60; when++) {
        open_world();
        i2c_bus.held = 9;
        START(&first, .reg = 1, .limit_ticks = PT_DELAY_NEVER);
        CANCEL(&first, when, .times = 1);
        run_for(when + 15);
        ck_assert(pt_task_done(&canceler.task));
        ck_assert(i2c_bus.scl && i2c_bus.sda);
        run_for(100);
        check_bus_works();
    }
}
END_TEST

START_TEST(a_bus_that_stays_stuck_is_a_code)
{
    i2c_bus.held = 100;
    START(&first, .name = "first", .limit_ticks = PT_DELAY_NEVER);
    run_for(300);
    ck_assert_str_eq(trace, "42 first a device holds the bus, for ever as it seems; ");
    i2c_bus.held = 0;
    check_bus_works();
}
END_TEST

/* --- many tasks --------------------------------------------------------------------------- */

START_TEST(tasks_get_the_bus_in_the_order_in_which_they_asked)
{
    START(&first, .name = "first", .reg = 1, .limit_ticks = PT_DELAY_NEVER);
    START(&second, .name = "second", .reg = 2, .limit_ticks = PT_DELAY_NEVER);
    START(&third, .name = "third", .reg = 3, .limit_ticks = PT_DELAY_NEVER);
    run_for(100);
    ck_assert_str_eq(trace, "9 first success; 18 second success; 27 third success; ");
    check_bus_works();
}
END_TEST

START_TEST(a_task_that_is_canceled_while_it_waits_for_the_bus_starts_nothing)
{
    START(&first, .name = "first", .reg = 1, .limit_ticks = PT_DELAY_NEVER);
    START(&second, .name = "second", .reg = 2, .limit_ticks = PT_DELAY_NEVER);
    START(&third, .name = "third", .reg = 3, .limit_ticks = PT_DELAY_NEVER);
    CANCEL(&second, 4, .times = 1);
    run_for(100);
    ck_assert(is_poison(&second, sizeof second));
    ck_assert_str_eq(trace, "4 joined: canceled before it was done; 9 first success; "
                            "18 third success; ");
    ck_assert_uint_eq(i2c_bus.starts, 2);
    ck_assert_uint_eq(i2c_bus.aborts, 0);
}
END_TEST

START_TEST(the_next_task_gets_the_bus_when_the_hardware_has_let_go)
{
    i2c_bus.lag = 5;
    START(&first, .reg = 1, .limit_ticks = 2, .name = "first");
    START(&second, .reg = 2, .limit_ticks = PT_DELAY_NEVER, .name = "second");
    run_for(100);
    ck_assert_str_eq(trace, "8 first timed out; 17 second success; ");
}
END_TEST

struct pair {
    struct pt pt;
    struct pt_held held;
    struct i2c i2c;
    uint8_t bytes[2];
};

static PT_ASYNC(pair, self)
{
    PT_WITH_LOCK(&self->held, &i2c_bus.bus.controller.lock) {
        PT_WAIT_COMPLETE(&self->i2c, i2c, .bus = &i2c_bus.bus, .address = 0x48, .in = self->bytes,
                         .ins = 1);
        note("pair", "one");
        PT_WAIT(10);
        PT_WAIT_COMPLETE(&self->i2c, i2c, .bus = &i2c_bus.bus, .address = 0x48, .in = self->bytes,
                         .ins = 1);
        note("pair", "two");
    }
}
PT_END

START_TEST(a_task_can_hold_the_bus_over_several_transactions)
{
    static PT_TASK(pair) both;

    ck_assert_int_eq(PT_START(&loop, &both, pair), PT_OK);
    START(&second, .reg = 2, .limit_ticks = PT_DELAY_NEVER, .name = "second");
    run_for(100);
    ck_assert_str_eq(trace, "2 pair one; 14 pair two; 23 second success; ");
    check_bus_works();
}
END_TEST

/* --- codes -------------------------------------------------------------------------------- */

START_TEST(what_a_device_or_another_controller_does_is_a_code)
{
    refuses = 3;
    START(&first, .name = "first", .reg = 3, .limit_ticks = PT_DELAY_NEVER);
    run_for(20);
    START(&first, .name = "first", .address = 0x50, .limit_ticks = PT_DELAY_NEVER);
    run_for(20);
    i2c_bus.rival = true;
    START(&first, .name = "first", .limit_ticks = PT_DELAY_NEVER);
    run_for(20);
    ck_assert_str_eq(trace, "2 first the device refused a byte; "
                            "21 first no device answers to the address; "
                            "41 first another controller took the bus; ");
    check_bus_works();
}
END_TEST

struct writer {
    struct pt pt;
    struct i2c i2c;
    uint8_t bytes[2];
};

static PT_ASYNC(writer, self)
{
    PT_WAIT_COMPLETE(&self->i2c, i2c, .bus = &i2c_bus.bus, .address = 0x48);
    note("probe", driver_code_text(self->pt.status));
    PT_WAIT_COMPLETE(&self->i2c, i2c, .bus = &i2c_bus.bus, .address = 0x48, .head = self->bytes,
                     .heads = 1, .out = self->bytes, .outs = 2);
    note("write", driver_code_text(self->pt.status));
}
PT_END

START_TEST(an_empty_transaction_asks_for_a_device_and_a_head_goes_before_the_bytes)
{
    static PT_TASK(writer) writer;

    ck_assert_int_eq(PT_START(&loop, &writer, writer), PT_OK);
    run_for(40);
    ck_assert_str_eq(trace, "1 probe success; 5 write success; ");
}
END_TEST

static uint8_t all[UINT16_MAX];

struct giant {
    struct pt pt;
    struct i2c i2c;
};

static PT_ASYNC(giant, self)
{
    PT_TRY(&self->i2c, i2c, .bus = &i2c_bus.bus, .address = 0x48, .out = all, .outs = sizeof all,
           .in = all, .ins = sizeof all);
    PT_WAIT_COMPLETE(&self->i2c, i2c, .bus = &i2c_bus.bus, .address = 0x48, .head = all, .heads = 1,
                     .out = all, .outs = sizeof all);
    ck_assert_int_eq(self->pt.status, PT_ERANGE);
}
PT_END

START_TEST(a_transaction_has_up_to_65535_bytes_each_way_and_one_more_is_refused)
{
    static PT_TASK(giant) giant;

    ck_assert_int_eq(PT_START(&loop, &giant, giant), PT_OK);
    for (int i = 0; i < 5; i++) {
        ck_assert(!pt_task_done(&giant.task));
        run_for(30000);
    }
    ck_assert(pt_task_done(&giant.task));
    ck_assert_int_eq(pt_task_status(&giant.task), PT_OK);
    ck_assert(all[0] == 0 && all[1] == 1 && all[sizeof all - 1] == 0xfe);
    ck_assert_uint_eq(i2c_bus.starts, 1);
    check_bus_works();
}
END_TEST

struct intruder {
    struct pt pt;
    struct transfer transfer;
    uint8_t bytes[2];
};

static PT_ASYNC(intruder, self)
{
    PT_WAIT(3);
    PT_WAIT_COMPLETE(&self->transfer, transfer, .by = &i2c_bus.bus.controller, .in = self->bytes,
                     .ins = 2);
    note("intruder", pt_status_name(self->pt.status));
}
PT_END

START_TEST(a_transfer_without_the_lock_is_refused_and_leaves_that_of_another_task_alone)
{
    static PT_TASK(intruder) intruder;

    START(&first, .name = "first", .reg = 3, .limit_ticks = PT_DELAY_NEVER);
    ck_assert_int_eq(PT_START(&loop, &intruder, intruder), PT_OK);
    run_for(100);
    ck_assert_str_eq(trace, "3 intruder PT_EPERM; 9 first success; ");
    check_bus_works();
}
END_TEST

/* --- SPI ---------------------------------------------------------------------------------- */

struct caller {
    struct pt pt;
    const struct spi_device *device;
    pt_time limit_ticks;
    const char *name;
    struct pt_scope limit;
    struct pt_held held;
    struct transfer transfer;
    uint8_t bytes[8];
};

static PT_ASYNC(caller, self)
{
    PT_WITH_TIMEOUT(&self->limit, self->limit_ticks) {
        PT_WITH_LOCK(&self->held, spi_lock(self->device)) {
            spi_select(&self->held, self->device);
            PT_WAIT_COMPLETE(&self->transfer, transfer, SPI(self->device),
                             .out = (const uint8_t *)"\x9f", .outs = 1, .in = self->bytes,
                             .ins = 1);
            note(self->name, driver_code_text(self->pt.status));
            PT_WAIT_COMPLETE(&self->transfer, transfer, SPI(self->device), .in = self->bytes + 1,
                             .ins = 7);
            note(self->name, driver_code_text(self->pt.status));
        }
    }
    if (self->pt.status == PT_OK)
        ck_assert(self->bytes[0] == 0x60 && self->bytes[1] == 0 && self->bytes[7] == 0);
    note(self->name, "has left");
    memset(self->bytes, POISON, sizeof self->bytes);
    PT_WAIT(30);
    ck_assert(is_poison(self->bytes, sizeof self->bytes));
}
PT_END

static PT_TASK(caller) calls[2];

static void start_calls(pt_time limit)
{
    memset(calls, 0, sizeof calls);
    PT_START(&loop, &calls[0], caller, .device = &flash_device, .limit_ticks = limit,
             .name = "flash");
    PT_START(&loop, &calls[1], caller, .device = &radio_device, .limit_ticks = PT_DELAY_NEVER,
             .name = "radio");
}

static void check_calls(const char *expected)
{
    run_for(300);
    ck_assert_str_eq(trace, expected);
    ck_assert(pt_task_done(&calls[0].task) && pt_task_done(&calls[1].task));
    ck_assert_ptr_null(spi_bus.bus.controller.lock.owner);
    ck_assert_ptr_null(spi_bus.bus.selected);
}

START_TEST(a_device_is_selected_over_all_transfers_of_a_block)
{
    start_calls(PT_DELAY_NEVER);
    check_calls(
        "0 pin 0 low; 1 flash success; 8 flash success; 8 pin 0 high; 8 flash has left; "
        "8 pin 1 low; 9 radio success; 16 radio success; 16 pin 1 high; 16 radio has left; ");
}
END_TEST

START_TEST(a_device_is_deselected_when_the_hardware_has_let_go_and_before_the_next_is_selected)
{
    spi_bus.lag = 2;
    start_calls(4);
    check_calls(
        "0 pin 0 low; 1 flash success; 7 pin 0 high; 7 flash has left; "
        "7 pin 1 low; 8 radio success; 15 radio success; 15 pin 1 high; 15 radio has left; ");
}
END_TEST

struct nester {
    struct pt pt;
    pt_time limit_ticks;
    struct pt_scope limit;
    struct pt_held held;
    struct transfer transfer;
    struct caller call;
    uint8_t byte;
};

static PT_ASYNC(nester, self)
{
    PT_WITH_TIMEOUT(&self->limit, self->limit_ticks) {
        PT_WITH_LOCK(&self->held, spi_lock(&flash_device)) {
            spi_select(&self->held, &flash_device);
            PT_WAIT_COMPLETE(&self->call, caller, .device = &radio_device,
                             .limit_ticks = PT_DELAY_NEVER, .name = "within");
            PT_WAIT_COMPLETE(&self->transfer, transfer, SPI(&flash_device), .in = &self->byte,
                             .ins = 1);
            note("outer", driver_code_text(self->pt.status));
        }
    }
    note("outer", "has left");
}
PT_END

START_TEST(a_selection_within_another_is_told_and_no_two_devices_are_selected)
{
    static PT_TASK(nester) nester;

    PT_START(&loop, &nester, nester, .limit_ticks = PT_DELAY_NEVER);
    if (PT_DEBUG) {
        CHECK_PANICS(run_for(100));
        ck_assert_str_eq(trace, "0 pin 0 low; 0 spi_select the bus has a device selected: "
                                "end its block first; ");
        return;
    }
    run_for(100);
    ck_assert_str_eq(trace, "0 pin 0 low; 0 pin 0 high; 0 pin 1 low; 1 within success; "
                            "8 within success; 8 pin 1 high; 8 within has left; "
                            "39 outer success; 39 outer has left; ");
    for (pt_time limit = 0; limit < 45; limit++) {
        open_world();
        spi_bus.lag = 2;
        memset(&nester, 0, sizeof nester);
        PT_START(&loop, &nester, nester, .limit_ticks = limit);
        run_for(100);
        ck_assert(pt_task_done(&nester.task));
        ck_assert_ptr_null(spi_bus.bus.selected);
        ck_assert_ptr_null(spi_bus.part);
        ck_assert_ptr_null(spi_bus.bus.controller.lock.owner);
    }
}
END_TEST

START_TEST(hardware_without_an_interrupt_at_the_end_of_an_abort_is_asked_and_writes_no_byte_later)
{
    for (int late = 0; late < 2; late++)
        for (uint16_t lag = 0; lag < 10; lag++)
            for (pt_time limit = 0; limit < 12; limit++) {
                open_world();
                hardware_is_late = late;
                spi_bus.lag = lag;
                start_calls(limit);
                run_for(100);
                ck_assert(pt_task_done(&calls[0].task) && pt_task_done(&calls[1].task));
                ck_assert_uint_eq(spi_bus.bus.controller.resets, 0);
            }
}
END_TEST

START_TEST(a_hung_bus_is_reset_also_without_an_interrupt)
{
    spi_bus.hangs = true;
    start_calls(4);
    run_for(300);
    ck_assert(pt_task_done(&calls[0].task) && pt_task_done(&calls[1].task));
    ck_assert_uint_eq(spi_bus.bus.controller.resets, 1);
}
END_TEST

int main(void)
{
    static const TTest *const *const tests[] = {
        &a_transaction_writes_and_then_reads_with_a_repeated_start,
        &after_a_joined_cancel_at_any_tick_the_hardware_writes_no_byte,
        &a_second_cancel_during_the_abort_changes_nothing,
        &a_canceled_task_ends_when_the_hardware_has_let_go_and_not_before,
        &behind_a_block_that_has_timed_out_at_any_tick_the_hardware_writes_no_byte,
        &one_limit_holds_over_many_transactions,
        &a_transfer_can_be_over_at_the_moment_of_its_abort_or_of_its_reset,
        &a_task_whose_transfers_are_over_at_once_can_be_canceled,
        &an_interrupt_after_the_end_of_a_transfer_wakes_nobody,
        &a_second_end_of_a_transfer_is_told,
        &hardware_that_does_not_let_go_is_reset_after_its_patience,
        &a_device_that_holds_the_bus_after_a_reset_gets_nine_clocks_and_the_transaction_works,
        &a_bus_that_is_stuck_is_let_go_when_its_nine_clocks_are_cut_off,
        &a_bus_that_stays_stuck_is_a_code,
        &tasks_get_the_bus_in_the_order_in_which_they_asked,
        &a_task_that_is_canceled_while_it_waits_for_the_bus_starts_nothing,
        &the_next_task_gets_the_bus_when_the_hardware_has_let_go,
        &a_task_can_hold_the_bus_over_several_transactions,
        &what_a_device_or_another_controller_does_is_a_code,
        &an_empty_transaction_asks_for_a_device_and_a_head_goes_before_the_bytes,
        &a_transaction_has_up_to_65535_bytes_each_way_and_one_more_is_refused,
        &a_transfer_without_the_lock_is_refused_and_leaves_that_of_another_task_alone,
        &a_device_is_selected_over_all_transfers_of_a_block,
        &a_device_is_deselected_when_the_hardware_has_let_go_and_before_the_next_is_selected,
        &a_selection_within_another_is_told_and_no_two_devices_are_selected,
        &hardware_without_an_interrupt_at_the_end_of_an_abort_is_asked_and_writes_no_byte_later,
        &a_hung_bus_is_reset_also_without_an_interrupt,
    };

    return run_tests(tests, sizeof tests / sizeof *tests, open_world);
}
