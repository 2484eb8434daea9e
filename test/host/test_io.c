/* test_io.c - reading and writing bytes: try first, wait only where the system would block
 * SPDX-License-Identifier: MIT */
#include "host.h"

static actor_task a, b;
static struct pt_io io, other;
static int ends[2];

static void open_pair(int poller)
{
    host_open(host_pollers[poller]);
    host_pair(ends);
    ck_assert_int_eq(pt_io_open(&io, &host.system, ends[0]), PT_OK);
}

static void open_tcp(int poller)
{
    host_open(host_pollers[poller]);
    host_tcp_pair(ends);
    ck_assert_int_eq(pt_io_open(&io, &host.system, ends[0]), PT_OK);
}

static void close_pair(void)
{
    pt_io_close(&io);
    host_close();
    close(ends[1]);
}

START_TEST(data_that_has_arrived_is_read_at_once)
{
    open_pair(_i);
    host_put(ends[1], "early");
    host_start(&a, 'A', &io, "r");
    host_run();
    ck_assert_trace("Ar:early@0 ");
    ck_assert_int_eq(host.waits, 0);
    close_pair();
}
END_TEST

START_TEST(a_read_waits_until_data_arrives)
{
    open_pair(_i);
    ck_assert_int_eq(pt_io_open(&other, &host.system, ends[1]), PT_OK);
    host_start(&a, 'A', &io, "r");
    host_start(&b, 'B', &other, "sw");
    host_run();
    ck_assert_trace("Bs@5 Bw:5@5 Ar:hello@5 ");
    pt_io_close(&other);
    pt_io_close(&io);
    host_close();
}
END_TEST

struct empty {
    struct pt pt;
    size_t moved;
    char data[8];
};

static PT_ASYNC(empty, self)
{
    PT_READ(&io, self->data, 0, &self->moved);
    trace_add("%s:%zu ", pt_status_name(self->pt.status), self->moved);
    PT_WRITE(&io, self->data, 0, &self->moved);
    trace_add("%s:%zu ", pt_status_name(self->pt.status), self->moved);
    PT_READ(&io, self->data, sizeof self->data, &self->moved);
    trace_add("%s:%zu ", pt_status_name(self->pt.status), self->moved);
}
PT_END

START_TEST(no_bytes_are_read_and_written_at_once_and_those_that_are_there_stay)
{
    static PT_TASK(empty) empty;

    memset(&empty, 0, sizeof empty);
    open_tcp(_i);
    host_put(ends[1], "stay");
    PT_START(&host.loop, &empty, empty);
    host_run();
    ck_assert_trace("PT_OK:0 PT_OK:0 PT_OK:4 ");
    close_pair();
}
END_TEST

START_TEST(a_request_costs_one_read_and_one_write)
{
    open_tcp(_i);
    host_start(&a, 'A', &io, "rwrwrw");
    host_run();
    for (int i = 0; i < 3; i++) {
        memset(host.calls, 0, sizeof host.calls);
        host_put(ends[1], "ping");
        host_run();
        ck_assert_int_eq(host.calls[HOST_read], 1);
        ck_assert_int_eq(host.calls[HOST_sendmsg], 1);
        ck_assert_int_eq(host.calls[HOST_epoll_ctl], 0);
    }
    close_pair();
}
END_TEST

START_TEST(a_write_waits_until_there_is_room)
{
    char block[4096];

    open_pair(_i);
    memset(block, 'x', sizeof block);
    while (write(ends[0], block, sizeof block) > 0) {
    }
    host_start(&a, 'A', &io, "w");
    host_run();
    ck_assert_trace("");
    while (read(ends[1], block, sizeof block) > 0) {
    }
    host_run();
    ck_assert_trace("Aw:5@0 ");
    close_pair();
}
END_TEST

START_TEST(the_end_is_reported_after_the_last_byte_and_at_each_later_read)
{
    open_tcp(_i);
    host_put(ends[1], "last");
    ck_assert_int_eq(shutdown(ends[1], SHUT_WR), 0);
    host_start(&a, 'A', &io, "rr");
    host_run();
    host_start(&b, 'B', &io, "r");
    host_run();
    ck_assert_trace("Ar:last@0 Ar:ECLOSED@0 Br:ECLOSED@0 ");
    close_pair();
}
END_TEST

