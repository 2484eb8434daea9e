/* test_borrow.c - descriptors that belong to somebody else: any number of pt_io wait for them
 * SPDX-License-Identifier: MIT */
#include "host.h"

#include "../../lib/host/poll/poller.h"

#include <stdlib.h>

static actor_task a, b, c;
static struct pt_io owner, first, second;
static int ends[2];

static void open_and_borrow(int poller)
{
    host_open(host_pollers[poller]);
    host_pair(ends);
    ck_assert_int_eq(pt_io_open(&owner, &host.system, ends[0]), PT_OK);
    ck_assert_int_eq(pt_io_borrow(&first, &host.system, ends[0]), PT_OK);
    ck_assert_int_eq(pt_io_borrow(&second, &host.system, ends[0]), PT_OK);
}

static void close_all(void)
{
    pt_io_close(&first);
    pt_io_close(&second);
    pt_io_close(&owner);
    close(ends[1]);
    host_run();
    host_close();
}

START_TEST(any_number_of_pt_io_wait_for_a_descriptor_beside_its_owner)
{
    open_and_borrow(_i);
    host_start(&a, 'A', &owner, "R");
    host_start(&b, 'B', &first, "RWH");
    host_start(&c, 'C', &second, "RH");
    host_run();
    ck_assert_trace("");
    host_put(ends[1], "new");
    host_run();
    ck_assert_trace("AR@0 CR@0 BR@0 BW@0 ");
    shutdown(ends[1], SHUT_WR);
    close(ends[1]);
    ends[1] = -1;
    host_run();
    ck_assert_trace("CH@0 BH@0 ");
    close_all();
}
END_TEST

START_TEST(a_borrowed_descriptor_is_ready_as_long_as_nobody_has_read)
{
    open_and_borrow(_i);
    host_put(ends[1], "new");
    host_start(&b, 'B', &first, "RRR");
    host_run();
    ck_assert_trace("BR@0 BR@0 BR@0 ");
    host_start(&a, 'A', &owner, "r");
    host_run();
    host_start(&b, 'B', &first, "R");
    host_start(&c, 'C', NULL, "s");
    host_run();
    ck_assert_trace("Ar:new@0 Cs@5 ");
    ck_assert_int_le(host.waits, 5); /* the loop does not spin */
    host_put(ends[1], "more");
    host_run();
    ck_assert_trace("BR@5 ");
    close_all();
}
END_TEST

START_TEST(a_loan_leaves_the_descriptor_as_it_is)
{
    static const int kinds[] = {0, O_NONBLOCK};

    for (int i = 0; i < 2; i++) {
        host_open(host_pollers[_i]);
        ck_assert_int_eq(pipe(ends), 0);
        ck_assert_int_eq(fcntl(ends[0], F_SETFL, kinds[i]), 0);
        ck_assert_int_eq(pt_io_borrow(&first, &host.system, ends[0]), PT_OK);
        ck_assert_int_eq(fcntl(ends[0], F_GETFL) & O_NONBLOCK, kinds[i]);
        host_start(&b, 'B', &first, "R");
        host_run();
        ck_assert_trace("");
        host_put(ends[1], "new");
        host_run();
        ck_assert_trace("BR@0 ");
        if (i)
            ck_assert_int_eq(pt_io_release(&first), ends[0]);
        else
            ck_assert_int_eq(pt_io_close(&first), PT_OK);
        ck_assert_int_eq(pt_io_release(&first), -1);
        ck_assert_int_eq(fcntl(ends[0], F_GETFL) & O_NONBLOCK, kinds[i]); /* it is open */
        close(ends[0]);
        close(ends[1]);
        host_close();
    }
}
END_TEST

START_TEST(the_end_of_one_loan_leaves_the_other_waits)
{
    open_and_borrow(_i);
    host_start(&a, 'A', &owner, "R");
    host_start(&b, 'B', &first, "R");
    host_start(&c, 'C', &second, "R");
    host_run();
    pt_io_close(&first);
    host_put(ends[1], "new");
    host_run();
    ck_assert_trace("BR:ECLOSED@0 AR@0 CR@0 ");
    close_all();
}
END_TEST

START_TEST(a_loan_survives_the_release_by_the_owner_and_a_new_owner)
{
    open_and_borrow(_i);
    host_start(&b, 'B', &first, "R");
    host_run();
    ck_assert_int_eq(pt_io_release(&owner), ends[0]);
    host_put(ends[1], "new");
    host_run();
    ck_assert_trace("BR@0 ");
    ck_assert_int_eq(pt_io_open(&owner, &host.system, ends[0]), PT_OK);
    host_start(&a, 'A', &owner, "rR");
    host_run();
    host_start(&b, 'B', &first, "R");
    host_run();
    host_put(ends[1], "more");
    host_run();
    ck_assert_trace("Ar:new@0 AR@0 BR@0 ");
    close_all();
}
END_TEST

