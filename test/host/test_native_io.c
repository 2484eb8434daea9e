/* test_native_io.c - the same operations in native tasks
 * SPDX-License-Identifier: MIT */
#include "host.h"

#include <pt/host/native_io.h>
#include <pt/host/process.h>

#include <errno.h>
#include <stdlib.h>

static char stacks[2][64 << 10];
static PT_TASK(pt_native) tasks[2];
static struct pt_io io, other;
static struct pt_workers workers;
static actor_task hearer;
static int ends[2];

static void start(int which, pt_native_function *function)
{
    ck_assert_int_eq(PT_START(&host.loop, &tasks[which], pt_native, .function = function,
                              .stack = stacks[which], .bytes = sizeof stacks[which]),
                     PT_OK);
}

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

static pt_status serve(struct pt_native *self)
{
    struct pt_writer out;
    char data[16];
    size_t got;
    pt_status status;

    pt_writer_init(&out, pt_io_stream(&io), NULL, 0);
    while ((status = pt_native_read(self, &io, data, sizeof data, &got)) == PT_OK &&
           (status = pt_native_write_all(self, &out, data, got)) == PT_OK)
        trace_add("%.*s ", (int)got, data);
    trace_add("serve:%s ", pt_status_name(status) + 3);
    pt_io_close(&io);
    return status;
}

static pt_status ask(struct pt_native *self)
{
    struct iovec parts[2];
    char data[8], room[32], newline[] = "\n", *text;
    struct pt_reader in;
    size_t moved, length;

    ck_assert_int_eq(pt_native_write(self, &other, "ping", 4, &moved), PT_OK);
    ck_assert_int_eq(pt_native_wait_readable(self, &other), PT_OK);
    pt_reader_init(&in, pt_io_stream(&other), room, sizeof room);
    ck_assert_int_eq(pt_native_read_exactly(self, &in, data, 4), PT_OK);
    ck_assert(!memcmp(data, "ping", 4));
    parts[0].iov_base = data, parts[0].iov_len = 4;
    parts[1].iov_base = newline, parts[1].iov_len = 1;
    ck_assert_int_eq(pt_native_wait_writable(self, &other), PT_OK);
    ck_assert_int_eq(pt_native_writev(self, &other, parts, 2, &moved), PT_OK);
    ck_assert_int_eq(pt_native_read_line(self, &in, &text, &length), PT_OK);
    ck_assert_str_eq(text, "ping");
    return pt_native_finish(self, &other);
}

START_TEST(a_server_and_its_client_in_straight_lines)
{
    open_both(_i);
    start(0, serve);
    start(1, ask);
    host_run();
    ck_assert_trace("ping ping\n serve:ECLOSED ");
    ck_assert_int_eq(pt_task_status(&tasks[1].task), PT_OK);
    close_both();
}
END_TEST

/* Reads a head of lines up to an empty one, then a body, as long as the head says. */
static pt_status serve_bodies(struct pt_native *self)
{
    struct pt_reader in;
    struct pt_writer out;
    char room[64], text[16], body[32], *head;
    const char *next;
    size_t length;

    pt_reader_init(&in, pt_io_stream(&io), room, sizeof room);
    pt_writer_init(&out, pt_io_stream(&io), text, sizeof text);
    while (pt_native_peek(self, &in, 1, &next, &length) == PT_OK) {
        ck_assert_int_eq(*next, 'P');
        if (pt_native_read_until(self, &in, "\n\n", &head, &length) != PT_OK)
            break;
        length = (size_t)atoi(strchr(head, ':') + 1);
        if (pt_native_read_exactly(self, &in, body, length) != PT_OK)
            break;
        pt_native_printf(self, &out, "%zu: %.*s\n", length, (int)length, body);
    }
    return pt_native_flush(self, &out);
}

