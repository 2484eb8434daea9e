/* test_stream.c - exact reads and complete writes, lines, graceful close; a select over descriptors
 * SPDX-License-Identifier: MIT */
#include "host.h"

#include <pt/host/stream.h>
#include <pt/inspect.h>

#include <stdlib.h>

static actor_task a;
static struct pt_io io, other;
static int ends[2];

static void open_both(int poller)
{
    host_open(host_pollers[poller]);
    host_pair(ends);
    ck_assert_int_eq(pt_io_open(&io, &host.system, ends[0]), PT_OK);
    ck_assert_int_eq(pt_io_open(&other, &host.system, ends[1]), PT_OK);
}

static void close_both(void)
{
    pt_io_close(&io);
    pt_io_close(&other);
    host_run();
    host_close();
}

/* --- all of it ------------------------------------------------------------------------------- */

enum { MUCH = 1 << 20 };

START_TEST(a_megabyte_arrives_in_order_however_it_is_cut)
{
    static PT_TASK(pt_write_all) writer;
    static PT_TASK(pt_read_exactly) reader;
    char *out = malloc(MUCH), *in = calloc(1, MUCH);

    for (int i = 0; i < MUCH; i++)
        out[i] = (char)(i * 7 + i / 256);
    open_both(_i);
    PT_START(&host.loop, &writer, pt_write_all, .io = &io, .data = out, .size = MUCH);
    PT_START(&host.loop, &reader, pt_read_exactly, .io = &other, .data = in, .size = MUCH);
    host_run();
    ck_assert_int_eq(pt_task_status(&writer.task), PT_OK);
    ck_assert_int_eq(pt_task_status(&reader.task), PT_OK);
    ck_assert_uint_eq(reader.frame.got, MUCH);
    ck_assert(!memcmp(in, out, MUCH));
    free(in);
    free(out);
    close_both();
}
END_TEST

#if PT_SITE_FITS_
static void print(void *context, const char *text)
{
    (void)context;
    trace_add("%s", text);
}

/* This program may have no lines of its own; libpt, as it is installed, has its own. */
START_TEST(a_dump_names_the_line_of_a_function_of_libpt)
{
    static PT_TASK(pt_read_exactly) reader;
    const char *dumped;
    char in[1];

    open_both(_i);
    host.patient = false;
    PT_START(&host.loop, &reader, pt_read_exactly, .io = &io, .data = in, .size = 1);
    host_run();
    trace_take();
    pt_dump_task(&reader.task, 0, print, NULL);
    dumped = trace_take();
    ck_assert_ptr_nonnull(strstr(dumped, "at pt_read_exactly ("));
    ck_assert_ptr_nonnull(strstr(dumped, "lib/host/io/stream.c:"));
    host.patient = true;
    host_put(ends[1], "x");
    host_run();
    close_both();
}
END_TEST
#endif

START_TEST(a_stream_that_ends_too_early_returns_how_much_was_read)
{
    static PT_TASK(pt_read_exactly) reader;
    char in[16];

    open_both(_i);
    host_put(ends[1], "short");
    pt_io_close(&other);
    PT_START(&host.loop, &reader, pt_read_exactly, .io = &io, .data = in, .size = sizeof in);
    host_run();
    ck_assert_int_eq(pt_task_status(&reader.task), PT_ECLOSED);
    ck_assert_uint_eq(reader.frame.got, 5);
    close_both();
}
END_TEST

START_TEST(a_side_that_never_reads_stops_the_writer_and_nothing_is_stored)
{
    static PT_TASK(pt_write_all) writer;
    char *out = calloc(1, 8 * MUCH);

    open_both(_i);
    PT_START(&host.loop, &writer, pt_write_all, .io = &io, .data = out, .size = 8 * MUCH);
    host_run();
    ck_assert(pt_task_alive(&writer.task));
    ck_assert_uint_lt(writer.frame.put, 8 * MUCH);
    pt_cancel(&writer.task, PT_ECANCELED);
    host_run();
    ck_assert(!pt_task_alive(&writer.task));
    free(out);
    close_both();
}
END_TEST

/* --- lines ----------------------------------------------------------------------------------- */

struct lines {
    struct pt pt;
    struct pt_reader in;
    struct pt_read_line line;
    char room[8];
};

static PT_ASYNC(lines, self)
{
    pt_reader_init(&self->in, &io, self->room, sizeof self->room);
    do {
        PT_WAIT_COMPLETE(&self->line, pt_read_line, .reader = &self->in);
        if (self->pt.status == PT_OK)
            trace_add("%s(%d) ", self->line.text, (int)self->line.length);
        else
            trace_add("%s ", pt_status_name(self->pt.status) + 3);
    } while (self->pt.status != PT_ECLOSED);
}
PT_END

static void expect_lines(int poller, const char *const *parts, const char *told)
{
    static PT_TASK(lines) task;

    open_both(poller);
    PT_START(&host.loop, &task, lines);
    for (; *parts; parts++) {
        host_put(ends[1], *parts);
        host_run();
    }
    pt_io_close(&other);
    host_run();
    ck_assert_trace(told);
    close_both();
}

START_TEST(lines_are_cut_at_newlines_not_at_reads)
{
    static const char *const parts[] = {"on", "e\ntwo", "\n\nfo", "ur", NULL};

    expect_lines(_i, parts, "one(3) two(3) (0) four(4) ECLOSED ");
}
END_TEST

