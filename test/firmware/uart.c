/* uart.c - a UART by interrupts and by DMA: each byte and each error of the line, once and in order
 * SPDX-License-Identifier: MIT */
#include "traced.h"
#include "virtual/uart_model.h"

enum { IN = 16, OUT = 8 };

static uint8_t in[IN], out[OUT];
static struct uart_model port;
static const struct uart_model closed = {.uart = {.in = UART_RING(in), .out = UART_RING(out)}};

static char stream[600]; /* what was read: bytes, and a sign for each code */
static size_t length;

static void open_port(bool dma)
{
    open_loop();
    hardware_stop(&port.receiver);
    hardware_stop(&port.transmitter);
    port = closed;
    uart_model_open(&port, &loop, dma);
    memset(stream, 0, sizeof stream);
    length = 0;
}

static void open_by_interrupts(void)
{
    open_port(false);
}

static void type(const char *text)
{
    uart_model_type(&port, text, (uint16_t)strlen(text));
}

/* --- a task that reads -------------------------------------------------------------------- */

static void keep(const uint8_t *bytes, uint16_t count)
{
    ck_assert(length + count < sizeof stream);
    memcpy(stream + length, bytes, count);
    length += count;
}

static char sign_of(pt_status code)
{
    return code == UART_FRAMING ? '!' : code == UART_BREAK ? '~' : code == PT_EOVERRUN ? '#' : '?';
}

struct reader {
    struct pt pt;
    uint16_t size;
    pt_time late; /* it begins so late */
    struct uart_read read;
    uint8_t bytes[IN];
};

static PT_ASYNC(reader, self)
{
    PT_WAIT(self->late);
    for (;;) {
        PT_WAIT_COMPLETE(&self->read, uart_read, .uart = &port.uart, .to = self->bytes,
                         .size = self->size);
        keep(self->bytes, self->read.got);
        ck_assert_int_eq(self->pt.status == PT_OK, self->read.got > 0);
        if (self->pt.status != PT_OK)
            stream[length++] = sign_of(self->pt.status);
    }
}
PT_END

static PT_TASK(reader) reader;

static void read_from(pt_time late, uint16_t size)
{
    memset(&reader, 0, sizeof reader);
    ck_assert_int_eq(PT_START(&loop, &reader, reader, .size = size, .late = late), PT_OK);
}

START_TEST(each_byte_is_read_once_and_in_order_however_they_come)
{
    static const char text[] = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.";

    for (int dma = 0; dma < 2; dma++)
        for (uint16_t burst = 1; burst < IN / 2; burst++)
            for (uint16_t size = 1; size <= IN; size++)
                for (int late = 0; late < 2; late++) {
                    open_port(dma);
                    hardware_is_late = late;
                    port.burst = burst;
                    read_from(0, size);
                    type(text);
                    run_for(80);
                    ck_assert_str_eq(stream, text);
                }
}
END_TEST

START_TEST(dma_interrupts_at_a_half_and_when_the_line_is_idle)
{
    open_port(true);
    read_from(0, IN);
    type("0123456789");
    run_for(9);
    ck_assert_str_eq(stream, "01234567");
    run_for(4);
    ck_assert_str_eq(stream, "0123456789");
    ck_assert_uint_eq(port.interrupts, 2);
}
END_TEST

START_TEST(what_goes_wrong_is_read_where_it_happened)
{
    for (int dma = 0; dma < 2; dma++)
        for (pt_time late = 0; late < 2; late++) {
            open_port(dma);
            read_from(late, IN);
            type("!ab!cd~~ef");
            run_for(40);
            ck_assert_str_eq(stream, "!ab!cd~~ef");
        }
}
END_TEST

START_TEST(bytes_before_and_behind_an_error_are_kept_for_a_late_task)
{
    for (int dma = 0; dma < 2; dma++)
        for (uint16_t size = 1; size < IN; size++) {
            open_port(dma);
            read_from(30, size);
            type("abc~defg");
            run_for(60);
            ck_assert_str_eq(stream, "abc~defg");
        }
}
END_TEST

START_TEST(a_second_error_before_the_first_is_read_is_an_overrun_and_empties_the_ring)
{
    for (int dma = 0; dma < 2; dma++) {
        open_port(dma);
        read_from(20, IN);
        type("ab!cd~ef");
        run_for(30);
        type("gh!i");
        run_for(30);
        ck_assert_str_eq(stream, "#gh!i");
    }
}
END_TEST

