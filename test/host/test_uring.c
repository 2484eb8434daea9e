/* test_uring.c - cases only of io_uring: threads, full rings, polls that hold their file
 * SPDX-License-Identifier: MIT */
#include "host.h"

#include <pthread.h>

enum { PAIRS = 100 };

static actor_task tasks[PAIRS];
static struct pt_io io[PAIRS];
static int ends[PAIRS][2];

static void open_pairs(int poller)
{
    host_open(host_pollers[poller]);
    for (int i = 0; i < PAIRS; i++) {
        host_pair(ends[i]);
        ck_assert_int_eq(pt_io_open(&io[i], &host.system, ends[i][0]), PT_OK);
    }
}

static void close_pairs(void)
{
    for (int i = 0; i < PAIRS; i++) {
        pt_io_close(&io[i]);
        close(ends[i][1]);
    }
    host_run();
    host_close();
}

/* A task waits to read from each pair from FIRST on; each is written to: all must read it at once. */
static void talk_on(int first)
{
    static actor_task sleeper;
    char told[32];
    int count = 0;

    for (int i = first; i < PAIRS; i++)
        host_start(&tasks[i], 'A', &io[i], "r");
    host_run();
    ck_assert_trace("");
    for (int i = first; i < PAIRS; i++)
        host_put(ends[i][1], "news");
    host_start(&sleeper, 'B', NULL, "s");
    snprintf(told, sizeof told, "Ar:news@%d ", host_ms(host.now));
    host_run();
    for (const char *rest = trace_take(); (rest = strstr(rest, told)); rest++)
        count++;
    ck_assert_int_eq(count, PAIRS - first);
}

static void talk(void)
{
    talk_on(0);
}

START_TEST(events_beyond_the_room_of_the_ring_are_not_lost)
{
    host.smaller = 8; /* room for 16 */
    open_pairs(_i);
    talk();
    talk();
    close_pairs();
}
END_TEST

/* A poll that begins while events wait for room ends at once, as that of a file which is always ready. */
START_TEST(a_descriptor_that_is_opened_while_events_wait_for_room_is_reported)
{
    static actor_task sleeper, hearer;
    static struct pt_io more;
    int pair[2];

    for (int count = 12; count < 24; count++) {
        host.smaller = 8; /* room for 16 */
        host_open(host_pollers[_i]);
        for (int i = 0; i < count; i++) {
            host_pair(ends[i]);
            ck_assert_int_eq(pt_io_open(&io[i], &host.system, ends[i][0]), PT_OK);
        }
        host_start(&sleeper, 'B', NULL, "s");
        host_turns(1);
        host_tcp_pair(pair);
        ck_assert_int_eq(pt_io_open(&more, &host.system, pair[0]), PT_OK);
        host_start(&hearer, 'A', &more, "r");
        host_run();
        trace_take();
        host_put(pair[1], "more");
        host_run();
        ck_assert(strstr(trace_take(), "Ar:more@"));
        pt_io_close(&more);
        close(pair[1]);
        for (int i = 0; i < count; i++) {
            pt_io_close(&io[i]);
            close(ends[i][1]);
        }
        host_close();
    }
}
END_TEST

static void *talk_there(void *nothing)
{
    talk();
    return nothing;
}

START_TEST(a_loop_that_moves_to_another_thread_keeps_its_descriptors)
{
    pthread_t thread;

    open_pairs(_i);
    talk();
    for (int i = 0; i < 2; i++) {
        ck_assert_int_eq(pthread_create(&thread, NULL, talk_there, NULL), 0);
        pthread_join(thread, NULL);
    }
    talk();
    close_pairs();
}
END_TEST

START_TEST(a_descriptor_is_closed_at_once_whatever_else_has_happened)
{
    char byte;

    open_pairs(_i);
    talk();
    for (int i = 0; i < PAIRS; i++)
        host_put(ends[i][1], "more");
    for (int i = 0; i < PAIRS; i++) {
        ck_assert_int_eq(recv(ends[i][1], &byte, 1, 0), -1);
        pt_io_close(&io[i]);
        ck_assert_int_eq(recv(ends[i][1], &byte, 1, 0), -1);
        ck_assert_int_eq(errno, ECONNRESET); /* a byte was not read */
    }
    close_pairs();
}
END_TEST

/* Another thread can set the kernel's flag of work when that work is done: the flag stays. */
START_TEST(a_close_ends_when_the_flag_of_work_stays_without_work)
{
    const enum host_call call = HOST_io_uring_submit_and_get_events;
    char byte;
    int calls;

    open_pairs(_i);
    talk();
    host.late = 1000;
    calls = host.calls[call];
    pt_io_close(&io[0]);
    ck_assert_int_le(host.calls[call] - calls, 2 + (ends[PAIRS - 1][1] + 1) * 2 / 5);
    ck_assert_int_eq(host.late, 1000 - (host.calls[call] - calls));
    ck_assert_int_eq(read(ends[0][1], &byte, 1), 0);
    talk_on(1);
    close_pairs();
}
END_TEST

START_TEST(a_poll_that_the_kernel_refuses_is_not_submitted_later)
{
    char byte;

    host_open(host_pollers[_i]);
    host_pair(ends[0]);
    if (host_is(_i, "epoll") || host_is(_i, "io_uring")) {
        host_fail(host_adds_by(_i), 0, 1, ENOSPC);
        ck_assert_int_eq(pt_io_open(&io[0], &host.system, ends[0][0]), PT_EIO);
        ck_assert_int_eq(io[0].error, ENOSPC);
    }
    host_start(&tasks[0], 'A', NULL, "s");
    host_run();
    close(ends[0][0]);
    ck_assert_int_eq(read(ends[0][1], &byte, 1), 0); /* nothing else holds it open */
    trace_take();
    close(ends[0][1]);
    host_close();
}
END_TEST

