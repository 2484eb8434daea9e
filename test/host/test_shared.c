/* test_shared.c - descriptors that others share: blocking or not, before and after
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "host.h"

#include <sys/wait.h>

static struct pt_io io, other;
static int ends[2];

static bool blocks(int fd)
{
    int flags = fcntl(fd, F_GETFL);

    ck_assert_int_ge(flags, 0);
    return !(flags & O_NONBLOCK);
}

/* Open a pipe, and IO with a copy of its reading end, which ends[0] shares. */
static void open_copy(int poller)
{
    host_open(host_pollers[poller]);
    ck_assert_int_eq(pipe(ends), 0);
    ck_assert_int_eq(pt_io_open(&io, &host.system, dup(ends[0])), PT_OK);
    ck_assert(!blocks(ends[0]));
}

static void close_pipe(void)
{
    close(ends[0]), close(ends[1]);
    host_close();
}

START_TEST(a_descriptor_that_was_blocking_is_so_again_after_its_close)
{
    open_copy(_i);
    ck_assert(blocks(ends[1])); /* the other end is not shared */
    pt_io_close(&io);
    ck_assert(blocks(ends[0]));
    ck_assert_int_eq(pt_io_open(&io, &host.system, dup(ends[0])), PT_OK);
    other = pt_io_take(&io);
    pt_io_close(&io);
    ck_assert(!blocks(ends[0]));
    pt_io_close(&other);
    ck_assert(blocks(ends[0]));
    close_pipe();
}
END_TEST

START_TEST(a_descriptor_that_was_not_blocking_stays_so)
{
    open_copy(_i);
    pt_io_close(&io);
    ck_assert_int_eq(fcntl(ends[0], F_SETFL, O_NONBLOCK), 0);
    ck_assert_int_eq(pt_io_open(&io, &host.system, dup(ends[0])), PT_OK);
    pt_io_close(&io);
    ck_assert(!blocks(ends[0]));
    close_pipe();
}
END_TEST

START_TEST(copies_of_a_descriptor_are_blocking_again_after_the_last_close)
{
    static struct pt_io alien;
    int aliens[2];

    for (int round = 0; round < 2; round++) {
        open_copy(_i);
        host_pair(aliens); /* not blocking, and shared with nobody */
        ck_assert_int_eq(pt_io_open(&alien, &host.system, aliens[0]), PT_OK);
        ck_assert_int_eq(pt_io_open(&other, &host.system, dup(ends[0])), PT_OK);
        pt_io_close(round ? &io : &other);
        ck_assert(!blocks(ends[0]));
        pt_io_close(round ? &other : &io);
        ck_assert(blocks(ends[0]));
        ck_assert(!blocks(alien.fd));
        pt_io_close(&alien);
        close(aliens[1]);
        close_pipe();
    }
}
END_TEST

START_TEST(a_file_that_somebody_made_blocking_is_not_taken_for_a_copy)
{
    static struct pt_io alien;
    int aliens[2];

    open_copy(_i);
    host_pair(aliens);
    ck_assert_int_eq(fcntl(aliens[0], F_SETFL, O_NONBLOCK | O_APPEND), 0);
    ck_assert_int_eq(pt_io_open(&alien, &host.system, aliens[0]), PT_OK);
    ck_assert_int_eq(pt_io_open(&other, &host.system, dup(ends[0])), PT_OK);
    ck_assert_int_eq(fcntl(alien.fd, F_SETFL, O_APPEND), 0);
    pt_io_close(&io);
    ck_assert(!blocks(other.fd));
    ck_assert_int_eq(fcntl(alien.fd, F_GETFL) & (O_NONBLOCK | O_APPEND), O_APPEND);
    pt_io_close(&other);
    ck_assert(blocks(ends[0]));
    pt_io_close(&alien);
    close(aliens[1]);
    close_pipe();
}
END_TEST

START_TEST(a_failed_open_leaves_a_descriptor_as_it_was)
{
    host_open(host_pollers[_i]);
    ck_assert_int_eq(pipe(ends), 0);
    host_fail(HOST_realloc, 0, 1, ENOMEM);
    ck_assert_int_eq(pt_io_open(&io, &host.system, ends[0]), PT_ENOMEM);
    ck_assert(blocks(ends[0]));
    host_fail(host_adds_by(_i), 0, 1, ENOSPC);
    if (!host_is(_i, "poll") && !host_is(_i, "kqueue")) {
        ck_assert_int_eq(pt_io_open(&io, &host.system, ends[0]), PT_EIO);
        ck_assert(blocks(ends[0]));
    }
    host.fault.times = 0;
    close_pipe();
}
END_TEST

START_TEST(a_forked_process_that_closes_leaves_its_parents_descriptor_non_blocking)
{
    int status;
    pid_t child;

    open_copy(_i);
    child = fork();
    if (!child) {
        pt_io_close(&io);
        _exit(0);
    }
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert(!blocks(ends[0]));
    pt_io_close(&io);
    ck_assert(blocks(ends[0]));
    close_pipe();
}
END_TEST

Suite *host_suite_shared(void)
{
    Suite *suite = suite_create("shared");

    host_test(suite, a_descriptor_that_was_blocking_is_so_again_after_its_close);
    host_test(suite, a_descriptor_that_was_not_blocking_stays_so);
    host_test(suite, copies_of_a_descriptor_are_blocking_again_after_the_last_close);
    host_test(suite, a_file_that_somebody_made_blocking_is_not_taken_for_a_copy);
    host_test(suite, a_failed_open_leaves_a_descriptor_as_it_was);
    host_test(suite, a_forked_process_that_closes_leaves_its_parents_descriptor_non_blocking);
    return suite;
}