START_TEST(a_full_ring_loses_new_bytes_and_keeps_the_old_ones)
{
    read_from(30, 5);
    type("0123456789abcdefGHIJ");
    run_for(40);
    type("klm");
    run_for(10);
    ck_assert_str_eq(stream, "0123456789abcdef#klm");
}
END_TEST

START_TEST(an_overrun_in_front_of_another_error_is_told)
{
    read_from(30, IN);
    type("0123456789abcdef!gh");
    run_for(40);
    ck_assert_str_eq(stream, "0123456789abcdef#");
}
END_TEST

START_TEST(what_dma_has_written_over_is_an_overrun_and_not_read)
{
    for (uint16_t count = 1; count < 200; count++) {
        static char text[200], last[2] = "Z";

        memset(text, 'x', sizeof text);
        text[count] = '\0';
        open_port(true);
        read_from(count + 2u, IN);
        type(text);
        run_for(count + 5u);
        type(last);
        run_for(5);
        ck_assert_uint_eq(length, count < IN ? count + 1u : 2);
        ck_assert(stream[0] == (count < IN ? 'x' : '#'));
        ck_assert(stream[length - 1] == 'Z');
    }
}
END_TEST

/* Whether BYTES are a part of the line: a letter follows its predecessor. */
static bool is_part(const char *bytes, size_t count)
{
    for (size_t i = 1; i < count; i++)
        if (bytes[i] != '#' && bytes[i - 1] != '#' && bytes[i] != bytes[i - 1] + 1)
            return false;
    return true;
}

START_TEST(a_task_that_dma_overtakes_while_it_reads_gets_no_mixture)
{
    static char line[90];
    unsigned overruns = 0;

    for (size_t i = 0; i < sizeof line; i++)
        line[i] = (char)('$' + i);
    for (uint16_t races = 0; races < 8; races++)
        for (uint16_t burst = 1; burst < IN; burst++) {
            open_port(true);
            port.races = races;
            port.burst = burst;
            read_from(3, IN);
            uart_model_type(&port, line, sizeof line);
            run_for(100);
            ck_assert(is_part(stream, length));
            ck_assert(stream[length - 1] == '#' || stream[length - 1] == line[sizeof line - 1]);
            overruns += strchr(stream, '#') != NULL;
        }
    ck_assert_uint_gt(overruns, 5);
}
END_TEST

START_TEST(an_error_that_comes_while_a_task_takes_bytes_is_read_where_it_happened)
{
    static const char text[] = "ab!cdefg~hijkl!mnop";

    for (uint16_t races = 1; races < IN / 2; races++)
        for (pt_time late = 0; late < 4; late++)
            for (uint16_t size = 1; size <= IN; size++) {
                open_port(true);
                port.races = races;
                read_from(late, size);
                type(text);
                run_for(60);
                if (!strchr(stream, '#')) /* two errors can come at one look */
                    ck_assert_str_eq(stream, text);
                ck_assert(stream[length - 1] == 'p' || stream[length - 1] == '#');
            }
}
END_TEST

/* --- lines, and cancels -------------------------------------------------------------------- */

struct liner {
    struct pt pt;
    uint16_t size;
    const char *name;
    pt_time limit_ticks;
    struct pt_scope limit;
    struct uart_read_until line;
    uint8_t bytes[IN];
};

static PT_ASYNC(liner, self)
{
    PT_WITH_TIMEOUT(&self->limit, self->limit_ticks) {
        PT_WAIT_COMPLETE(&self->line, uart_read_until, .uart = &port.uart, .to = self->bytes,
                         .size = self->size, .until = '\n');
    }

    PT_FINALLY
    keep(self->bytes, self->line.got);
    if (self->name)
        note(self->name, pt_timed_out(&self->limit) ? "late" : pt_status_name(self->pt.status));
}
PT_END

static PT_TASK(liner) first, second;

#define READ_LINE(storage, ...)                                                                  \
    do {                                                                                         \
        memset(storage, 0, sizeof *(storage));                                                   \
        ck_assert_int_eq(                                                                        \
            PT_START(&loop, storage, liner, .limit_ticks = PT_DELAY_NEVER, __VA_ARGS__), PT_OK); \
    } while (0)

