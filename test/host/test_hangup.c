/* test_hangup.c - waiting for a hang-up of the other side, without a read
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "host.h"

#include <pt/host/native_io.h>

#include <netinet/in.h>
#include <stdlib.h>

static actor_task a, b;
static struct pt_io io;
static int ends[2];

static void open_pair(int poller)
{
    host_open(host_pollers[poller]);
    host_pair(ends);
    ck_assert_int_eq(pt_io_open(&io, &host.system, ends[0]), PT_OK);
}

static void close_pair(void)
{
    pt_io_close(&io);
    host_run();
    host_close();
}

START_TEST(a_wait_for_the_hang_up_ends_when_the_other_side_closes)
{
    open_pair(_i);
    host_start(&a, 'A', &io, "HHr");
    host_run();
    ck_assert_trace("");
    close(ends[1]);
    host_run();
    ck_assert_trace("AH@0 AH@0 Ar:ECLOSED@0 "); /* it stays true */
    close_pair();
}
END_TEST

START_TEST(a_hang_up_before_the_wait_is_reported_at_once)
{
    open_pair(_i);
    close(ends[1]);
    host_start(&a, 'A', &io, "H");
    host_turns(1);
    ck_assert_trace("AH@0 ");
    close_pair();
}
END_TEST

START_TEST(unread_data_neither_hides_nor_causes_a_hang_up)
{
    open_pair(_i);
    host_put(ends[1], "left");
    host_start(&a, 'A', &io, "H");
    host_run();
    host_put(ends[1], "over");
    host_start(&b, 'B', NULL, "s");
    host_run();
    ck_assert_trace("Bs@5 ");
    ck_assert_int_le(host.waits, 5); /* the loop does not spin either */
#ifndef PT_PLAIN_UNIX                /* which does not report hang-ups */
    close(ends[1]);
    host_run();
    ck_assert_trace("AH@5 ");
#else
    pt_cancel(&a.task, PT_ECANCELED);
#endif
    host_start(&b, 'B', &io, "r");
    host_run();
    ck_assert_trace("Br:leftover@5 ");
    close_pair();
}
END_TEST

START_TEST(a_reader_and_a_task_that_waits_for_the_hang_up_each_get_their_event)
{
    open_pair(_i);
    host_start(&a, 'A', &io, "rr");
    host_start(&b, 'B', &io, "H");
    host_run();
    host_put(ends[1], "ping");
    host_run();
    ck_assert_trace("Ar:ping@0 ");
    close(ends[1]);
    host_run();
    ck_assert_trace("Ar:ECLOSED@0 BH@0 ");
    close_pair();
}
END_TEST

START_TEST(a_side_that_shuts_down_writing_has_hung_up_but_can_still_be_written_to)
{
    char data[8];

    open_pair(_i);
    host_start(&a, 'A', &io, "Hw");
    host_run();
    ck_assert_int_eq(shutdown(ends[1], SHUT_WR), 0);
    host_run();
    ck_assert_trace("AH@0 Aw:5@0 ");
    ck_assert_int_eq(read(ends[1], data, sizeof data), 5);
    close(ends[1]);
    close_pair();
}
END_TEST

START_TEST(shutting_down_our_own_writing_is_not_a_hang_up)
{
    open_pair(_i);
    host_start(&a, 'A', &io, "H");
    host_run();
    ck_assert_int_eq(pt_io_shutdown(&io, SHUT_WR), PT_OK);
    host_run();
    ck_assert_trace("");
    close(ends[1]);
    host_run();
    ck_assert_trace("AH@0 ");
    close_pair();
}
END_TEST

START_TEST(a_wait_for_the_hang_up_ends_when_our_side_closes_or_at_a_cancel)
{
    open_pair(_i);
    host_start(&a, 'A', &io, "H");
    host_start(&b, 'B', &io, "H");
    host_run();
    pt_cancel(&a.task, PT_ECANCELED);
    host_run();
    ck_assert(!pt_task_alive(&a.task));
    pt_io_close(&io);
    host_start(&a, 'A', &io, "H");
    host_run();
    ck_assert_trace("BH:ECLOSED@0 AH:ECLOSED@0 ");
    close(ends[1]);
    close_pair();
}
END_TEST

