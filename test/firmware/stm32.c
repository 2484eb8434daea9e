/* stm32.c - transfers over ST's HAL that end at every tick, and errors at every byte, in virtual time
 * SPDX-License-Identifier: MIT */
#include "chips/stm32/stm32_hal_i2c.h"
#include "chips/stm32/stm32_hal_spi.h"
#include "stm32/hal.h"
#include "traced.h"

enum { BYTES = 4, NEVER = 0 };

static struct stm32_hal_i2c i2c_bus;
static struct stm32_hal_spi spi_bus;
static GPIO_TypeDef port;
static bool by_dma = true;

static void choose(uint8_t pin, bool on)
{
    (void)pin;
    (void)on;
}

static const struct spi_device flash = {.bus = &spi_bus.bus, .hertz = 1000000, .mode = 3, .pin = 4};

static void open_world(void)
{
    open_loop();
    hal_said = NULL;
    hal_open(by_dma);
    stm32_hal_i2c_open(&i2c_bus, &hi2c1, &loop);
    stm32_hal_spi_open(&spi_bus, &hspi1, 16000000, choose, &loop);
}

/* --- tasks that read into their own frames ----------------------------------------------------- */

struct reader {
    struct pt pt;
    const char *name;
    uint8_t address, heads, outs, ins; /* an address of 0: the device's */
    uint8_t first;                     /* of what it sends: this number, and the next */
    uint8_t reg[2];
    struct i2c i2c;
    uint8_t bytes[BYTES];
};

static PT_ASYNC(reader, self)
{
    self->reg[0] = self->first;
    self->reg[1] = (uint8_t)(self->first + 1);
    PT_WAIT_COMPLETE(&self->i2c, i2c, .bus = &i2c_bus.bus,
                     .address = self->address ? self->address : 0x48, .head = self->reg,
                     .heads = self->heads, .out = &self->reg[self->heads], .outs = self->outs,
                     .in = self->bytes, .ins = self->ins);
    if (self->name)
        note(self->name, driver_code_text(self->pt.status));
    PT_RETURN(self->pt.status);
}
PT_END

struct exchanger {
    struct pt pt;
    const char *name;
    uint8_t outs, ins, first; /* as that of a reader */
    uint8_t out[BYTES];
    struct pt_held held;
    struct transfer transfer;
    uint8_t bytes[BYTES];
};

static PT_ASYNC(exchanger, self)
{
    for (uint8_t i = 0; i < BYTES; i++)
        self->out[i] = (uint8_t)(self->first + i);
    PT_WITH_LOCK(&self->held, spi_lock(&flash)) {
        spi_select(&self->held, &flash);
        PT_WAIT_COMPLETE(&self->transfer, transfer, SPI(&flash), .out = self->out,
                         .outs = self->outs, .in = self->bytes, .ins = self->ins);
    }
    if (self->name)
        note(self->name, driver_code_text(self->pt.status));
    PT_RETURN(self->pt.status);
}
PT_END

struct canceler {
    struct pt pt;
    struct pt_task *task;
    size_t size; /* of its storage, which is somebody else's when it has ended */
    pt_time delay;
    pt_status code;
};

static PT_ASYNC(canceler, self)
{
    PT_WAIT(self->delay);
    pt_cancel(self->task, PT_ECANCELED);
    PT_JOIN(self->task);
    self->code = self->pt.status;
    note("joined:", driver_code_text(self->code));
    memset((void *)self->task, POISON, self->size);
}
PT_END

static PT_TASK(reader) reader, next_reader;
static PT_TASK(exchanger) exchanger, next_exchanger;
static PT_TASK(canceler) canceler;

#define START(storage, type, ...)                                             \
    do {                                                                      \
        memset(storage, 0, sizeof *(storage));                                \
        ck_assert_int_eq(PT_START(&loop, storage, type, __VA_ARGS__), PT_OK); \
    } while (0)
#define CANCEL(storage, ticks)                                                      \
    START(&canceler, canceler, .task = &(storage)->task, .size = sizeof *(storage), \
          .delay = (ticks))

static void check_i2c_works(void)
{
    memset(&i2c_failure, 0, sizeof i2c_failure);
    START(&next_reader, reader, .outs = 1, .ins = BYTES, .first = 70);
    run_for(40);
    ck_assert(pt_task_done(&next_reader.task));
    ck_assert_int_eq(pt_task_status(&next_reader.task), PT_OK);
    for (uint8_t i = 0; i < BYTES; i++)
        ck_assert_uint_eq(next_reader.frame.bytes[i], 70u + i);
}

