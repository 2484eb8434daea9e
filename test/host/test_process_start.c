/* test_process_start.c - what a child gets: its descriptors, environment, directory and group
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "host.h"

#include <pt/host/process.h>

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

/* --- a child, and all that it says ----------------------------------------------------------- */

/* Keeps what can be read until the end. */
struct gather {
    struct pt pt;
    struct pt_io *io;
    size_t length, step;
    char text[4096];
};

static PT_ASYNC(gather, self)
{
    for (self->length = 0; self->pt.status == PT_OK; self->length += self->step)
        PT_READ(self->io, self->text + self->length, sizeof self->text - 1 - self->length,
                &self->step);
    self->text[self->length] = '\0';
    PT_RETURN(self->pt.status == PT_ECLOSED ? PT_OK : self->pt.status);
}
PT_END

static PT_TASK(gather) said, complained;
static PT_TASK(pt_wait_process) end;
static struct pt_process child;
static const char *words[] = {"sh", "-c", NULL, NULL};

/* A child that runs SCRIPT, not started; the rest of its fields are zero. */
static void script(const char *text)
{
    memset(&child, 0, sizeof child);
    words[2] = text;
    child.words = words;
}

static void start(void)
{
    ck_assert_int_eq(pt_process_start(&child, &host.system), PT_OK);
    ck_assert_int_gt(child.pid, 0);
    ck_assert_int_eq(child.error, 0);
}

/* Read its pipes to their ends, and wait for its end. */
static void finish(void)
{
    host.patient = true;
    PT_START(&host.loop, &end, pt_wait_process, .system = &host.system, .pid = child.pid);
    if (child.output.system)
        PT_START(&host.loop, &said, gather, .io = &child.output);
    if (child.errors.system)
        PT_START(&host.loop, &complained, gather, .io = &child.errors);
    host_run();
    ck_assert_int_eq(pt_task_status(&end.task), end.frame.code ? PT_EFAILED : PT_OK);
    pt_io_close(&child.input);
    pt_io_close(&child.output);
    pt_io_close(&child.errors);
}

static const char *output_of(const char *text)
{
    script(text);
    child.out = PT_PROCESS_PIPE;
    start();
    finish();
    return said.frame.text;
}

/* The start fails with STATUS and ERROR, and leaves nothing open. A CALL of the system fails after
 * so many of its kind. */
static void refuse_at(enum host_call call, int after, pt_status status, int error)
{
    int before = host_descriptors();
    pt_status got;

    host_fail(call, after, call != HOST_CALL_COUNT, error);
    got = pt_process_start(&child, &host.system);
    ck_assert_int_eq(host.fault.times, 0);
    ck_assert_int_eq(got, status);
    ck_assert_int_eq(child.error, error);
    ck_assert_int_eq(child.pid, 0);
    ck_assert_ptr_null(child.input.system);
    ck_assert_ptr_null(child.output.system);
    ck_assert_ptr_null(child.errors.system);
    ck_assert_int_eq(host_descriptors(), before);
    ck_assert_int_eq(waitpid(-1, NULL, WNOHANG), -1); /* no child is left */
    ck_assert_int_eq(errno, ECHILD);
}

static void refuse(pt_status status, int error)
{
    refuse_at(HOST_CALL_COUNT, 0, status, error);
}

/* --- 0, 1 and 2 ------------------------------------------------------------------------------ */

START_TEST(a_child_has_pipes_at_0_1_and_2)
{
    int before;

    host_open(host_pollers[_i]);
    before = host_descriptors();
    script("cat; echo done >&2");
    child.in = child.out = child.err = PT_PROCESS_PIPE;
    start();
    ck_assert_int_eq(host_descriptors(), before + 3);
    host_put(child.input.fd, "hello");
    pt_io_close(&child.input);
    finish();
    ck_assert_str_eq(said.frame.text, "hello");
    ck_assert_str_eq(complained.frame.text, "done\n");
    ck_assert_int_eq(host_descriptors(), before);
    host_close();
}
END_TEST

START_TEST(a_pipe_blocks_in_the_child_and_not_here)
{
    char *rest;

    host_open(host_pollers[_i]);
    script("sed -n 's/^flags:.//p' /proc/$$/fdinfo/0 /proc/$$/fdinfo/1");
    child.in = child.out = PT_PROCESS_PIPE;
    start();
    ck_assert(fcntl(child.output.fd, F_GETFL) & O_NONBLOCK);
    ck_assert(fcntl(child.output.fd, F_GETFD) & FD_CLOEXEC);
    finish();
    ck_assert_int_eq(strtol(said.frame.text, &rest, 8) & O_NONBLOCK, 0);
    ck_assert_int_eq(strtol(rest, &rest, 8) & O_NONBLOCK, 0);
    ck_assert_str_eq(rest, "\n");
    host_close();
}
END_TEST

