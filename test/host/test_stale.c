/* test_stale.c - descriptors that are closed, duplicated, or opened again with the same number
 * SPDX-License-Identifier: MIT */
#include "host.h"

#include "../../lib/host/poll/poller.h"

#include <stdlib.h>

static actor_task a, b, c;
static struct pt_io io, other;
static int ends[2], more[2];

static void open_pair(int poller)
{
    host_open(host_pollers[poller]);
    host_pair(ends);
    ck_assert_int_eq(pt_io_open(&io, &host.system, ends[0]), PT_OK);
}

START_TEST(closing_a_descriptor_ends_all_waits_for_it_with_a_code)
{
    open_pair(_i);
    while (write(ends[0], "full", 4) > 0) {
    }
    host_start(&a, 'A', &io, "r");
    host_start(&b, 'B', &io, "w");
    host_start(&c, 'C', &io, "sc");
    host_run();
    ck_assert_trace("Cs@5 Cc@5 Ar:ECLOSED@5 Bw:ECLOSED@5 ");
    host_start(&a, 'A', &io, "r"); /* a later wait gets it too */
    host_run();
    ck_assert_trace("Ar:ECLOSED@5 ");
    close(ends[1]);
    host_close();
}
END_TEST

struct choice {
    struct pt pt;
    PT_SELECTION(2) next;
};

static PT_ASYNC(choice, self)
{
    PT_SELECT(&self->next, PT_CASE_AFTER(PT_MS(50)), PT_CASE_READABLE(&io));
    trace_add("%d:%s@%d ", PT_SELECTED(&self->next), pt_status_name(self->pt.status) + 3,
              host_ms(PT_NOW()));
}
PT_END

START_TEST(closing_a_descriptor_ends_a_select_on_it_with_the_code)
{
    static PT_TASK(choice) task;

    open_pair(_i);
    PT_START(&host.loop, &task, choice);
    host_start(&c, 'C', &io, "sc");
    host_run();
    ck_assert_trace("Cs@5 Cc@5 1:ECLOSED@5 ");
    close(ends[1]);
    host_close();
}
END_TEST

START_TEST(a_close_beats_an_event_of_the_same_turn)
{
    open_pair(_i);
    host_start(&a, 'A', &io, "r");
    host_run();
    host_put(ends[1], "late");
    host.loop.port->idle(host.loop.port->context, host.now, host.now); /* the event has come */
    pt_io_close(&io);
    host_run();
    ck_assert_trace("Ar:ECLOSED@0 ");
    close(ends[1]);
    host_close();
}
END_TEST

START_TEST(a_pt_io_may_be_freed_after_its_waiters_have_run)
{
    struct pt_io *mine = malloc(sizeof *mine);

    host_open(host_pollers[_i]);
    host_pair(ends);
    ck_assert_int_eq(pt_io_open(mine, &host.system, ends[0]), PT_OK);
    host_start(&a, 'A', mine, "r");
    host_run();
    pt_io_close(mine);
    host_run();
    free(mine);
    host_start(&b, 'B', NULL, "s");
    host_run();
    ck_assert_trace("Ar:ECLOSED@0 Bs@5 ");
    close(ends[1]);
    host_close();
}
END_TEST

START_TEST(a_duplicate_of_a_closed_descriptor_does_not_wake_the_new_owner_of_its_number)
{
    int copy, number = 0;

    open_pair(_i);
    number = io.fd;
    copy = dup(io.fd); /* keeps the socket, with its events, alive */
    pt_io_close(&io);
    host_pair(more);
    ck_assert_int_eq(more[0], number);
    ck_assert_int_eq(pt_io_open(&other, &host.system, more[0]), PT_OK);
    host_start(&a, 'A', &other, "r");
    host_run();
    memset(host.calls, 0, sizeof host.calls);
    host_put(ends[1], "stale");
    host_start(&b, 'B', NULL, "s");
    host_run();
    ck_assert_trace("Bs@5 ");
    ck_assert_int_eq(host.calls[HOST_read], 0);
    if (!host_is(_i, "poll"))
        ck_assert_int_le(host.calls[host_waits_by(_i)], 2); /* the loop does not spin */
    host_put(more[1], "mine");
    host_run();
    ck_assert_trace("Ar:mine@5 ");
    pt_io_close(&other);
    close(copy);
    close(ends[1]);
    close(more[1]);
    host_close();
}
END_TEST

START_TEST(a_copy_that_gets_the_number_of_its_closed_descriptor_can_be_opened)
{
    int copy, number;

    open_pair(_i);
    number = io.fd;
    copy = dup(number);
    pt_io_close(&io);
    ck_assert_int_eq(dup2(copy, number), number);
    ck_assert_int_eq(pt_io_open(&other, &host.system, number), PT_OK);
    host_start(&a, 'A', &other, "r");
    host_run();
    host_put(ends[1], "mine");
    host_run();
    ck_assert_trace("Ar:mine@0 ");
    pt_io_close(&other);
    close(copy);
    close(ends[1]);
    host_close();
}
END_TEST