static void check_spi_works(void)
{
    memset(&spi_failure, 0, sizeof spi_failure);
    START(&next_exchanger, exchanger, .outs = BYTES, .ins = BYTES, .first = 1);
    run_for(40);
    ck_assert(pt_task_done(&next_exchanger.task));
    ck_assert_int_eq(pt_task_status(&next_exchanger.task), PT_OK);
    for (uint8_t i = 0; i < BYTES; i++)
        ck_assert_uint_eq(next_exchanger.frame.bytes[i], (uint8_t) ~(i + 1u));
}

/* --- I2C --------------------------------------------------------------------------------------- */

START_TEST(the_parts_of_a_transaction_are_calls_of_the_hal_with_one_start_and_one_stop)
{
    hal_said = note;
    START(&reader, reader, .heads = 1, .outs = 1, .ins = 2);
    run_for(20);
    ck_assert_str_eq(trace, "0 write START, goes on; 3 write goes on; 4 read STOP; ");
    ck_assert_int_eq(pt_task_status(&reader.task), PT_OK);
    written = trace, trace[0] = '\0', began = board_now();
    START(&reader, reader, .heads = 1, .outs = 1);
    run_for(20);
    ck_assert_str_eq(trace, "0 write START, goes on; 3 write STOP; ");
    written = trace, trace[0] = '\0', began = board_now();
    START(&reader, reader, .outs = 1, .ins = 1);
    run_for(20);
    ck_assert_str_eq(trace, "0 write START; 3 read STOP; ");
    written = trace, trace[0] = '\0', began = board_now();
    START(&reader, reader, .ins = 1);
    run_for(20);
    ck_assert_str_eq(trace, "0 read START, STOP; ");
    written = trace, trace[0] = '\0', began = board_now();
    START(&reader, reader, .name = "asked:");
    run_for(20);
    ck_assert_str_eq(trace, "0 write START, STOP; 2 asked: success; ");
    hal_said = NULL;
    check_i2c_works();
}
END_TEST

/* Canceled at tick WHEN, with an error at byte FAILS. Returns its code. */
static pt_status cancel_read(pt_time when, uint16_t lag, uint16_t fails, pt_time stop_lag)
{
    open_world();
    i2c_tx.lag = i2c_rx.lag = lag;
    i2c_stop_lag = stop_lag;
    i2c_failure.at = fails;
    i2c_failure.code = HAL_I2C_ERROR_BERR;
    START(&reader, reader, .outs = 2, .ins = BYTES, .first = 1);
    CANCEL(&reader, when);
    run_for(60);
    ck_assert(pt_task_done(&canceler.task));
    ck_assert(is_poison(&reader, sizeof reader));
    ck_assert_uint_eq(i2c_bus.bus.controller.resets, 0);
    i2c_tx.lag = i2c_rx.lag = 0;
    check_i2c_works();
    ck_assert(is_poison(&reader, sizeof reader));
    return canceler.frame.code;
}

static unsigned cancel_all_reads(uint16_t lag, uint16_t fails, pt_time stop_lag)
{
    unsigned canceled = 0;

    for (pt_time when = 0; when < 14; when++)
        canceled += cancel_read(when, lag, fails, stop_lag) == PT_ECANCELED;
    return canceled;
}

START_TEST(after_a_joined_cancel_at_any_tick_no_channel_writes_a_byte)
{
    for (int late = 0; late < 2; late++)
        for (uint16_t lag = 0; lag < 4; lag++) {
            hardware_is_late = late;
            ck_assert_uint_ge(cancel_all_reads(lag, NEVER, 0), 9);
        }
}
END_TEST

START_TEST(without_channels_a_cancel_at_any_tick_leaves_the_bus_free)
{
    by_dma = false;
    ck_assert_uint_ge(cancel_all_reads(0, NEVER, 0), 9);
    ck_assert_uint_ge(cancel_all_reads(0, NEVER, 2), 9);
    for (uint16_t fails = 1; fails < 11; fails++)
        (void)cancel_all_reads(0, fails, 0);
    by_dma = true;
}
END_TEST