START_TEST(opening_io_uring_fails_with_enosys_if_unknown_and_eperm_if_forbidden)
{
    static const int errors[][2] = {{ENOSYS, ENOSYS}, {EPERM, EPERM}, {EINVAL, ENOSYS}};

    for (int i = 0; i < 3 && host_is(_i, "io_uring"); i++) {
        host_fail(HOST_io_uring_queue_init_params, 0, 1, errors[i][0]);
        ck_assert_int_eq(pt_system_open(&host.system, &host.loop, "io_uring"), PT_EIO);
        ck_assert_int_eq(errno, errors[i][1]);
    }
    if (host_is(_i, "io_uring")) { /* more than RLIMIT_MEMLOCK leaves */
        host_fail(HOST_io_uring_queue_init_params, 0, 1, ENOMEM);
        ck_assert_int_eq(pt_system_open(&host.system, &host.loop, "io_uring"), PT_ENOMEM);
    }
    host.real = true;
}
END_TEST

/* The same within a few turns, while no ring can be made. */
static void talk_soon(void)
{
    int count = 0;

    for (int i = 0; i < PAIRS; i++)
        host_start(&tasks[i], 'A', &io[i], "r");
    host_turns(3);
    ck_assert_trace("");
    for (int i = 0; i < PAIRS; i++)
        host_put(ends[i][1], "news");
    host_turns(20);
    for (const char *rest = trace_take(); (rest = strstr(rest, "Ar:news@")); rest++)
        count++;
    ck_assert_int_eq(count, PAIRS);
}

START_TEST(nothing_is_lost_while_no_descriptor_is_free_for_a_larger_ring)
{
    host.smaller = 8; /* room for 16 events */
    open_pairs(_i);
    host_fail(HOST_io_uring_queue_init_params, 0, -1, EMFILE);
    for (int i = 0; i < 3; i++)
        talk_soon();
    host.fault.times = 0;
    talk();
    close_pairs();
}
END_TEST

static void *talk_without_a_ring(void *nothing)
{
    struct pt_io more;
    int pair[2], waits;

    host_fail(HOST_io_uring_queue_init_params, 0, -1, EMFILE);
    talk_soon();
    talk_soon();
    host_pair(pair);
    if (pt_io_open(&more, &host.system, pair[0]) != PT_OK) {
        ck_assert_int_eq(more.error, EMFILE);
        close(pair[0]);
    }
    pt_io_close(&more);
    close(pair[1]);
    host_start(&tasks[0], 'A', NULL, "ssssssss"); /* 5 ms each */
    waits = host.waits;
    host_run();
    ck_assert_int_le(host.waits - waits, 9); /* it does not spin */
    trace_take();
    return nothing;
}

START_TEST(a_loop_that_moves_to_another_thread_waits_for_a_descriptor_for_its_ring)
{
    pthread_t thread;

    open_pairs(_i);
    talk();
    ck_assert_int_eq(pthread_create(&thread, NULL, talk_without_a_ring, NULL), 0);
    pthread_join(thread, NULL);
    host.fault.times = 0;
    talk();
    close_pairs();
}
END_TEST

static void *close_without_a_ring(void *nothing)
{
    host_fail(HOST_io_uring_queue_init_params, 0, -1, EMFILE);
    pt_io_close(&io[0]);
    host_turns(2); /* there is nothing to do, and no ring to ask */
    pt_io_close(&io[1]);
    return nothing;
}

START_TEST(a_close_without_a_ring_reaches_the_other_side)
{
    pthread_t thread;
    char byte;

    open_pairs(_i);
    talk();
    ck_assert_int_eq(pthread_create(&thread, NULL, close_without_a_ring, NULL), 0);
    pthread_join(thread, NULL);
    for (int i = 0; i < 2; i++) {
        ck_assert_int_eq(fcntl(ends[i][1], F_SETFL, 0), 0);
        ck_assert_int_eq(read(ends[i][1], &byte, 1), 0); /* waits for the end */
    }
    host.fault.times = 0;
    close_pairs();
}
END_TEST

Suite *host_suite_uring(void)
{
    Suite *suite = suite_create("uring");

    host_test(suite, events_beyond_the_room_of_the_ring_are_not_lost);
    host_test(suite, a_descriptor_that_is_opened_while_events_wait_for_room_is_reported);
    host_test(suite, a_loop_that_moves_to_another_thread_keeps_its_descriptors);
    host_test(suite, nothing_is_lost_while_no_descriptor_is_free_for_a_larger_ring);
    host_test(suite, a_loop_that_moves_to_another_thread_waits_for_a_descriptor_for_its_ring);
    host_test(suite, a_close_without_a_ring_reaches_the_other_side);
    host_test(suite, a_descriptor_is_closed_at_once_whatever_else_has_happened);
    host_test(suite, a_close_ends_when_the_flag_of_work_stays_without_work);
    host_test(suite, a_poll_that_the_kernel_refuses_is_not_submitted_later);
    host_test(suite, opening_io_uring_fails_with_enosys_if_unknown_and_eperm_if_forbidden);
    return suite;
}