/* Open a pair of sockets, and close IO with one end, or release it: how many calls of
 * epoll_ctl(2) that costs. COPY: duplicate the end before. */
static int calls_of_the_end(bool close, int *copy)
{
    int before;

    host_pair(ends);
    ck_assert_int_eq(pt_io_open(&io, &host.system, ends[0]), PT_OK);
    if (copy)
        *copy = dup(ends[0]);
    before = host.calls[HOST_epoll_ctl];
    if (close)
        pt_io_close(&io);
    else
        pt_io_release(&io);
    return host.calls[HOST_epoll_ctl] - before;
}

START_TEST(epoll_is_told_of_a_close_only_once_a_copy_was_seen)
{
    int copy;

    if (!host_is(_i, "epoll"))
        return;
    host_open("epoll");
    ck_assert_int_eq(calls_of_the_end(false, NULL), 1);
    close(ends[0]);
    close(ends[1]);
    ck_assert_int_eq(calls_of_the_end(true, NULL), 0);
    close(ends[1]);

    ck_assert_int_eq(calls_of_the_end(true, &copy), 0);
    host_put(ends[1], "stale");
    host_start(&b, 'B', NULL, "s");
    host_run();
    ck_assert_trace("Bs@5 ");
    close(copy);
    close(ends[1]);

    ck_assert_int_eq(calls_of_the_end(true, NULL), 1);
    close(ends[1]);
    host_close();
}
END_TEST

START_TEST(an_event_of_an_earlier_generation_is_ignored)
{
    open_pair(_i);
    host_start(&a, 'A', &io, "r");
    host_run();
    pt_system_notice_(&host.system, io.fd, host.system.places[io.fd].generation - 1, POLLIN);
    ck_assert_ptr_nonnull(io.readers.first);
    pt_system_notice_(&host.system, 9999, 1, POLLIN); /* no event for an unused number either */
    pt_system_notice_(&host.system, io.fd, host.system.places[io.fd].generation, POLLIN);
    ck_assert_ptr_null(io.readers.first);
    pt_io_close(&io);
    host_run();
    close(ends[1]);
    host_close();
}
END_TEST

START_TEST(an_event_of_a_socket_is_not_delivered_to_a_file_with_its_number)
{
    unsigned generation;
    int number, file;

    open_pair(_i);
    number = io.fd;
    generation = host.system.places[number].generation;
    pt_io_close(&io);
    file = open("/", O_RDONLY);
    ck_assert_int_eq(pt_io_open(&io, &host.system, file), PT_OK);
    io.readable = false;
    pt_system_notice_(&host.system, number, generation, POLLIN);
    ck_assert(!io.readable);
    pt_io_close(&io);
    close(ends[1]);
    host_close();
}
END_TEST

START_TEST(a_descriptor_has_one_owner_in_a_loop_and_it_keeps_its_events)
{
    open_pair(_i);
    host_start(&a, 'A', &io, "r");
    host_run();
    ck_assert_int_eq(pt_io_open(&other, &host.system, io.fd), PT_EBUSY);
    host_put(ends[1], "mine");
    host_run();
    ck_assert_trace("Ar:mine@0 ");
    pt_io_close(&other); /* of no effect */
    pt_io_close(&io);
    close(ends[1]);
    host_close();
}
END_TEST

START_TEST(descriptors_open_and_close_a_thousand_times)
{
    int before = host_descriptors();

    host_open(host_pollers[_i]);
    for (int i = 0; i < 1000; i++) {
        host_pair(ends);
        ck_assert_int_eq(pt_io_open(&io, &host.system, ends[0]), PT_OK);
        ck_assert_int_eq(pt_io_open(&other, &host.system, ends[1]), PT_OK);
        host_start(&a, 'A', &io, "r");
        host_start(&b, 'B', &other, i % 2 ? "w" : "c");
        host_run();
        trace_take();
        pt_io_close(&io);
        pt_io_close(&other);
    }
    host_close();
    ck_assert_int_eq(host_descriptors(), before);
}
END_TEST

Suite *host_suite_stale(void)
{
    Suite *suite = suite_create("stale");

    host_test(suite, closing_a_descriptor_ends_all_waits_for_it_with_a_code);
    host_test(suite, closing_a_descriptor_ends_a_select_on_it_with_the_code);
    host_test(suite, a_close_beats_an_event_of_the_same_turn);
    host_test(suite, a_pt_io_may_be_freed_after_its_waiters_have_run);
    host_test(suite, a_duplicate_of_a_closed_descriptor_does_not_wake_the_new_owner_of_its_number);
    host_test(suite, a_copy_that_gets_the_number_of_its_closed_descriptor_can_be_opened);
    host_test(suite, epoll_is_told_of_a_close_only_once_a_copy_was_seen);
    host_test(suite, an_event_of_an_earlier_generation_is_ignored);
    host_test(suite, an_event_of_a_socket_is_not_delivered_to_a_file_with_its_number);
    host_test(suite, a_descriptor_has_one_owner_in_a_loop_and_it_keeps_its_events);
    host_test(suite, descriptors_open_and_close_a_thousand_times);
    return suite;
}