START_TEST(an_error_at_any_byte_and_a_cancel_at_any_tick_end_a_transfer_once_and_write_no_byte)
{
    for (uint16_t lag = 0; lag < 4; lag++)
        for (uint16_t fails = 1; fails < 11; fails++)
            (void)cancel_all_reads(lag, fails, 0);
}
END_TEST

START_TEST(a_canceled_transfer_ends_when_the_channel_has_let_go_and_the_stop_is_on_the_wires)
{
    i2c_rx.lag = 2;
    i2c_stop_lag = 1;
    START(&reader, reader, .ins = BYTES);
    CANCEL(&reader, 3);
    run_for(40);
    ck_assert_str_eq(trace, "7 joined: canceled before it was done; ");
    ck_assert_uint_eq(i2c_stops, 1);
    check_i2c_works();
}
END_TEST

START_TEST(a_channel_that_does_not_let_go_is_reset)
{
    i2c_rx.hangs = true;
    START(&reader, reader, .ins = BYTES);
    CANCEL(&reader, 3);
    run_for(40);
    ck_assert_str_eq(trace, "9 joined: canceled before it was done; ");
    ck_assert_uint_eq(i2c_bus.bus.controller.resets, 1);
    i2c_rx.hangs = false;
    check_i2c_works();
    ck_assert(is_poison(&reader, sizeof reader));
}
END_TEST

static pt_status code_of_failure(uint16_t at, uint32_t code)
{
    open_world();
    i2c_failure.at = at;
    i2c_failure.code = code;
    START(&reader, reader, .outs = 2, .ins = BYTES);
    run_for(40);
    ck_assert(pt_task_done(&reader.task));
    check_i2c_works();
    return pt_task_status(&reader.task);
}

START_TEST(what_the_hal_reports_is_a_code)
{
    for (int which = 0; which < 4; which++) {
        by_dma = which & 1;
        i2c_is_new = which & 2;
        ck_assert_int_eq(code_of_failure(2, HAL_I2C_ERROR_AF), I2C_NO_DEVICE);
        ck_assert_int_eq(code_of_failure(4, HAL_I2C_ERROR_AF), I2C_REFUSED);
        ck_assert_int_eq(code_of_failure(6, HAL_I2C_ERROR_AF),
                         I2C_NO_DEVICE); /* its second address */
        ck_assert_int_eq(code_of_failure(3, HAL_I2C_ERROR_ARLO), I2C_LOST);
        ck_assert_int_eq(code_of_failure(3, HAL_I2C_ERROR_BERR), I2C_LOST);
        ck_assert_int_eq(code_of_failure(8, HAL_I2C_ERROR_OVR), BUS_FAILED);
        START(&reader, reader, .address = 0x49, .outs = 1);
        run_for(40);
        ck_assert_int_eq(pt_task_status(&reader.task), I2C_NO_DEVICE);
        check_i2c_works();
    }
    by_dma = true;
    i2c_is_new = false;
}
END_TEST

START_TEST(a_channel_that_cannot_start_is_a_code_and_the_bus_works_again)
{
    i2c_tx.handle.State = HAL_DMA_STATE_ERROR;
    START(&reader, reader, .name = "reader", .outs = 1, .ins = BYTES);
    run_for(40);
    ck_assert_str_eq(trace, "0 reader the controller or its DMA failed; ");
    check_i2c_works();
}
END_TEST

START_TEST(a_channel_that_runs_on_after_an_error_is_asked_to_let_go)
{
    i2c_rx.lag = 3;
    i2c_failure = (struct failure){.at = 4, .code = HAL_I2C_ERROR_DMA, .of_dma = true};
    START(&reader, reader, .name = "reader", .ins = BYTES);
    run_for(40);
    ck_assert_str_eq(trace, "7 reader the controller or its DMA failed; ");
    memset(&reader, POISON, sizeof reader);
    check_i2c_works();
    ck_assert(is_poison(&reader, sizeof reader));
}
END_TEST

START_TEST(after_an_error_that_leaves_the_hal_busy_the_bus_works_again)
{
    START(&reader, reader, .name = "reader", .ins = BYTES);
    run_for(3);
    i2c_rx.handle.State = HAL_DMA_STATE_READY; /* all is received, and its state stays busy */
    hi2c1.ErrorCode = HAL_I2C_ERROR_AF;
    HAL_I2C_ErrorCallback(&hi2c1);
    run_for(2);
    ck_assert_str_eq(trace, "3 reader no device answers to the address; ");
    check_i2c_works();
}
END_TEST

