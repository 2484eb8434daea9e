/* test_errors.c - errors of system calls: each is reported, and leaks nothing
 * SPDX-License-Identifier: MIT */
#include "host.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>

static actor_task a;
static struct pt_io io, other;
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
    close(ends[1]);
}

/* --- reading and writing ----------------------------------------------------------------------- */

START_TEST(an_interrupted_call_is_repeated)
{
    open_pair(_i);
    host_fail(HOST_read, 0, 3, EINTR);
    host_put(ends[1], "at last");
    host_start(&a, 'A', &io, "r");
    host_run();
    host_fail(HOST_sendmsg, 0, 3, EINTR);
    host_start(&a, 'A', &io, "w");
    host_run();
    ck_assert_trace("Ar:at last@0 Aw:5@0 ");
    close_pair();
}
END_TEST

START_TEST(a_signal_during_a_descriptor_check_does_not_make_the_descriptor_ready)
{
    open_pair(_i);
    host_fail(HOST_poll, 0, 1, EINTR);
    host_start(&a, 'A', &io, "R");
    host_turns(1);
    ck_assert_trace("");
    pt_cancel(&a.task, PT_ECANCELED);
    close_pair();
}
END_TEST

/* Waits until readable, for at most 5 ms. */
struct choice {
    struct pt pt;
    PT_SELECTION(2) next;
};

static PT_ASYNC(choice, self)
{
    PT_SELECT(&self->next, PT_CASE_READABLE(&io), PT_CASE_AFTER(PT_MS(5)));
    trace_add("%d@%d ", PT_SELECTED(&self->next), host_ms(PT_NOW()));
}
PT_END

START_TEST(a_failed_poll_makes_no_descriptor_ready_and_loses_no_event)
{
    static const int errors[] = {EINTR, ENOMEM, EINVAL};
    static PT_TASK(choice) task;

    for (int i = 0; i < 6; i++) {
        open_pair(_i);
        PT_START(&host.loop, &task, choice);
        pt_loop_turn(&host.loop, host.now); /* a ring has now reported that it is writable */
        host_fail(HOST_poll, 0, 1 + i % 2, errors[i / 2]);
        host_run();
        host.fault.times = 0; /* not every poller calls poll(2) */
        ck_assert_trace("1@5 ");
        PT_START(&host.loop, &task, choice);
        pt_loop_turn(&host.loop, host.now);
        host_put(ends[1], "news");
        host_fail(HOST_poll, 0, 1 + i % 2, errors[i / 2]);
        host_run();
        host.fault.times = 0;
        ck_assert_trace("0@5 ");
        close_pair();
    }
}
END_TEST

START_TEST(all_descriptors_are_polled_after_the_limit_drops_below_their_number)
{
    enum { MANY = 30 };
    static struct pt_io many[MANY];
    static int others[MANY];
    struct rlimit most, few;

    host_open(host_pollers[_i]);
    for (int i = 0; i < MANY; i++) {
        host_pair(ends);
        ck_assert_int_eq(pt_io_open(&many[i], &host.system, ends[0]), PT_OK);
        others[i] = ends[1];
    }
    getrlimit(RLIMIT_NOFILE, &most);
    few = most;
    few.rlim_cur = 20;
    setrlimit(RLIMIT_NOFILE, &few);
    host_start(&a, 'A', &many[MANY - 1], "rsr");
    host_turns(2);
    host_put(others[MANY - 1], "one");
    host_turns(20);
    host_put(others[MANY - 1], "two");
    host_turns(20);
    ck_assert_ptr_nonnull(strstr(trace_take(), "Ar:two"));
    setrlimit(RLIMIT_NOFILE, &most);
    for (int i = 0; i < MANY; i++) {
        pt_io_close(&many[i]);
        close(others[i]);
    }
    host_close();
}
END_TEST