START_TEST(an_end_that_came_with_the_last_bytes_is_reported_after_them)
{
    open_tcp(_i);
    host_start(&a, 'A', &io, "rr");
    host_run();
    host_put(ends[1], "last");
    ck_assert_int_eq(shutdown(ends[1], SHUT_WR), 0); /* one event for both */
    host_run();
    ck_assert_trace("Ar:last@0 Ar:ECLOSED@0 ");
    close_pair();
}
END_TEST

START_TEST(a_socket_with_one_direction_closed_still_has_the_other)
{
    char data[8];

    open_pair(_i);
    ck_assert_int_eq(pt_io_shutdown(&io, SHUT_WR), PT_OK);
    ck_assert_int_eq(read(ends[1], data, sizeof data), 0);
    host_put(ends[1], "still");
    host_start(&a, 'A', &io, "rw");
    host_run();
    ck_assert_trace("Ar:still@0 Aw:ECLOSED@0 ");
    close_pair();
}
END_TEST

/* In a pt_io that is zero, fd is 0, the program's standard input: test_misuse.c. */
START_TEST(a_shutdown_of_what_is_closed_closes_nothing)
{
    open_pair(_i);
    pt_io_close(&io);
    ck_assert_int_eq(pt_io_shutdown(&io, SHUT_RDWR), PT_ECLOSED);
    ck_assert_int_eq(host.calls[HOST_shutdown], 0);
    close_pair();
}
END_TEST

START_TEST(a_descriptor_that_is_released_stays_open_and_is_as_before)
{
    host_open(host_pollers[_i]);
    host_pair(ends);
    for (int blocks = 0; blocks < 2; blocks++) {
        fcntl(ends[0], F_SETFL, blocks ? 0 : O_NONBLOCK);
        ck_assert_int_eq(pt_io_open(&io, &host.system, ends[0]), PT_OK);
        host_start(&a, 'A', &io, "r");
        host_run();
        ck_assert_int_eq(pt_io_release(&io), ends[0]);
        host_run();
        ck_assert_trace("Ar:ECLOSED@0 ");
        ck_assert_int_eq(fcntl(ends[0], F_GETFL) & O_NONBLOCK, blocks ? 0 : O_NONBLOCK);
        ck_assert_int_eq(pt_io_release(&io), -1);
        ck_assert_int_eq(pt_io_close(&io), PT_OK);
    }
    ck_assert_int_eq(pt_io_open(&other, &host.system, ends[0]),
                     PT_OK); /* another pt_io can have it */
    host_put(ends[1], "still");
    host_start(&a, 'A', &other, "r");
    host_run();
    ck_assert_trace("Ar:still@0 ");
    ck_assert_int_eq(pt_io_close(&other), PT_OK);
    close(ends[1]);
    host_close();
}
END_TEST

START_TEST(a_close_that_fails_returns_the_reason_and_closes_all_the_same)
{
    open_pair(_i);
    host_fail(HOST_close, 0, 1, ENOSPC);
    ck_assert_int_eq(pt_io_close(&io), PT_EIO);
    ck_assert_int_eq(io.error, ENOSPC);
    ck_assert_int_eq(pt_io_close(&io), PT_OK);
    close(ends[0]); /* the failed call of the test has not */
    close(ends[1]);
    host_pair(ends);
    ck_assert_int_eq(pt_io_open(&io, &host.system, ends[0]), PT_OK);
    host_fail(HOST_close, 0, 1, EINTR);
    ck_assert_int_eq(pt_io_close(&io),
                     PT_OK); /* it is closed: a second call could close another one */
    close(ends[0]);
    close(ends[1]);
    host_close();
}
END_TEST

START_TEST(data_after_urgent_data_is_read_too)
{
    open_tcp(_i);
    host_start(&a, 'A', &io, "rr");
    host_run();
    host_put(ends[1], "before");
    ck_assert_int_eq(send(ends[1], "!", 1, MSG_OOB), 1);
    host_put(ends[1], "behind");
    host_run();
    ck_assert_trace("Ar:before@0 Ar:behind@0 ");
    close_pair();
}
END_TEST

