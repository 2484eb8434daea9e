/* test_posts.c - posts from other threads and from signal handlers, and the bell by which they wake a loop
 * SPDX-License-Identifier: MIT */
#include "host.h"

/* A thread has seen that the loop sleeps, and is about to ring when the loop closes. */
START_TEST(a_post_that_meets_the_close_writes_to_nobody)
{
    struct pt_port port;
    int ends[2];
    char byte;

    host_open(host_pollers[_i]);
    port = host.system.port;
    host_close();
    host_pair(ends); /* has the numbers that the bell had */
    port.kick(port.context);
    ck_assert_int_eq(read(ends[0], &byte, 1), -1);
    ck_assert_int_eq(read(ends[1], &byte, 1), -1);
    close(ends[0]), close(ends[1]);
}
END_TEST

START_TEST(a_post_in_a_signal_handler_leaves_errno_alone)
{
    host_open(host_pollers[_i]);
    host_fail(HOST_write, 0, 1, EAGAIN);
    errno = 0;
    host.system.port.kick(host.system.port.context);
    ck_assert_int_eq(errno, 0);
    ck_assert_int_eq(host.calls[HOST_write], 1);
    host_close();
}
END_TEST

static void note(struct pt_remote *self, unsigned times)
{
    trace_add("%s:%u ", (const char *)self->target, times);
}

START_TEST(posts_ring_once_while_a_loop_sleeps_and_never_while_it_runs)
{
    static char one[] = "one", two[] = "two";
    struct pt_remote remotes[2];

    host_open(host_pollers[_i]);
    pt_remote_open(&remotes[0], &host.loop, note, one);
    pt_remote_open(&remotes[1], &host.loop, note, two);
    pt_remote_post(&remotes[0]); /* it runs */
    ck_assert_int_eq(host.calls[HOST_write], 0);
    pt_loop_turn(&host.loop, host.now);
    ck_assert(pt_loop_doze_(&host.loop));
    for (int i = 0; i < 3; i++) {
        pt_remote_post(&remotes[1]);
        pt_remote_post(&remotes[0]);
    }
    ck_assert_int_eq(host.calls[HOST_write], 1);
    pt_loop_turn(&host.loop, host.now);
    ck_assert_trace("one:1 two:3 one:3 ");
    host_close();
}
END_TEST

static actor_task a;

START_TEST(a_bell_that_was_rung_is_heard_once)
{
    struct pt_io io;
    int ends[2];

    host_open(host_pollers[_i]);
    host_pair(ends);
    ck_assert_int_eq(pt_io_open(&io, &host.system, ends[0]), PT_OK);
    host_start(&a, 'A', &io, "r");
    host_run(); /* until it sleeps */
    memset(host.calls, 0, sizeof host.calls);
    host.system.port.kick(host.system.port.context);
    host_run();
    ck_assert_int_eq(host.calls[HOST_read], 1);
    ck_assert_int_le(host.calls[HOST_epoll_pwait2], 2); /* and nothing more came */
    pt_io_close(&io);
    host_run();
    close(ends[1]);
    host_close();
}
END_TEST

Suite *host_suite_posts(void)
{
    Suite *suite = suite_create("posts");

    host_test(suite, a_post_that_meets_the_close_writes_to_nobody);
    host_test(suite, posts_ring_once_while_a_loop_sleeps_and_never_while_it_runs);
    host_test(suite, a_post_in_a_signal_handler_leaves_errno_alone);
    host_test(suite, a_bell_that_was_rung_is_heard_once);
    return suite;
}