START_TEST(a_write_without_a_reader_returns_a_code_and_raises_no_signal)
{
    open_pair(_i);
    close(ends[1]);
    host_start(&a, 'A', &io, "w");
    host_run();
    ck_assert_int_eq(pipe(ends), 0);
    ck_assert_int_eq(pt_io_open(&other, &host.system, ends[1]), PT_OK);
    close(ends[0]);
    host_start(&a, 'A', &other, "w");
    host_run();
    ck_assert_trace("Aw:ECLOSED@0 Aw:ECLOSED@0 ");
    pt_io_close(&other);
    pt_io_close(&io);
    host_close();
}
END_TEST

START_TEST(the_program_keeps_its_own_handler_for_sigpipe)
{
    signal(SIGPIPE, SIG_DFL);
    host_open(host_pollers[_i]);
    ck_assert(signal(SIGPIPE, SIG_DFL) == SIG_IGN);
    host_close();
    signal(SIGPIPE, _exit);
    host_open(host_pollers[_i]);
    ck_assert(signal(SIGPIPE, SIG_DFL) == _exit);
    host_close();
}
END_TEST

/* Open a system without the descriptors of MISSING, a set of bits, and restore all. Returns those
 * that are /dev/null meanwhile; 0 if a child would not inherit one. */
static unsigned nulls_without(unsigned missing, const char *poller)
{
    struct stat null, about;
    int kept[3];
    unsigned nulls = 0;

    ck_assert_int_eq(stat("/dev/null", &null), 0);
    for (int fd = 0; fd < 3; fd++) {
        kept[fd] = fcntl(fd, F_DUPFD_CLOEXEC, 50);
        if (missing & 1u << fd)
            close(fd);
    }
    host_open(poller);
    for (int fd = 0; fd < 3; fd++)
        if (missing & 1u << fd && !fstat(fd, &about) && about.st_rdev == null.st_rdev &&
            !fcntl(fd, F_GETFD))
            nulls |= 1u << fd;
    host_close();
    for (int fd = 0; fd < 3; fd++) {
        dup2(kept[fd], fd);
        close(kept[fd]);
    }
    return nulls;
}

START_TEST(no_connection_gets_the_number_of_a_standard_descriptor_that_is_closed)
{
    int before = host_descriptors();

    for (unsigned missing = 0; missing < 8; missing++)
        ck_assert_uint_eq(nulls_without(missing, host_pollers[_i]), missing);
    ck_assert_int_eq(host_descriptors(), before);
}
END_TEST

START_TEST(a_reset_connection_fails_with_pt_eio_and_keeps_its_errno)
{
    open_pair(_i);
    host_fail(HOST_read, 0, 1, ECONNRESET);
    host_start(&a, 'A', &io, "r");
    host_run();
    ck_assert_trace("Ar:EIO@0 ");
    ck_assert_int_eq(io.error, ECONNRESET);
    host_fail(HOST_sendmsg, 0, 1, ECONNRESET);
    host_start(&a, 'A', &io, "w");
    host_run();
    ck_assert_trace("Aw:EIO@0 ");
    ck_assert_int_eq(io.error, ECONNRESET);
    close_pair();
}
END_TEST

/* --- opening ----------------------------------------------------------------------------------- */

START_TEST(a_failed_open_returns_the_reason_and_leaks_nothing)
{
    static const enum host_call calls[] = {HOST_fstat,   HOST_getsockopt, HOST_fcntl,
                                           HOST_realloc, HOST_epoll_ctl,  HOST_io_uring_submit};
    int before, tried = 0;

    host_open(host_pollers[_i]);
    host_pair(ends);
    before = host_descriptors();
    for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++) {
        bool memory = calls[i] == HOST_realloc;

        if (i > 3 && (calls[i] != host_adds_by(_i) || host_is(_i, "kqueue")))
            continue;
        host_fail(calls[i], 0, 1, memory ? ENOMEM : EIO);
        ck_assert_int_eq(pt_io_open(&io, &host.system, ends[0]), memory ? PT_ENOMEM : PT_EIO);
        ck_assert_int_eq(io.error, memory ? ENOMEM : EIO);
        ck_assert_int_eq(io.fd, -1);
        tried++;
    }
    ck_assert_int_ge(tried, 4);
    ck_assert_int_eq(host_descriptors(), before);
    ck_assert_int_eq(pt_io_open(&io, &host.system, ends[0]), PT_OK);
    close_pair();
}
END_TEST