START_TEST(a_line_ends_with_its_delimiter_and_what_follows_is_left)
{
    READ_LINE(&first, .name = "first", .size = IN);
    READ_LINE(&second, .name = "second", .size = IN);
    port.burst = 12;
    type("get\nset 1\n.");
    run_for(5);
    ck_assert_str_eq(trace, "1 first PT_OK; 1 second PT_OK; ");
    ck_assert_str_eq(stream, "get\nset 1\n");
    read_from(0, IN);
    run_for(5);
    ck_assert_str_eq(stream, "get\nset 1\n.");
}
END_TEST

START_TEST(a_line_that_is_too_long_is_a_code_and_its_rest_is_left)
{
    READ_LINE(&first, .name = "first", .size = 4);
    type("abcd\n");
    run_for(10);
    ck_assert_str_eq(trace, "4 first PT_ERANGE; ");
    READ_LINE(&second, .name = "second", .size = 4);
    run_for(2);
    ck_assert_str_eq(trace, "4 first PT_ERANGE; 10 second PT_OK; ");
    ck_assert_str_eq(stream, "abcd\n");
}
END_TEST

START_TEST(a_read_that_ends_at_any_tick_loses_no_byte)
{
    static const char text[] = "0123456789ab\n";

    for (int dma = 0; dma < 2; dma++)
        for (int late = 0; late < 2; late++)
            for (pt_time limit = 0; limit < 16; limit++) {
                open_port(dma);
                hardware_is_late = late;
                READ_LINE(&first, .size = IN, .limit_ticks = limit);
                READ_LINE(&second, .size = IN);
                type(text);
                run_for(30);
                ck_assert_str_eq(stream, text);
                ck_assert(pt_task_done(&first.task));
                ck_assert(pt_task_done(&second.task) || limit > 12);
            }
}
END_TEST

START_TEST(no_byte_wakes_a_task_that_was_canceled)
{
    READ_LINE(&first, .size = IN);
    type("abc");
    run_for(2);
    pt_cancel(&first.task, PT_ECANCELED);
    run_for(1);
    ck_assert(pt_task_done(&first.task));
    memset((void *)&first, POISON, sizeof first);
    run_for(10);
    ck_assert(is_poison(&first, sizeof first));
    ck_assert_ptr_null(port.uart.in.lock.owner);
}
END_TEST

/* --- tasks that write ---------------------------------------------------------------------- */

static const char words[] = "The quick brown fox jumps over the lazy dog";
enum { WORDS_LENGTH = sizeof words - 1 };

struct writer {
    struct pt pt;
    const char *name;
    pt_time limit_ticks;
    struct pt_scope limit;
    struct uart_write write;
    struct uart_flush flush;
    char text[WORDS_LENGTH];
};

static PT_ASYNC(writer, self)
{
    memcpy(self->text, words, WORDS_LENGTH);
    PT_WITH_TIMEOUT(&self->limit, self->limit_ticks) {
        PT_WAIT_COMPLETE(&self->write, uart_write, .uart = &port.uart, .from = self->text,
                         .length = WORDS_LENGTH);
    }
    memset(self->text, POISON, sizeof self->text); /* somebody else's now */
    if (self->name) {
        note(self->name, "wrote");
        PT_WAIT_COMPLETE(&self->flush, uart_flush, .uart = &port.uart);
        ck_assert_uint_eq(port.sents % WORDS_LENGTH, 0);
        note(self->name, "sent");
    }
}
PT_END

static PT_TASK(writer) writers[2];

static void write_from(unsigned which, const char *name, pt_time limit)
{
    memset(&writers[which], 0, sizeof writers[which]);
    ck_assert_int_eq(PT_START(&loop, &writers[which], writer, .name = name, .limit_ticks = limit),
                     PT_OK);
}

START_TEST(a_text_longer_than_the_ring_goes_out_and_a_flush_ends_with_its_last_bit)
{
    for (int dma = 0; dma < 2; dma++) {
        open_port(dma);
        write_from(0, "task", PT_DELAY_NEVER);
        run_for(100);
        ck_assert_uint_eq(port.sents, WORDS_LENGTH);
        ck_assert(!memcmp(port.sent, words, WORDS_LENGTH));
        ck_assert_ptr_nonnull(strstr(trace, " task wrote; 43 task sent; "));
    }
}
END_TEST