START_TEST(the_close_by_the_owner_ends_each_loan)
{
    open_and_borrow(_i);
    host_start(&b, 'B', &first, "R");
    host_start(&c, 'C', &second, "H");
    host_run();
    ck_assert_int_eq(pt_io_close(&owner), PT_OK);
    ck_assert_int_eq(read(ends[1], &(char){0}, 1), 0); /* the other side learns of it */
    host_start(&a, 'A', &first, "R");
    host_run();
    ck_assert_trace("CH:ECLOSED@0 BR:ECLOSED@0 AR:ECLOSED@0 ");
    close_all();
}
END_TEST

START_TEST(a_file_is_always_ready)
{
    char name[] = "/tmp/pt-borrow-XXXXXX";

    host_open(host_pollers[_i]);
    ends[0] = mkstemp(name);
    ck_assert_int_ge(ends[0], 0);
    unlink(name);
    ck_assert_int_eq(pt_io_borrow(&first, &host.system, ends[0]), PT_OK);
    ck_assert_int_eq(pt_io_borrow(&second, &host.system, ends[0]), PT_OK);
    host_start(&b, 'B', &first, "RW");
    host_run();
    ck_assert_trace("BR@0 BW@0 ");
    pt_io_close(&first);
    pt_io_close(&second);
    close(ends[0]);
    host_close();
}
END_TEST

START_TEST(a_descriptor_and_a_duplicate_of_it_both_have_events)
{
    const char *events;
    int copy;

    host_open(host_pollers[_i]);
    host_pair(ends);
    copy = dup(ends[0]);
    ck_assert_int_eq(pt_io_borrow(&first, &host.system, ends[0]), PT_OK);
    ck_assert_int_eq(pt_io_borrow(&second, &host.system, copy), PT_OK);
    host_start(&b, 'B', &first, "R");
    host_start(&c, 'C', &second, "R");
    host_run();
    host_put(ends[1], "new");
    host_run();
    events = trace_take();
    ck_assert(strstr(events, "BR@0 ") && strstr(events, "CR@0 "));
    pt_io_close(&first);
    pt_io_close(&second);
    close(copy);
    close(ends[0]);
    close(ends[1]);
    host_close();
}
END_TEST

/* Other code closes what is borrowed, and opens another file, which gets the number. */
START_TEST(a_number_that_is_another_file_s_by_now_is_watched_again)
{
    int more[2];

    host_open(host_pollers[_i]);
    host_pair(ends);
    ck_assert_int_eq(pt_io_borrow(&first, &host.system, ends[0]), PT_OK);
    host_start(&b, 'B', &first, "R");
    host_run();
    close(ends[0]);
    host_pair(more);
    ck_assert_int_eq(more[0], ends[0]);
    ck_assert_int_eq(pt_io_borrow(&second, &host.system, more[0]), PT_OK);
    ck_assert_int_eq(read(ends[1], &(char){0}, 1), 0); /* no poll holds the closed file */
    host_start(&c, 'C', &second, "R");
    host_run();
    host_put(more[1], "new");
    host_run();
    ck_assert_trace("CR@0 BR@0 ");
    pt_io_close(&first);
    pt_io_close(&second);
    close(more[0]);
    close(more[1]);
    close(ends[1]);
    host_close();
}
END_TEST

START_TEST(a_loan_that_fails_leaves_the_others)
{
    int none = 1000;

    open_and_borrow(_i);
    pt_io_close(&second);
    host_start(&b, 'B', &first, "R");
    host_run();
    ck_assert_int_eq(pt_io_borrow(&second, &host.system, none), PT_EIO);
    ck_assert_int_eq(second.error, EBADF);
    host_fail(HOST_fstat, 0, 1, ENOMEM);
    ck_assert_int_eq(pt_io_borrow(&second, &host.system, ends[0]), PT_ENOMEM);
    if (!host_is(_i, "poll") && !host_is(_i, "kqueue")) {
        host_fail(host_adds_by(_i), 0, 1, ENOMEM);
        ck_assert_int_eq(pt_io_borrow(&second, &host.system, ends[0]), PT_ENOMEM);
    }
    host_start(&c, 'C', &second, "R"); /* a failed opening does not look like the end */
    host_run();
    ck_assert_trace("CR:ENOMEM@0 ");
    host_put(ends[1], "new");
    host_run();
    ck_assert_trace("BR@0 ");
    close_all();
}
END_TEST

Suite *host_suite_borrow(void)
{
    Suite *suite = suite_create("borrow");

    host_test(suite, any_number_of_pt_io_wait_for_a_descriptor_beside_its_owner);
    host_test(suite, a_borrowed_descriptor_is_ready_as_long_as_nobody_has_read);
    host_test(suite, a_loan_leaves_the_descriptor_as_it_is);
    host_test(suite, the_end_of_one_loan_leaves_the_other_waits);
    host_test(suite, a_loan_survives_the_release_by_the_owner_and_a_new_owner);
    host_test(suite, the_close_by_the_owner_ends_each_loan);
    host_test(suite, a_file_is_always_ready);
    host_test(suite, a_descriptor_and_a_duplicate_of_it_both_have_events);
    host_test(suite, a_number_that_is_another_file_s_by_now_is_watched_again);
    host_test(suite, a_loan_that_fails_leaves_the_others);
    return suite;
}