START_TEST(a_child_reads_the_end_of_dev_null_and_what_it_writes_there_is_dropped)
{
    host_open(host_pollers[_i]);
    script("cat && echo lost && echo kept >&2");
    child.in = child.out = PT_PROCESS_NULL;
    child.err = PT_PROCESS_PIPE;
    start();
    finish();
    ck_assert_str_eq(complained.frame.text, "kept\n");
    ck_assert_int_eq(end.frame.code, 0);
    host_close();
}
END_TEST

START_TEST(what_a_child_writes_at_2_is_in_order_with_its_output)
{
    host_open(host_pollers[_i]);
    script("echo one; echo two >&2; echo three");
    child.out = PT_PROCESS_PIPE;
    child.err = PT_PROCESS_OUTPUT;
    start();
    finish();
    ck_assert_str_eq(said.frame.text, "one\ntwo\nthree\n");
    host_close();
}
END_TEST

static void read_all(int fd, const char *expected)
{
    char text[80] = "";
    ssize_t length = read(fd, text, sizeof text - 1);

    ck_assert_int_eq(length, (ssize_t)strlen(expected));
    ck_assert_str_eq(text, expected);
}

START_TEST(a_child_gets_copies_of_given_descriptors_that_stay_open_here)
{
    int from[2], to[2];

    host_open(host_pollers[_i]);
    ck_assert(!pipe2(from, O_CLOEXEC) && !pipe2(to, O_CLOEXEC));
    host_put(from[1], "hello\n");
    script("read line; echo \"$line\" there; echo 2 >&2");
    child.in = from[0];
    child.out = to[1];
    child.err = PT_PROCESS_OUTPUT;
    start();
    finish();
    read_all(to[0], "hello there\n2\n");
    for (int i = 0; i < 2; i++) {
        ck_assert(fcntl(from[i], F_GETFD) & FD_CLOEXEC);
        ck_assert(fcntl(to[i], F_GETFD) & FD_CLOEXEC);
        close(from[i]), close(to[i]);
    }
    host_close();
}
END_TEST

/* Each goes where another one comes from. */
START_TEST(a_child_can_have_1_and_2_exchanged)
{
    int one[2], two[2], kept[2];

    host_open(host_pollers[_i]);
    for (int i = 0; i < 2; i++)
        kept[i] = fcntl(i + 1, F_DUPFD_CLOEXEC, 10);
    ck_assert(!pipe2(one, O_CLOEXEC) && !pipe2(two, O_CLOEXEC));
    fflush(stdout);
    dup2(one[1], 1), dup2(two[1], 2);
    script("echo to-1; echo to-2 >&2");
    child.out = 2;
    child.err = 1;
    start();
    for (int i = 0; i < 2; i++)
        dup2(kept[i], i + 1), close(kept[i]);
    finish();
    read_all(one[0], "to-2\n");
    read_all(two[0], "to-1\n");
    close(one[0]), close(one[1]), close(two[0]), close(two[1]);
    host_close();
}
END_TEST

/* A pipe gets the numbers 0 and 1, which the program has closed. */
START_TEST(a_child_gets_its_pipes_although_they_have_the_numbers_of_closed_descriptors)
{
    int kept[2];

    host_open(host_pollers[_i]);
    for (int i = 0; i < 2; i++)
        kept[i] = fcntl(i, F_DUPFD_CLOEXEC, 10), close(i);
    script("cat; echo done >&2");
    child.in = child.out = child.err = PT_PROCESS_PIPE;
    start();
    host_put(child.input.fd, "hello");
    pt_io_close(&child.input);
    finish();
    for (int i = 0; i < 2; i++)
        dup2(kept[i], i), close(kept[i]);
    ck_assert_str_eq(said.frame.text, "hello");
    ck_assert_str_eq(complained.frame.text, "done\n");
    host_close();
}
END_TEST