START_TEST(a_stuck_bus_is_a_code_and_gets_nine_clocks_if_its_pins_are_known)
{
    i2c_held = 5;
    START(&reader, reader, .name = "reader", .ins = BYTES);
    run_for(80);
    ck_assert_str_eq(trace, "0 reader a device holds the bus, for ever as it seems; ");
    open_world();
    stm32_hal_i2c_wires(&i2c_bus, &port, 1, &port, 2);
    i2c_held = 5;
    START(&reader, reader, .name = "reader", .ins = BYTES);
    run_for(80);
    ck_assert_str_eq(trace, "48 reader success; ");
    check_i2c_works();
    ck_assert_uint_eq(i2c_inits, 1); /* once, and the pins are the controller's again */
}
END_TEST

/* --- SPI --------------------------------------------------------------------------------------- */

START_TEST(bytes_go_both_ways_and_then_the_rest)
{
    hal_said = note;
    START(&exchanger, exchanger, .outs = 1, .ins = 3, .first = 9);
    run_for(20);
    ck_assert_str_eq(trace, "0 exchange both; 1 exchange received; ");
    ck_assert_uint_eq(exchanger.frame.bytes[0], (uint8_t)~9u);
    ck_assert_uint_eq(exchanger.frame.bytes[1], 0); /* it sent 0xff */
    ck_assert_uint_eq(exchanger.frame.bytes[2], 0);
    ck_assert_uint_eq(hspi1.Init.CLKPolarity, SPI_POLARITY_HIGH);
    ck_assert_uint_eq(hspi1.Init.CLKPhase, SPI_PHASE_2EDGE);
    ck_assert_uint_eq(hspi1.Init.BaudRatePrescaler, SPI_BAUDRATEPRESCALER_16);
    written = trace, trace[0] = '\0', began = board_now();
    START(&exchanger, exchanger, .outs = 3, .ins = 1);
    run_for(20);
    ck_assert_str_eq(trace, "0 exchange both; 1 exchange sent; ");
    written = trace, trace[0] = '\0', began = board_now();
    START(&exchanger, exchanger, .name = "nothing:");
    run_for(20);
    ck_assert_str_eq(trace, "0 nothing: success; ");
    hal_said = NULL;
    check_spi_works();
}
END_TEST

static pt_status cancel_exchange(pt_time when, uint16_t tx_lag, uint16_t rx_lag,
                                 struct failure failure)
{
    open_world();
    spi_tx.lag = tx_lag;
    spi_rx.lag = rx_lag;
    spi_failure = failure;
    START(&exchanger, exchanger, .outs = 2, .ins = BYTES);
    CANCEL(&exchanger, when);
    run_for(40);
    ck_assert(pt_task_done(&canceler.task));
    ck_assert(is_poison(&exchanger, sizeof exchanger));
    ck_assert_uint_eq(spi_bus.bus.controller.resets, 0);
    spi_tx.lag = spi_rx.lag = 0;
    check_spi_works();
    ck_assert(is_poison(&exchanger, sizeof exchanger));
    return canceler.frame.code;
}

START_TEST(two_channels_that_let_go_at_different_times_write_no_byte_after_a_joined_cancel)
{
    unsigned canceled = 0;

    for (uint16_t tx = 0; tx < 3; tx++)
        for (uint16_t rx = 0; rx < 3; rx++)
            for (pt_time when = 0; when < 8; when++)
                canceled += cancel_exchange(when, tx, rx, (struct failure){0}) == PT_ECANCELED;
    ck_assert_uint_ge(canceled, 3 * 3 * 4);
}
END_TEST

START_TEST(an_error_whose_callback_comes_for_each_channel_ends_a_transfer_when_both_have_let_go)
{
    for (int of_dma = 0; of_dma < 2; of_dma++)
        for (uint16_t fails = 1; fails <= BYTES; fails++)
            for (uint16_t tx = 0; tx < 3; tx++)
                for (uint16_t rx = 0; rx < 3; rx++)
                    for (pt_time when = 0; when < 8; when++)
                        (void)cancel_exchange(when, tx, rx,
                                              (struct failure){.at = fails,
                                                               .code = HAL_SPI_ERROR_OVR,
                                                               .of_dma = of_dma});
}
END_TEST