START_TEST(a_head_and_a_body_are_read_by_one_reader_and_replies_are_printed)
{
    open_both(_i);
    start(0, serve_bodies);
    host_put(ends[1], "POST\nlength:5\n");
    host_run();
    host_put(ends[1], "\n1\n\n45POST\nlen");
    host_run();
    host_put(ends[1], "gth:3\n\nabcPOST\nlength:4\n\nP\n\n");
    host_run();
    pt_io_shutdown(&other, SHUT_WR);
    host_run();
    ck_assert_int_eq(pt_task_status(&tasks[0].task), PT_OK);
    host_start(&hearer, 'H', &other, "r");
    host_run();
    ck_assert_trace("Hr:5: 1\n\n45\n3: abc\n@0 ");
    close_both();
}
END_TEST

static pt_status print_halves(struct pt_native *self)
{
    char text[8];
    struct pt_writer out;
    pt_status status = PT_OK;

    pt_writer_init(&out, pt_io_stream(&io), text, sizeof text);
    for (int i = 0; i < 3 && status == PT_OK; i++)
        status = pt_native_printf(self, &out, "%s", "half");
    return status == PT_OK ? pt_native_flush(self, &out) : status;
}

START_TEST(a_text_of_half_of_the_buffer_always_fits_in_a_native_task)
{
    open_both(_i);
    start(0, print_halves);
    host_run();
    ck_assert_int_eq(pt_task_status(&tasks[0].task), PT_OK);
    host_start(&hearer, 'H', &other, "r");
    host_run();
    ck_assert_trace("Hr:halfhalfhalf@0 ");
    close_both();
}
END_TEST

static pt_status wait_in_vain(struct pt_native *self)
{
    struct iovec part;
    struct pt_scope limit;
    char data[8];
    size_t got;
    pt_status status;

    part.iov_base = data, part.iov_len = sizeof data;
    ck_assert_int_eq(pt_native_timeout(self, &limit, PT_MS(20)), PT_OK);
    status = pt_native_readv(self, &io, &part, 1, &got);
    trace_add("%s:%d@%d ", pt_status_name(status) + 3, pt_native_timeout_end(self, &limit),
              host_ms(pt_native_now(self)));
    return pt_native_read(self, &io, data, sizeof data, &got);
}

START_TEST(a_timeout_a_close_and_a_cancel_end_a_native_read)
{
    open_both(_i);
    start(0, wait_in_vain);
    host_run();
    pt_cancel(&tasks[0].task, PT_ECANCELED);
    host_run();
    ck_assert_int_eq(pt_task_status(&tasks[0].task), PT_ECANCELED);
    start(1, wait_in_vain);
    host_run();
    pt_io_close(&io);
    host_run();
    ck_assert_int_eq(pt_task_status(&tasks[1].task), PT_ECLOSED);
    ck_assert_trace("ETIMEDOUT:1@20 ETIMEDOUT:1@40 ");
    close_both();
}
END_TEST

static struct sockaddr_un name;

static pt_status take_one(struct pt_native *self)
{
    struct pt_io peer;
    pt_status status = pt_native_accept(self, &io, &peer);

    if (status == PT_OK)
        status = pt_native_finish(self, &peer);
    return status;
}

static pt_status call_it(struct pt_native *self)
{
    pt_status status =
        pt_native_connect(self, &other, (const struct sockaddr *)(const void *)&name, sizeof name);

    return status == PT_OK ? pt_native_finish(self, &other) : status;
}

START_TEST(a_native_task_accepts_the_connection_of_another)
{
    memset(&name, 0, sizeof name);
    name.sun_family = AF_UNIX;
    snprintf(name.sun_path + 1, sizeof name.sun_path - 1, "pt-native-%d", (int)getpid());
    host_open(host_pollers[_i]);
    ck_assert_int_eq(pt_listen(&io, &host.system, (const struct sockaddr *)(const void *)&name,
                               sizeof name, false),
                     PT_OK);
    ck_assert_int_eq(pt_socket(&other, &host.system, AF_UNIX, SOCK_STREAM, 0), PT_OK);
    start(0, take_one);
    start(1, call_it);
    host_run();
    ck_assert_int_eq(pt_task_status(&tasks[0].task), PT_OK);
    ck_assert_int_eq(pt_task_status(&tasks[1].task), PT_OK);
    close_both();
}
END_TEST