/* What it would get at 2 is the end of a pipe that has the number 1 here: so its input never ends. */
START_TEST(a_child_without_an_output_cannot_have_the_same_at_2)
{
    int kept[2];

    host_open(host_pollers[_i]);
    for (int i = 0; i < 2; i++)
        kept[i] = fcntl(i, F_DUPFD_CLOEXEC, 10), close(i);
    script("cat");
    child.in = PT_PROCESS_PIPE;
    child.err = PT_PROCESS_OUTPUT;
    refuse(PT_EIO, EBADF);
    for (int i = 0; i < 2; i++)
        dup2(kept[i], i), close(kept[i]);
    host_close();
}
END_TEST

START_TEST(a_child_inherits_no_other_descriptor_even_one_that_stays_open_at_an_exec)
{
    char text[160];
    int low = open("/dev/null", O_RDONLY), high = fcntl(low, F_DUPFD, 200);

    host_open(host_pollers[_i]);
    ck_assert_int_eq(fcntl(high, F_GETFD), 0);
    snprintf(text, sizeof text,
             "for i in %d %d %d; do test -e /proc/$$/fd/$i && echo $i; done; :", low, high,
             host.system.wakeup[0]);
    ck_assert_str_eq(output_of(text), "");
    ck_assert_str_eq(output_of("test -e /proc/$$/fd/1 && echo 1"), "1\n"); /* so one asks */
    close(low), close(high);
    host_close();
}
END_TEST

/* A pipe whose ends are no numbers that a child gets. */
static void make_high_pipe(int ends[2])
{
    int low[2];

    ck_assert_int_eq(pipe2(low, O_CLOEXEC), 0);
    for (int i = 0; i < 2; i++)
        ends[i] = fcntl(low[i], F_DUPFD_CLOEXEC, 30), close(low[i]);
}

/* Each goes where another one is. Meanwhile nothing asserts: Check uses one of these numbers. */
START_TEST(a_child_has_the_descriptors_that_are_handed_over_from_3_on)
{
    int one[2], two[2], handed[] = {4, 3, -1, -1}, kept[2], closed;
    pt_status status;

    make_high_pipe(one), make_high_pipe(two);
    host_open(host_pollers[_i]);
    script("echo to-3 >&3; echo to-4 >&4; echo to-5 >&5; test -e /proc/$$/fd/6 && echo 6; :");
    child.handed = handed;
    handed[2] = two[1];
    for (int i = 0; i < 2; i++)
        kept[i] = fcntl(i + 3, F_DUPFD_CLOEXEC, 20);
    dup2(one[1], 3), dup2(two[1], 4);
    status = pt_process_start(&child, &host.system);
    for (int i = 0; i < 2; i++)
        dup2(kept[i], i + 3), close(kept[i]);
    ck_assert_int_eq(status, PT_OK);
    finish();
    ck_assert_int_eq(end.frame.code, 0);
    read_all(one[0], "to-4\n");
    read_all(two[0], "to-3\nto-5\n");
    close(one[0]), close(one[1]);
    closed = open("/dev/null", O_RDONLY);
    close(closed);
    handed[1] = closed;
    script("exit 0");
    child.in = PT_PROCESS_PIPE; /* which gets that number */
    child.handed = handed;
    refuse(PT_EIO, EBADF);
    close(two[0]), close(two[1]);
    host_close();
}
END_TEST

START_TEST(a_start_closes_what_an_earlier_one_has_left_open)
{
    int before;

    host_open(host_pollers[_i]);
    script("exit 0");
    child.out = PT_PROCESS_PIPE;
    start();
    before = host_descriptors();
    ck_assert_int_eq(waitpid(child.pid, NULL, 0), child.pid);
    start();
    ck_assert_int_eq(host_descriptors(), before);
    finish();
    host_close();
}
END_TEST

/* --- the environment, the directory, the group ----------------------------------------------- */

START_TEST(an_environment_is_inherited_added_to_or_replaced)
{
    static const char *const added[] = {"PT_ADDED=1", "PT_OLD=new", "PT_OLDERS=1",
                                        "PT_GONE",    "PT_NEVER",   NULL};
    static const char *const whole[] = {"PT_OLD=whole", NULL};
    const char *const ask = "echo $PT_OLD,$PT_OLDER,$PT_ADDED,${PT_GONE-unset},${PT_NEVER-unset}";

    setenv("PT_OLD", "old", 1), setenv("PT_OLDER", "older", 1), setenv("PT_GONE", "here", 1);
    host_open(host_pollers[_i]);
    for (int i = 0; i < 4; i++) {
        script(ask);
        child.out = PT_PROCESS_PIPE;
        child.variables = i & 1 ? added : NULL;
        child.environment = i & 2 ? whole : NULL;
        start();
        finish();
        trace_add("%s", said.frame.text);
    }
    ck_assert_trace("old,older,,here,unset\n"
                    "new,older,1,unset,unset\n"
                    "whole,,,unset,unset\n"
                    "new,,1,unset,unset\n");
    ck_assert_str_eq(getenv("PT_OLD"), "old");
    host_close();
}
END_TEST