START_TEST(an_error_without_a_cancel_is_a_code_after_both_channels_have_let_go)
{
    spi_tx.lag = 3;
    spi_failure = (struct failure){.at = 2, .code = HAL_SPI_ERROR_OVR};
    START(&exchanger, exchanger, .name = "first", .outs = BYTES, .ins = BYTES);
    START(&next_exchanger, exchanger, .name = "next", .outs = BYTES, .ins = BYTES);
    run_for(40);
    ck_assert_str_eq(trace, "5 first too slow: something was lost; 9 next success; ");
    spi_failure = (struct failure){.at = 2, .code = HAL_SPI_ERROR_DMA, .of_dma = true};
    written = trace, trace[0] = '\0', began = board_now();
    START(&exchanger, exchanger, .name = "first", .outs = BYTES, .ins = BYTES);
    run_for(40);
    ck_assert_str_eq(trace, "5 first the controller or its DMA failed; ");
    check_spi_works();
}
END_TEST

START_TEST(a_channel_of_spi_that_cannot_start_is_a_code_and_the_bus_works_again)
{
    spi_tx.handle.State = HAL_DMA_STATE_ERROR;
    START(&exchanger, exchanger, .name = "first", .outs = 1, .ins = 1);
    run_for(40);
    ck_assert_str_eq(trace, "0 first the controller or its DMA failed; ");
    check_spi_works();
}
END_TEST

START_TEST(a_callback_of_another_bus_or_after_the_end_wakes_nobody)
{
    I2C_HandleTypeDef hi2c2 = hi2c1;
    SPI_HandleTypeDef hspi2 = hspi1;

    START(&reader, reader, .name = "reader", .ins = 1);
    START(&exchanger, exchanger, .name = "exchanger", .ins = BYTES);
    (void)pt_loop_turn(&loop, board_now());
    HAL_I2C_MasterRxCpltCallback(&hi2c2);
    HAL_I2C_ErrorCallback(&hi2c2);
    HAL_I2C_AbortCpltCallback(&hi2c2);
    HAL_SPI_TxRxCpltCallback(&hspi2);
    HAL_SPI_ErrorCallback(&hspi2);
    HAL_SPI_AbortCpltCallback(&hspi2);
    run_for(40);
    ck_assert_str_eq(trace, "3 reader success; 4 exchanger success; ");
    HAL_I2C_MasterTxCpltCallback(&hi2c1);
    HAL_I2C_ErrorCallback(&hi2c1);
    HAL_I2C_AbortCpltCallback(&hi2c1);
    HAL_SPI_TxCpltCallback(&hspi1);
    HAL_SPI_ErrorCallback(&hspi1);
    HAL_SPI_AbortCpltCallback(&hspi1);
    ck_assert(pt_loop_idle(&loop) && !pt_loop_posted(&loop));
    check_i2c_works();
    check_spi_works();
}
END_TEST

int main(void)
{
    static const TTest *const *const tests[] = {
        &the_parts_of_a_transaction_are_calls_of_the_hal_with_one_start_and_one_stop,
        &after_a_joined_cancel_at_any_tick_no_channel_writes_a_byte,
        &without_channels_a_cancel_at_any_tick_leaves_the_bus_free,
        &an_error_at_any_byte_and_a_cancel_at_any_tick_end_a_transfer_once_and_write_no_byte,
        &a_canceled_transfer_ends_when_the_channel_has_let_go_and_the_stop_is_on_the_wires,
        &a_channel_that_does_not_let_go_is_reset,
        &what_the_hal_reports_is_a_code,
        &a_channel_that_cannot_start_is_a_code_and_the_bus_works_again,
        &a_channel_that_runs_on_after_an_error_is_asked_to_let_go,
        &after_an_error_that_leaves_the_hal_busy_the_bus_works_again,
        &a_stuck_bus_is_a_code_and_gets_nine_clocks_if_its_pins_are_known,
        &bytes_go_both_ways_and_then_the_rest,
        &two_channels_that_let_go_at_different_times_write_no_byte_after_a_joined_cancel,
        &an_error_whose_callback_comes_for_each_channel_ends_a_transfer_when_both_have_let_go,
        &an_error_without_a_cancel_is_a_code_after_both_channels_have_let_go,
        &a_channel_of_spi_that_cannot_start_is_a_code_and_the_bus_works_again,
        &a_callback_of_another_bus_or_after_the_end_wakes_nobody,
    };

    return run_tests(tests, sizeof tests / sizeof *tests, open_world);
}