START_TEST(a_line_that_is_too_long_is_an_error_and_the_next_one_is_read)
{
    static const char *const parts[] = {"12345678", "\nok\n", "1234567\n", NULL};

    expect_lines(_i, parts, "ERANGE (0) ok(2) 1234567(7) ECLOSED ");
}
END_TEST

START_TEST(data_after_a_line_can_be_taken)
{
    static PT_TASK(pt_read_line) task;
    struct pt_reader in;
    char room[16], rest[8];

    open_both(_i);
    pt_reader_init(&in, &io, room, sizeof room);
    host_put(ends[1], "head\nbody");
    PT_START(&host.loop, &task, pt_read_line, .reader = &in);
    host_run();
    ck_assert_str_eq(task.frame.text, "head");
    ck_assert_uint_eq(pt_reader_take(&in, rest, 3), 3);
    ck_assert_uint_eq(pt_reader_take(&in, rest + 3, 5), 1);
    ck_assert(!memcmp(rest, "body", 4));
    close_both();
}
END_TEST

/* --- the end --------------------------------------------------------------------------------- */

START_TEST(a_graceful_close_waits_until_the_other_side_has_closed)
{
    static PT_TASK(pt_finish) task;
    char data[8];

    open_both(_i);
    PT_START(&host.loop, &task, pt_finish, .io = &io);
    host_run();
    ck_assert_int_eq(recv(ends[1], data, sizeof data, MSG_DONTWAIT), 0);
    host_put(ends[1], "late");
    host_run();
    ck_assert(pt_task_alive(&task.task));
    pt_io_close(&other);
    host_run();
    ck_assert_int_eq(pt_task_status(&task.task), PT_OK);
    ck_assert_int_eq(io.fd, -1);
    close_both();
}
END_TEST

START_TEST(a_graceful_close_that_is_canceled_closes)
{
    static PT_TASK(pt_finish) task;

    open_both(_i);
    PT_START(&host.loop, &task, pt_finish, .io = &io);
    host_run();
    pt_cancel(&task.task, PT_ECANCELED);
    host_run();
    ck_assert_int_eq(pt_task_status(&task.task), PT_ECANCELED);
    ck_assert_int_eq(io.fd, -1);
    close_both();
}
END_TEST

/* --- whichever comes first --------------------------------------------------------------------- */

struct choose {
    struct pt pt;
    PT_SELECTION(3) next;
    int times;
};

static PT_ASYNC(choose, self)
{
    while (self->times--) {
        PT_SELECT(&self->next, PT_CASE_READABLE(&io), PT_CASE_READABLE(&other),
                  PT_CASE_AFTER(PT_MS(5)));
        trace_add("%d:%s@%d ", PT_SELECTED(&self->next), pt_status_name(self->pt.status) + 3,
                  host_ms(PT_NOW()));
        if (PT_SELECTED(&self->next) == 2)
            host_put(io.fd, "x");
        if (PT_SELECTED(&self->next) == 1)
            pt_io_close(&io);
    }
}
PT_END

START_TEST(a_select_can_wait_for_descriptors)
{
    static PT_TASK(choose) task;

    open_both(_i);
    PT_START(&host.loop, &task, choose, .times = 3);
    host_run();
    ck_assert_trace("2:OK@5 1:OK@5 0:ECLOSED@5 ");
    close_both();
}
END_TEST

struct choose_to_write {
    struct pt pt;
    PT_SELECTION(1) next;
};

static PT_ASYNC(choose_to_write, self)
{
    PT_SELECT(&self->next, PT_CASE_WRITABLE(&io));
    trace_add("writable@%d ", host_ms(PT_NOW()));
}
PT_END

START_TEST(a_select_waits_for_room_to_write)
{
    static PT_TASK(choose_to_write) task;
    char block[4096] = {0};

    open_both(_i);
    while (write(ends[0], block, sizeof block) > 0) {
    }
    PT_START(&host.loop, &task, choose_to_write);
    host_run();
    ck_assert_trace("");
    while (read(ends[1], block, sizeof block) > 0) {
    }
    host_run();
    ck_assert_trace("writable@0 ");
    host_start(&a, 'A', &io, "w");
    host_run();
    ck_assert_trace("Aw:5@0 ");
    close_both();
}
END_TEST

Suite *host_suite_stream(void)
{
    Suite *suite = suite_create("stream");

    host_test(suite, a_megabyte_arrives_in_order_however_it_is_cut);
#if PT_SITE_FITS_
    host_test(suite, a_dump_names_the_line_of_a_function_of_libpt);
#endif
    host_test(suite, a_stream_that_ends_too_early_returns_how_much_was_read);
    host_test(suite, a_side_that_never_reads_stops_the_writer_and_nothing_is_stored);
    host_test(suite, lines_are_cut_at_newlines_not_at_reads);
    host_test(suite, a_line_that_is_too_long_is_an_error_and_the_next_one_is_read);
    host_test(suite, data_after_a_line_can_be_taken);
    host_test(suite, a_graceful_close_waits_until_the_other_side_has_closed);
    host_test(suite, a_graceful_close_that_is_canceled_closes);
    host_test(suite, a_select_can_wait_for_descriptors);
    host_test(suite, a_select_waits_for_room_to_write);
    return suite;
}