START_TEST(waiting_until_readable_reads_nothing)
{
    open_pair(_i);
    host_start(&a, 'A', &io, "RRrR");
    host_run();
    ck_assert_trace("");
    host_put(ends[1], "one");
    host_run();
    ck_assert_trace("AR@0 AR@0 Ar:one@0 ");
    host_put(ends[1], "two");
    host_run();
    ck_assert_trace("AR@0 ");
    close_pair();
}
END_TEST

START_TEST(another_library_can_write_after_a_wait_until_writable)
{
    char block[4096];

    open_pair(_i);
    host_start(&a, 'A', &io, "WW");
    host_run();
    ck_assert_trace("AW@0 AW@0 ");
    memset(block, 'x', sizeof block);
    while (write(ends[0], block, sizeof block) > 0) { /* directly: pt does not notice */
    }
    host_start(&a, 'A', &io, "W");
    host_run();
    ck_assert_trace("");
    while (read(ends[1], block, sizeof block) > 0) {
    }
    host_run();
    ck_assert_trace("AW@0 ");
    close_pair();
}
END_TEST

START_TEST(tasks_that_wait_for_a_descriptor_retry_in_order_of_arrival)
{
    open_pair(_i);
    host_start(&a, 'A', &io, "r");
    host_start(&b, 'B', &io, "r");
    host_run();
    host_put(ends[1], "one");
    host_run();
    host_put(ends[1], "two");
    host_run();
    ck_assert_trace("Ar:one@0 Br:two@0 ");
    close_pair();
}
END_TEST

struct limited {
    struct pt pt;
    struct pt_scope limit;
    size_t got;
    char data[8];
};

static PT_ASYNC(limited, self)
{
    PT_WITH_TIMEOUT(&self->limit, PT_MS(20)) {
        PT_READ(&io, self->data, sizeof self->data, &self->got);
    }
    trace_add("timed out: %d@%d ", pt_timed_out(&self->limit), host_ms(PT_NOW()));
    PT_READ(&io, self->data, sizeof self->data, &self->got);
    PT_FINALLY
    trace_add("%s@%d ", pt_status_name(self->pt.result), host_ms(PT_NOW()));
}
PT_END

START_TEST(a_timeout_and_a_cancel_end_a_read)
{
    static PT_TASK(limited) task;

    open_pair(_i);
    PT_START(&host.loop, &task, limited);
    host_run();
    pt_cancel(&task.task, PT_ECANCELED);
    host_run();
    ck_assert_trace("timed out: 1@20 PT_ECANCELED@20 ");
    ck_assert_ptr_null(io.readers.first);
    close_pair();
}
END_TEST

Suite *host_suite_io(void)
{
    Suite *suite = suite_create("io");

    host_test(suite, data_that_has_arrived_is_read_at_once);
    host_test(suite, a_read_waits_until_data_arrives);
    host_test(suite, no_bytes_are_read_and_written_at_once_and_those_that_are_there_stay);
    host_test(suite, a_request_costs_one_read_and_one_write);
    host_test(suite, a_write_waits_until_there_is_room);
    host_test(suite, the_end_is_reported_after_the_last_byte_and_at_each_later_read);
    host_test(suite, an_end_that_came_with_the_last_bytes_is_reported_after_them);
    host_test(suite, a_socket_with_one_direction_closed_still_has_the_other);
    host_test(suite, a_shutdown_of_what_is_closed_closes_nothing);
    host_test(suite, a_descriptor_that_is_released_stays_open_and_is_as_before);
    host_test(suite, a_close_that_fails_returns_the_reason_and_closes_all_the_same);
    host_test(suite, data_after_urgent_data_is_read_too);
    host_test(suite, waiting_until_readable_reads_nothing);
    host_test(suite, another_library_can_write_after_a_wait_until_writable);
    host_test(suite, tasks_that_wait_for_a_descriptor_retry_in_order_of_arrival);
    host_test(suite, a_timeout_and_a_cancel_end_a_read);
    return suite;
}