START_TEST(a_pipe_hangs_up_its_writer_when_the_last_reader_closes)
{
    host_open(host_pollers[_i]);
    ck_assert_int_eq(pipe(ends), 0);
    ck_assert_int_eq(pt_io_open(&io, &host.system, ends[1]), PT_OK);
    host_start(&a, 'A', &io, "H");
    host_run();
    ck_assert_trace("");
    close(ends[0]);
    host_run();
    ck_assert_trace("AH@0 ");
    close_pair();
}
END_TEST

START_TEST(a_file_never_hangs_up)
{
    char path[] = "/tmp/pt-host-XXXXXX";

    host_open(host_pollers[_i]);
    ck_assert_int_eq(pt_io_open(&io, &host.system, mkstemp(path)), PT_OK);
    host_start(&a, 'A', &io, "H");
    host_run();
    ck_assert_trace("");
    unlink(path);
    close_pair();
}
END_TEST

#ifdef __linux__
START_TEST(a_stream_socket_that_was_never_connected_is_hung_up)
{
    host_open(host_pollers[_i]);
    ck_assert_int_eq(pt_socket(&io, &host.system, AF_INET, SOCK_STREAM, 0), PT_OK);
    host_start(&a, 'A', &io, "H");
    host_run();
    ck_assert_trace("AH@0 ");
    close_pair();
}
END_TEST

START_TEST(a_socket_of_datagrams_is_hung_up_only_if_this_side_shuts_down_reading)
{
    host_open(host_pollers[_i]);
    ck_assert_int_eq(socketpair(AF_UNIX, SOCK_DGRAM, 0, ends), 0);
    ck_assert_int_eq(pt_io_open(&io, &host.system, ends[0]), PT_OK);
    host_start(&a, 'A', &io, "H");
    host_run();
    ck_assert_int_eq(pt_io_shutdown(&io, SHUT_WR), PT_OK);
    close(ends[1]);
    host_run();
    ck_assert_trace("");
    ck_assert_int_eq(pt_io_shutdown(&io, SHUT_RD), PT_OK);
    host_run();
    ck_assert_trace("AH@0 ");
    close_pair();
}
END_TEST
#endif

START_TEST(a_datagram_that_is_refused_is_not_a_hang_up)
{
    struct sockaddr_in name;
    socklen_t length = sizeof name;
    int closed = socket(AF_INET, SOCK_DGRAM, 0);

    memset(&name, 0, sizeof name);
    name.sin_family = AF_INET;
    name.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    ck_assert_int_eq(bind(closed, (struct sockaddr *)(void *)&name, length), 0);
    ck_assert_int_eq(getsockname(closed, (struct sockaddr *)(void *)&name, &length), 0);
    close(closed);
    host_open(host_pollers[_i]);
    ck_assert_int_eq(pt_socket(&io, &host.system, AF_INET, SOCK_DGRAM, 0), PT_OK);
    host_start(&a, 'A', &io, "H");
    host_turns(20);
    ck_assert_trace(""); /* it is not connected */
    ck_assert_int_eq(connect(io.fd, (struct sockaddr *)(void *)&name, length), 0);
    host_put(io.fd, "x");
    host_turns(20);
    ck_assert_trace("");
    ck_assert(host.stuck || host_ms(host.now) >= 50); /* it does not spin */
    host_start(&b, 'B', &io, "r");
    host_turns(20);
    ck_assert_ptr_nonnull(strstr(trace_take(), "Br:EIO@"));
    pt_io_close(&io);
    host_run();
    ck_assert_ptr_nonnull(strstr(trace_take(), "AH:ECLOSED@"));
    host_close();
}
END_TEST

