/* test_stream.c - exact reads and complete writes, graceful close; a select over descriptors
 * SPDX-License-Identifier: MIT */
#include "host.h"

#include <pt/host/stream.h>
#include <pt/inspect.h>

#include <stdlib.h>

static actor_task a;
static struct pt_io io, other;
static struct pt_writer out;
static struct pt_reader in;
static int ends[2];

static void open_both(int poller)
{
    host_open(host_pollers[poller]);
    host_pair(ends);
    ck_assert_int_eq(pt_io_open(&io, &host.system, ends[0]), PT_OK);
    ck_assert_int_eq(pt_io_open(&other, &host.system, ends[1]), PT_OK);
    pt_writer_init(&out, pt_io_stream(&io), NULL, 0);
    pt_reader_init(&in, pt_io_stream(&other), NULL, 0);
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
    char *sent = malloc(MUCH), *got = calloc(1, MUCH);

    for (int i = 0; i < MUCH; i++)
        sent[i] = (char)(i * 7 + i / 256);
    open_both(_i);
    PT_START(&host.loop, &writer, pt_write_all, .writer = &out, .data = sent, .size = MUCH);
    PT_START(&host.loop, &reader, pt_read_exactly, .reader = &in, .data = got, .size = MUCH);
    host_run();
    ck_assert_int_eq(pt_task_status(&writer.task), PT_OK);
    ck_assert_int_eq(pt_task_status(&reader.task), PT_OK);
    ck_assert_uint_eq(reader.frame.got, MUCH);
    ck_assert(!memcmp(got, sent, MUCH));
    free(got);
    free(sent);
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
    char got[1];

    open_both(_i);
    host.patient = false;
    pt_reader_init(&in, pt_io_stream(&io), NULL, 0);
    PT_START(&host.loop, &reader, pt_read_exactly, .reader = &in, .data = got, .size = 1);
    host_run();
    trace_take();
    pt_dump_task(&reader.task, 0, print, NULL);
    dumped = trace_take();
    ck_assert_ptr_nonnull(strstr(dumped, "at pt_read_exactly ("));
    ck_assert_ptr_nonnull(strstr(dumped, "lib/host/io/reader.c:"));
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
    char got[16];

    open_both(_i);
    host_put(ends[1], "short");
    pt_io_close(&other);
    pt_reader_init(&in, pt_io_stream(&io), NULL, 0);
    PT_START(&host.loop, &reader, pt_read_exactly, .reader = &in, .data = got, .size = sizeof got);
    host_run();
    ck_assert_int_eq(pt_task_status(&reader.task), PT_ECLOSED);
    ck_assert_uint_eq(reader.frame.got, 5);
    close_both();
}
END_TEST

START_TEST(a_side_that_never_reads_stops_the_writer_and_nothing_is_stored)
{
    static PT_TASK(pt_write_all) writer;
    char *sent = calloc(1, 8 * MUCH);

    open_both(_i);
    PT_START(&host.loop, &writer, pt_write_all, .writer = &out, .data = sent, .size = 8 * MUCH);
    host_run();
    ck_assert(pt_task_alive(&writer.task));
    ck_assert_uint_lt(writer.frame.put, 8 * MUCH);
    pt_cancel(&writer.task, PT_ECANCELED);
    host_run();
    ck_assert(!pt_task_alive(&writer.task));
    free(sent);
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
    host_test(suite, a_graceful_close_waits_until_the_other_side_has_closed);
    host_test(suite, a_graceful_close_that_is_canceled_closes);
    host_test(suite, a_select_can_wait_for_descriptors);
    host_test(suite, a_select_waits_for_room_to_write);
    return suite;
}