START_TEST(an_operation_on_what_failed_to_open_returns_the_reason)
{
    host_open(host_pollers[_i]);
    ck_assert_int_eq(pt_io_open(&io, &host.system, -1), PT_EIO);
    ck_assert_int_eq(io.fd, -1);
    host_start(&a, 'A', &io, "r");
    host_run();
    ck_assert_trace("Ar:EIO@0 ");
    ck_assert_int_eq(pt_io_shutdown(&io, SHUT_WR), PT_EIO);
    ck_assert_int_eq(io.error, EBADF);
    host_pair(ends);
    ck_assert_int_eq(pt_io_open(&io, &host.system, ends[0]), PT_OK);
    ck_assert_int_eq(pt_io_open(&other, &host.system, ends[0]), PT_EBUSY);
    ck_assert_int_eq(pt_io_shutdown(&other, SHUT_WR), PT_EBUSY);
    pt_io_close(&io);
    ck_assert_int_eq(pt_io_shutdown(&io, SHUT_WR), PT_ECLOSED);
    host_close();
    close(ends[1]);
}
END_TEST

START_TEST(a_failed_listen_returns_the_reason_and_leaks_nothing)
{
    static const enum host_call calls[] = {HOST_socket, HOST_setsockopt, HOST_bind, HOST_listen,
#ifdef PT_PLAIN_UNIX
                                           HOST_fcntl
#endif
    };
    struct sockaddr_un name;
    int before;

    memset(&name, 0, sizeof name);
    name.sun_family = AF_UNIX;
    host_open(host_pollers[_i]);
    before = host_descriptors();
    for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++) {
        host_fail(calls[i], 0, 1, EACCES);
        ck_assert_int_eq(pt_listen(&io, &host.system, (const struct sockaddr *)(const void *)&name,
                                   sizeof name, false),
                         PT_EIO);
        ck_assert_int_eq(io.error, EACCES);
        ck_assert_int_eq(host_descriptors(), before);
    }
    host_close();
}
END_TEST

START_TEST(a_system_that_fails_to_open_returns_the_reason_and_leaks_nothing)
{
    static const enum host_call calls[] = {HOST_eventfd,
                                           HOST_pipe,
                                           HOST_malloc,
                                           HOST_calloc,
                                           HOST_epoll_create1,
                                           HOST_epoll_ctl,
                                           HOST_realloc,
                                           HOST_io_uring_submit,
                                           HOST_io_uring_queue_init_params};
    int before = host_descriptors(), refused = 0;

    for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++) {
        pt_status status;

        host_fail(calls[i], 0, 1, ENOMEM);
        status = pt_system_open(&host.system, &host.loop, host_pollers[_i]);
        host.fault.times = 0;
        if (status == PT_OK) /* the other poller's call */
            pt_system_close(&host.system);
        else
            ck_assert_int_eq(status, PT_ENOMEM);
        refused += status != PT_OK;
        ck_assert_int_eq(host_descriptors(), before);
    }
    ck_assert_int_ge(refused, 3);
    ck_assert_int_eq(pt_system_open(&host.system, &host.loop, "select"), PT_EINVAL);
    host.real = true;
}
END_TEST