static void add_one(void *argument)
{
    ++*(int *)argument;
}

static pt_status talk(struct pt_native *self)
{
    struct sockaddr_storage from;
    char data[8];
    size_t got;
    int number = 0;

    ck_assert_int_eq(pt_native_sendto(self, &io, "one", 3, NULL, 0), PT_OK);
    ck_assert_int_eq(pt_native_recvfrom(self, &other, data, sizeof data, &got, &from), PT_OK);
    ck_assert_uint_eq(got, 3);
    host.patient = true;
    ck_assert_int_eq(pt_native_blocking(self, &workers, add_one, &number), PT_OK);
    ck_assert_int_eq(number, 1);
    return PT_OK;
}

START_TEST(a_native_task_sends_datagrams_and_makes_blocking_calls)
{
    open_both(_i);
    pt_io_close(&io);
    pt_io_close(&other);
    ck_assert_int_eq(socketpair(AF_UNIX, SOCK_DGRAM, 0, ends), 0);
    ck_assert_int_eq(pt_io_open(&io, &host.system, ends[0]), PT_OK);
    ck_assert_int_eq(pt_io_open(&other, &host.system, ends[1]), PT_OK);
    ck_assert_int_eq(pt_workers_open(&workers, &host.system, 1), PT_OK);
    start(0, talk);
    host_run();
    ck_assert_int_eq(pt_task_status(&tasks[0].task), PT_OK);
    pt_workers_close(&workers);
    close_both();
}
END_TEST

static struct pt_signals signals;

static pt_status obey(struct pt_native *self)
{
    struct pt_wait_process end;
    const char *const words[] = {"sh", "-c", "exit 3", NULL};
    struct pt_process child = {.words = words};
    int number;

    ck_assert_int_eq(pt_native_wait_signal(self, &signals, &number), PT_OK);
    ck_assert_int_eq(number, SIGUSR1);
    host.patient = true;
    ck_assert_int_eq(pt_process_start(&child, &host.system), PT_OK);
    ck_assert_int_eq(
        pt_native_call(self, &end, pt_wait_process, .system = &host.system, .pid = child.pid),
        PT_EFAILED);
    ck_assert_int_eq(end.code, 3);
    return PT_OK;
}

START_TEST(a_native_task_waits_for_a_signal_and_for_a_child)
{
    open_both(_i);
    ck_assert_int_eq(pt_signals_open(&signals, &host.system), PT_OK);
    ck_assert_int_eq(pt_signals_watch(&signals, SIGUSR1), PT_OK);
    start(0, obey);
    host_run();
    raise(SIGUSR1);
    host_run();
    ck_assert_int_eq(pt_task_status(&tasks[0].task), PT_OK);
    pt_signals_close(&signals);
    close_both();
}
END_TEST

/* The frame is a local variable, and its other fields are not initialized. */
static pt_status look_up(struct pt_native *self)
{
    struct pt_resolve lookup;
    pt_status status;

    memset(&lookup, 0xa5, sizeof lookup);
    status = pt_native_resolve(self, &lookup, .system = &host.system, .host = "127.1.2.3");
    if (status == PT_OK)
        ck_assert_int_eq(lookup.count, 1);
    else
        ck_assert_int_eq(lookup.error, ENOSYS); /* built without c-ares */
    return PT_OK;
}

START_TEST(a_native_task_looks_up_a_name_with_a_frame_in_a_local_variable)
{
    host_open(host_pollers[_i]);
    start(0, look_up);
    host_run();
    ck_assert_int_eq(pt_task_status(&tasks[0].task), PT_OK);
    host_close();
}
END_TEST