START_TEST(a_program_that_has_cleared_its_environment_starts_children)
{
    static const char *const added[] = {"PT_ADDED=1", NULL};
    char **whole = environ;

    host_open(host_pollers[_i]);
    environ = NULL; /* as clearenv(3) leaves it */
    for (int i = 0; i < 2; i++) {
        script("echo $PT_OLD,$PT_ADDED");
        child.out = PT_PROCESS_PIPE;
        child.variables = i ? added : NULL;
        start();
        finish();
        trace_add("%s", said.frame.text);
    }
    environ = whole;
    ck_assert_trace(",\n,1\n");
    host_close();
}
END_TEST

START_TEST(a_child_starts_in_its_directory_and_this_program_stays_in_its_own)
{
    char before[4096], after[4096];

    host_open(host_pollers[_i]);
    ck_assert_ptr_nonnull(getcwd(before, sizeof before));
    script("pwd");
    child.directory = "/usr";
    child.out = PT_PROCESS_PIPE;
    start();
    finish();
    ck_assert_str_eq(said.frame.text, "/usr\n");
    ck_assert_ptr_nonnull(getcwd(after, sizeof after));
    ck_assert_str_eq(after, before);
    host_close();
}
END_TEST

START_TEST(a_signal_to_a_group_reaches_what_the_child_has_started)
{
    static actor_task a;

    host_open(host_pollers[_i]);
    script("sleep 1000 & echo $!; wait");
    child.out = PT_PROCESS_PIPE;
    child.group = true;
    start();
    ck_assert_int_eq(getpgid(child.pid), child.pid);
    host_start(&a, 'A', &child.output, "r");
    host.patient = true;
    host_run(); /* until it has written */
    ck_assert_int_eq(kill(-child.pid, SIGTERM), 0);
    finish(); /* up to the end of the pipe, which the grandchild has, too */
    ck_assert_int_eq(end.frame.signal, SIGTERM);
    script("exit 0");
    start();
    ck_assert_int_eq(getpgid(child.pid), getpgrp());
    finish();
    host_close();
}
END_TEST

/* --- failures -------------------------------------------------------------------------------- */

START_TEST(a_start_returns_why_the_program_cannot_run)
{
    static const char *no_program[] = {"pt-no-such-program", NULL};
    static const char *no_right[] = {"/etc/passwd", NULL};

    host_open(host_pollers[_i]);
    script("exit 0");
    child.in = child.out = child.err = PT_PROCESS_PIPE;
    child.words = no_program;
    refuse(PT_EIO, ENOENT);
    child.words = no_right;
    refuse(PT_EIO, EACCES);
    child.words = words;
    child.directory = "/nowhere";
    refuse(PT_EIO, ENOENT);
    child.directory = "/etc/passwd";
    refuse(PT_EIO, ENOTDIR);
    host_close();
}
END_TEST

START_TEST(a_value_that_says_nothing_and_a_descriptor_that_is_closed_are_refused)
{
    static const int wrong[][3] = {
        {PT_PROCESS_OUTPUT, 0, 0}, {0, PT_PROCESS_OUTPUT, 0}, {0, 0, -4}, {-1000, 0, 0}};
    int closed = open("/dev/null", O_RDONLY);

    host_open(host_pollers[_i]);
    for (int i = 0; i < 4; i++) {
        script("exit 0");
        child.in = wrong[i][0], child.out = wrong[i][1], child.err = wrong[i][2];
        refuse(PT_EINVAL, 0);
    }
    close(closed);
    script("exit 0");
    child.in = child.out = PT_PROCESS_PIPE; /* one of them gets that number */
    child.err = closed;
    refuse(PT_EIO, EBADF);
    host_close();
}
END_TEST