START_TEST(a_reset_connection_has_hung_up)
{
    const struct linger none = {1, 0};

    host_open(host_pollers[_i]);
    host_tcp_pair(ends);
    ck_assert_int_eq(pt_io_open(&io, &host.system, ends[0]), PT_OK);
    host_start(&a, 'A', &io, "H");
    host_turns(2);
    ck_assert_trace("");
    host.patient = true; /* only from now on do events come from outside */
    setsockopt(ends[1], SOL_SOCKET, SO_LINGER, &none, sizeof none);
    close(ends[1]);
    host_run();
    ck_assert_trace("AH@0 ");
    close_pair();
}
END_TEST

/* --- whichever comes first --------------------------------------------------------------------- */

/* A request that is answered after an event, unless the client leaves first. */
struct request {
    struct pt pt;
    PT_SELECTION(2) next;
    struct pt_event *news;
};

static PT_ASYNC(request, self)
{
    PT_SELECT(&self->next, PT_CASE_EVENT(self->news), PT_CASE_HANGUP(&io));
    trace_add("%d:%s ", PT_SELECTED(&self->next), pt_status_name(self->pt.status) + 3);
}
PT_END

static void start_request(struct pt_event *news)
{
    static PT_TASK(request) task;

    ck_assert_int_eq(PT_START(&host.loop, &task, request, .news = news), PT_OK);
    host_run();
}

START_TEST(a_select_for_the_hang_up_is_not_woken_by_data)
{
    struct pt_event news;

    pt_event_init(&news);
    open_pair(_i);
    start_request(&news);
    host_put(ends[1], "more");
    host_run();
    ck_assert_trace("");
    pt_event_trigger(&news);
    host_run();
    ck_assert_trace("0:OK ");
    start_request(&news);
    host_start(&b, 'B', &io, "r");
    host_run();
    ck_assert_trace("Br:more@0 ");
    close(ends[1]);
    host_run();
    ck_assert_trace("1:OK ");
    start_request(&news);
    ck_assert_trace("1:OK "); /* at once */
    pt_io_close(&io);
    start_request(&news);
    ck_assert_trace("1:ECLOSED ");
    close_pair();
}
END_TEST

/* --- native tasks ------------------------------------------------------------------------------ */

static pt_status wait_there(struct pt_native *self)
{
    trace_add("%s ", pt_status_name(pt_native_wait_hangup(self, &io)) + 3);
    return PT_OK;
}

START_TEST(a_native_task_waits_for_the_hang_up)
{
    static char stack[64 << 10];
    static PT_TASK(pt_native) task;

    open_pair(_i);
    PT_START(&host.loop, &task, pt_native, .function = wait_there, .stack = stack,
             .bytes = sizeof stack);
    host_run();
    ck_assert_trace("");
    close(ends[1]);
    host_run();
    ck_assert_trace("OK ");
    close_pair();
}
END_TEST

Suite *host_suite_hangup(void)
{
    Suite *suite = suite_create("hangup");

    host_test(suite, a_wait_for_the_hang_up_ends_when_the_other_side_closes);
    host_test(suite, a_hang_up_before_the_wait_is_reported_at_once);
    host_test(suite, unread_data_neither_hides_nor_causes_a_hang_up);
    host_test(suite, a_reader_and_a_task_that_waits_for_the_hang_up_each_get_their_event);
    host_test(suite, a_side_that_shuts_down_writing_has_hung_up_but_can_still_be_written_to);
    host_test(suite, shutting_down_our_own_writing_is_not_a_hang_up);
    host_test(suite, a_wait_for_the_hang_up_ends_when_our_side_closes_or_at_a_cancel);
    host_test(suite, a_pipe_hangs_up_its_writer_when_the_last_reader_closes);
    host_test(suite, a_file_never_hangs_up);
#ifdef __linux__
    host_test(suite, a_stream_socket_that_was_never_connected_is_hung_up);
    host_test(suite, a_socket_of_datagrams_is_hung_up_only_if_this_side_shuts_down_reading);
#endif
    host_test(suite, a_datagram_that_is_refused_is_not_a_hang_up);
    host_test(suite, a_reset_connection_has_hung_up);
    host_test(suite, a_select_for_the_hang_up_is_not_woken_by_data);
    host_test(suite, a_native_task_waits_for_the_hang_up);
    return suite;
}