/* What need not wait does its work; what must, returns CODE and takes nothing. */
static void read_and_write(struct pt_native *self, pt_status code)
{
    char data[8] = "", room[32], *text;
    struct pt_reader in, bare;
    struct pt_writer out;
    size_t moved, length;
    int number = 0;

    host_put(ends[1], "abcdefgh\nxyz");
    raise(SIGUSR1);
    ck_assert_int_eq(pt_native_read(self, &io, data, 1, &moved), PT_OK);
    pt_reader_init(&bare, pt_io_stream(&io), NULL, 0);
    pt_writer_init(&out, pt_io_stream(&io), NULL, 0);
    ck_assert_int_eq(pt_native_read_exactly(self, &bare, data + 1, 2), PT_OK);
    pt_reader_init(&in, pt_io_stream(&io), room, sizeof room);
    ck_assert_int_eq(pt_native_read_line(self, &in, &text, &length), PT_OK);
    trace_add("%s %s ", data, text);
    ck_assert_int_eq(pt_native_read_line(self, &in, &text, &length), code);
    ck_assert_uint_eq(pt_reader_take(&in, data, sizeof data), 3);
    ck_assert(!memcmp(data, "xyz", 3));
    ck_assert_int_eq(pt_native_read_exactly(self, &bare, data, 1), code);
    ck_assert_int_eq(pt_native_wait_writable(self, &io), PT_OK);
    ck_assert_int_eq(pt_native_write_all(self, &out, "w", 1), PT_OK);
    ck_assert_int_eq(read(ends[1], data, sizeof data), 1);
    ck_assert_int_eq(pt_native_wait_signal(self, &signals, &number), PT_OK);
    ck_assert_int_eq(number, SIGUSR1);
    ck_assert_int_eq(pt_native_wait_signal(self, &signals, &number), code);
}

static pt_status read_too_late(struct pt_native *self)
{
    struct pt_scope limit;

    ck_assert_int_eq(pt_native_timeout(self, &limit, PT_MS(1)), PT_OK);
    ck_assert_int_eq(pt_native_park(self), PT_ETIMEDOUT);
    read_and_write(self, PT_ETIMEDOUT);
    ck_assert(pt_native_timeout_end(self, &limit));
    return PT_OK;
}

static pt_status read_when_canceled(struct pt_native *self)
{
    pt_cancel(self->task, PT_ECANCELED);
    read_and_write(self, PT_ECANCELED);
    return PT_OK;
}

START_TEST(a_native_block_that_is_over_still_reads_what_is_there_and_loses_no_byte)
{
    for (int canceled = 0; canceled < 2; canceled++) {
        open_both(_i);
        ck_assert_int_eq(pt_signals_open(&signals, &host.system), PT_OK);
        ck_assert_int_eq(pt_signals_watch(&signals, SIGUSR1), PT_OK);
        start(0, canceled ? read_when_canceled : read_too_late);
        host_run();
        ck_assert_trace("abc defgh ");
        pt_signals_close(&signals);
        close_both();
    }
}
END_TEST

Suite *host_suite_native_io(void)
{
    Suite *suite = suite_create("native_io");

    host_test(suite, a_server_and_its_client_in_straight_lines);
    host_test(suite, a_native_task_looks_up_a_name_with_a_frame_in_a_local_variable);
    host_test(suite, a_native_block_that_is_over_still_reads_what_is_there_and_loses_no_byte);
    host_test(suite, a_timeout_a_close_and_a_cancel_end_a_native_read);
    host_test(suite, a_head_and_a_body_are_read_by_one_reader_and_replies_are_printed);
    host_test(suite, a_text_of_half_of_the_buffer_always_fits_in_a_native_task);
    host_test(suite, a_native_task_accepts_the_connection_of_another);
    host_test(suite, a_native_task_waits_for_a_signal_and_for_a_child);
    host_test(suite, a_native_task_sends_datagrams_and_makes_blocking_calls);
    return suite;
}