START_TEST(a_start_that_fails_halfway_leaves_nothing_open)
{
    static const char *const added[] = {"PT_ADDED=1", NULL};
    const struct {
        enum host_call call;
        int error, times;
    } faults[] = {{HOST_pipe, EMFILE, 3},
                  {HOST_fcntl, EMFILE, 3},
                  {HOST_epoll_ctl, ENOMEM, host_is(_i, "epoll") ? 3 : 0},
                  {HOST_malloc, ENOMEM, 2},
                  {HOST_posix_spawnp, EAGAIN, 1},
                  {HOST_posix_spawnp, ENOMEM, 1}};

    host_open(host_pollers[_i]);
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++)
        for (int after = 0; after < faults[i].times; after++) {
            script("exit 0");
            child.in = child.out = child.err = PT_PROCESS_PIPE;
            child.variables = added;
            refuse_at(faults[i].call, after, faults[i].error == ENOMEM ? PT_ENOMEM : PT_EIO,
                      faults[i].error);
        }
    start();
    finish();
    host_close();
}
END_TEST

START_TEST(without_a_descriptor_left_a_start_fails_and_succeeds_when_there_are_some)
{
    struct rlimit before, few;
    int held[64], count = 0;

    host_open(host_pollers[_i]);
    ck_assert_int_eq(getrlimit(RLIMIT_NOFILE, &before), 0);
    few = before;
    few.rlim_cur = 64;
    for (int fd = 64; fd < 1024; fd++) /* no step may name those, if there are any */
        close(fd);
    ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &few), 0);
    while (count < 64 && (held[count] = open("/dev/null", O_RDONLY)) >= 0)
        count++;
    for (int left = 0; left < 6; left++) { /* three pipes take six */
        script("exit 0");
        child.in = child.out = child.err = PT_PROCESS_PIPE;
        ck_assert_int_eq(pt_process_start(&child, &host.system), PT_EIO);
        ck_assert_int_eq(child.error, EMFILE);
        close(held[--count]);
    }
    while (count)
        close(held[--count]);
    start();
    finish();
    ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &before), 0);
    host_close();
}
END_TEST

/* --- beside threads -------------------------------------------------------------------------- */

static volatile int stop;

/* A thread that holds the allocator's locks, and has its own descriptors, as often as it can. */
static void *disturb(void *argument)
{
    (void)argument;
    while (!__atomic_load_n(&stop, __ATOMIC_RELAXED)) {
        int fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
        void *block = malloc(5000);

        free(block);
        close(fd);
    }
    return NULL;
}

START_TEST(children_start_beside_threads_that_allocate_and_open)
{
    pthread_t threads[2];

    host_open(host_pollers[_i]);
    host.apart = true;
    stop = 0;
    for (int i = 0; i < 2; i++)
        ck_assert_int_eq(pthread_create(&threads[i], NULL, disturb, NULL), 0);
    for (int i = 0; i < 20; i++)
        ck_assert_str_eq(output_of("echo well"), "well\n");
    __atomic_store_n(&stop, 1, __ATOMIC_RELAXED);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    host_close();
}
END_TEST

Suite *host_suite_process_start(void)
{
    Suite *suite = suite_create("process_start");

    host_test(suite, a_child_has_pipes_at_0_1_and_2);
    host_test(suite, a_pipe_blocks_in_the_child_and_not_here);
    host_test(suite, a_child_reads_the_end_of_dev_null_and_what_it_writes_there_is_dropped);
    host_test(suite, what_a_child_writes_at_2_is_in_order_with_its_output);
    host_test(suite, a_child_gets_copies_of_given_descriptors_that_stay_open_here);
    host_test(suite, a_child_can_have_1_and_2_exchanged);
    host_test(suite, a_child_gets_its_pipes_although_they_have_the_numbers_of_closed_descriptors);
    host_test(suite, a_child_without_an_output_cannot_have_the_same_at_2);
    host_test(suite, a_child_inherits_no_other_descriptor_even_one_that_stays_open_at_an_exec);
    host_test(suite, a_child_has_the_descriptors_that_are_handed_over_from_3_on);
    host_test(suite, a_start_closes_what_an_earlier_one_has_left_open);
    host_test(suite, an_environment_is_inherited_added_to_or_replaced);
    host_test(suite, a_program_that_has_cleared_its_environment_starts_children);
    host_test(suite, a_child_starts_in_its_directory_and_this_program_stays_in_its_own);
    host_test(suite, a_signal_to_a_group_reaches_what_the_child_has_started);
    host_test(suite, a_start_returns_why_the_program_cannot_run);
    host_test(suite, a_value_that_says_nothing_and_a_descriptor_that_is_closed_are_refused);
    host_test(suite, a_start_that_fails_halfway_leaves_nothing_open);
    host_test(suite, without_a_descriptor_left_a_start_fails_and_succeeds_when_there_are_some);
    host_test(suite, children_start_beside_threads_that_allocate_and_open);
    return suite;
}