/* A descriptor with the number of one that was closed has another owner. */
START_TEST(a_close_of_what_is_not_open_does_nothing)
{
    static struct pt_system system;
    static struct pt_loop loop;
    static struct pt_workers workers;
    static struct pt_team team;
    static struct pt_pollset set;
    static struct pt_io never;
    int before;

    host_open(host_pollers[_i]);
    pt_pollset_close(&set);
    pt_pollset_open(&set, &host.system);
    pt_pollset_close(&set);
    pt_pollset_close(&set);
    before = host.calls[HOST_close];
    ck_assert_int_eq(pt_io_close(&never), PT_OK);
    ck_assert_int_eq(host.calls[HOST_close], before);
    ck_assert_int_eq(pt_system_open(&system, &loop, "select"), PT_EINVAL);
    pt_system_close(&system);
    ck_assert_int_eq(pt_workers_open(&workers, &host.system, 0), PT_EINVAL);
    pt_workers_close(&workers);
    ck_assert_int_eq(pt_team_open(&team, 1, "select"), PT_EINVAL);
    pt_team_close(&team);
    ck_assert_int_eq(pt_system_open(&system, &loop, host_pollers[_i]), PT_OK);
    pt_system_close(&system);
    host_pair(ends);
    before = host.calls[HOST_close];
    pt_system_close(&system);
    ck_assert_int_eq(host.calls[HOST_close], before);
    close(ends[0]);
    close(ends[1]);
    host_close();
}
END_TEST

START_TEST(the_environment_chooses_the_poller)
{
    setenv("PT_POLLER", host_pollers[_i], 1);
    ck_assert_int_eq(pt_system_open(&host.system, &host.loop, NULL), PT_OK);
    ck_assert_str_eq(pt_system_poller(&host.system), host_pollers[_i]);
    pt_system_close(&host.system);
    setenv("PT_POLLER", "", 1);
    ck_assert_int_eq(pt_system_open(&host.system, &host.loop, NULL), PT_OK);
    ck_assert_str_eq(pt_system_poller(&host.system), host_pollers[0]);
    pt_system_close(&host.system);
}
END_TEST

START_TEST(an_environment_that_names_no_poller_is_told_which_there_are)
{
    int before = dup(STDERR_FILENO), pipe_ends[2];
    char said[256] = "", expected[32];

    ck_assert(before >= 0 && !pipe(pipe_ends));
    setenv("PT_POLLER", "nosuch", 1);
    dup2(pipe_ends[1], STDERR_FILENO);
    ck_assert_int_eq(pt_system_open(&host.system, &host.loop, NULL), PT_EINVAL);
    dup2(before, STDERR_FILENO);
    ck_assert_int_gt(read(pipe_ends[0], said, sizeof said - 1), 0);
    ck_assert_ptr_nonnull(strstr(said, "pt: PT_POLLER is \"nosuch\"; it must be one of:"));
    snprintf(expected, sizeof expected, " %s", host_pollers[_i]);
    ck_assert_ptr_nonnull(strstr(said, expected));
    close(before);
    close(pipe_ends[0]);
    close(pipe_ends[1]);
}
END_TEST

Suite *host_suite_errors(void)
{
    Suite *suite = suite_create("errors");

    host_test(suite, an_interrupted_call_is_repeated);
    host_test(suite, a_signal_during_a_descriptor_check_does_not_make_the_descriptor_ready);
    host_test(suite, a_failed_poll_makes_no_descriptor_ready_and_loses_no_event);
    host_test(suite, all_descriptors_are_polled_after_the_limit_drops_below_their_number);
    host_test(suite, a_write_without_a_reader_returns_a_code_and_raises_no_signal);
    host_test(suite, the_program_keeps_its_own_handler_for_sigpipe);
    host_test(suite, no_connection_gets_the_number_of_a_standard_descriptor_that_is_closed);
    host_test(suite, a_reset_connection_fails_with_pt_eio_and_keeps_its_errno);
    host_test(suite, a_failed_open_returns_the_reason_and_leaks_nothing);
    host_test(suite, an_operation_on_what_failed_to_open_returns_the_reason);
    host_test(suite, a_failed_listen_returns_the_reason_and_leaks_nothing);
    host_test(suite, a_system_that_fails_to_open_returns_the_reason_and_leaks_nothing);
    host_test(suite, a_close_of_what_is_not_open_does_nothing);
    host_test(suite, the_environment_chooses_the_poller);
    host_test(suite, an_environment_that_names_no_poller_is_told_which_there_are);
    return suite;
}