START_TEST(a_uart_sends_from_a_write_to_its_last_bit_though_nobody_has_its_lock)
{
    for (int dma = 0; dma < 2; dma++) {
        unsigned ticks = 0, unlocked = 0;

        open_port(dma);
        ck_assert(!uart_sends(&port.uart));
        write_from(0, NULL, 20); /* a write that is cut off, too */
        run_for(1);
        for (; uart_sends(&port.uart); ticks++) {
            unlocked += !port.uart.out.lock.owner;
            run_for(1);
        }
        ck_assert(pt_task_done(&writers[0].task));
        ck_assert_uint_eq(port.sents, writers[0].frame.write.done);
        ck_assert_uint_ge(ticks + 1, port.sents);
        ck_assert_uint_ge(unlocked, OUT / 2);
    }
}
END_TEST

START_TEST(a_uart_at_rest_is_closed_and_opened_again_and_one_in_use_is_not)
{
    for (int round = 1; round < 3; round++) {
        write_from(0, NULL, PT_DELAY_NEVER);
        run_for(200);
        ck_assert_uint_eq(port.sents, (size_t)round * WORDS_LENGTH);
        uart_close(&port.uart);
        ck_assert(!pt_loop_posted(&loop));
        uart_model_open(&port, &loop, false);
    }
    write_from(0, NULL, PT_DELAY_NEVER);
    run_for(3);
    if (PT_DEBUG) {
        CHECK_PANICS(uart_close(&port.uart));
        ck_assert_str_eq(trace,
                         "403 uart_close it is in use: end what reads, and uart_flush first; ");
    }
}
END_TEST

START_TEST(two_tasks_write_one_behind_the_other_and_do_not_mix)
{
    for (int dma = 0; dma < 2; dma++) {
        open_port(dma);
        write_from(0, NULL, PT_DELAY_NEVER);
        write_from(1, NULL, PT_DELAY_NEVER);
        run_for(200);
        ck_assert_uint_eq(port.sents, 2 * WORDS_LENGTH);
        ck_assert(!memcmp(port.sent, words, WORDS_LENGTH));
        ck_assert(!memcmp(port.sent + WORDS_LENGTH, words, WORDS_LENGTH));
    }
}
END_TEST

START_TEST(a_write_that_ends_at_any_tick_tells_how_many_bytes_go_out)
{
    unsigned cut = 0;

    for (int dma = 0; dma < 2; dma++)
        for (int late = 0; late < 2; late++)
            for (pt_time limit = 0; limit < 50; limit++) {
                open_port(dma);
                hardware_is_late = late;
                write_from(0, NULL, limit);
                run_for(100);
                ck_assert(pt_task_done(&writers[0].task));
                ck_assert_uint_eq(port.sents, writers[0].frame.write.done);
                ck_assert(!memcmp(port.sent, words, port.sents));
                cut += port.sents < WORDS_LENGTH;
                ck_assert_ptr_null(port.uart.out.lock.owner);
            }
    ck_assert_uint_gt(cut, 2 * 2 * 30);
}
END_TEST

int main(void)
{
    static const TTest *const *const tests[] = {
        &each_byte_is_read_once_and_in_order_however_they_come,
        &dma_interrupts_at_a_half_and_when_the_line_is_idle,
        &what_goes_wrong_is_read_where_it_happened,
        &bytes_before_and_behind_an_error_are_kept_for_a_late_task,
        &a_second_error_before_the_first_is_read_is_an_overrun_and_empties_the_ring,
        &a_full_ring_loses_new_bytes_and_keeps_the_old_ones,
        &an_overrun_in_front_of_another_error_is_told,
        &what_dma_has_written_over_is_an_overrun_and_not_read,
        &a_task_that_dma_overtakes_while_it_reads_gets_no_mixture,
        &an_error_that_comes_while_a_task_takes_bytes_is_read_where_it_happened,
        &a_line_ends_with_its_delimiter_and_what_follows_is_left,
        &a_line_that_is_too_long_is_a_code_and_its_rest_is_left,
        &a_read_that_ends_at_any_tick_loses_no_byte,
        &no_byte_wakes_a_task_that_was_canceled,
        &a_text_longer_than_the_ring_goes_out_and_a_flush_ends_with_its_last_bit,
        &a_uart_sends_from_a_write_to_its_last_bit_though_nobody_has_its_lock,
        &a_uart_at_rest_is_closed_and_opened_again_and_one_in_use_is_not,
        &two_tasks_write_one_behind_the_other_and_do_not_mix,
        &a_write_that_ends_at_any_tick_tells_how_many_bytes_go_out,
    };

    return run_tests(tests, sizeof tests / sizeof *tests, open_by_interrupts);
}
