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

Suite *host_suite_posts(void)
{
    Suite *suite = suite_create("posts");

    host_test(suite, a_post_that_meets_the_close_writes_to_nobody);
    host_test(suite, a_post_in_a_signal_handler_leaves_errno_alone);
    return suite;
}
