/* test_misuse.c - mistakes that stop the program with a message, in every build of the library
 * SPDX-License-Identifier: MIT */
#include "host.h"

#include <signal.h>
#include <sys/wait.h>

static const char *poller;
static struct pt_io never_opened, io;
static struct sockaddr_storage from;
static size_t count;

/* Run ACT in a child process; it must be killed, after a message that contains TEXT. */
static void stops(void (*act)(void), const char *text)
{
    char said[512];
    size_t length = 0;
    ssize_t got;
    int ends[2], status;
    pid_t pid;

    ck_assert_int_eq(pipe(ends), 0);
    pid = fork();
    if (!pid) {
        dup2(ends[1], 2);
        close(ends[1]);
        act();
        _exit(0);
    }
    close(ends[1]);
    while ((got = read(ends[0], said + length, sizeof said - 1 - length)) > 0)
        length += (size_t)got;
    said[length] = '\0';
    close(ends[0]);
    ck_assert_int_eq(waitpid(pid, &status, 0), pid);
    ck_assert_msg(strstr(said, text) != NULL, "not \"%s\", but \"%s\", status %d", text, said,
                  status);
    ck_assert(WIFSIGNALED(status));
}

/* --- a pt_io that was never opened ------------------------------------------------------------ */

enum operation {
    READ,
    WRITE,
    READV,
    WRITEV,
    RECVFROM,
    SENDTO,
    ACCEPT,
    CONNECT,
    READABLE,
    WRITABLE,
    HANGUP,
    CASE_READABLE,
    CASE_HANGUP,
    SIGNAL,
    SHUTDOWN
};

static enum operation operation;
static struct pt_signals no_signals;

struct user {
    struct pt pt;
    PT_SELECTION(1) choice;
    struct iovec part;
    struct pt_io peer;
    int number;
};

static PT_ASYNC(user, self)
{
    if (operation == READ)
        PT_READ(&never_opened, &self->number, 1, &count);
    if (operation == WRITE)
        PT_WRITE(&never_opened, &self->number, 1, &count);
    if (operation == READV)
        PT_READV(&never_opened, &self->part, 1, &count);
    if (operation == WRITEV)
        PT_WRITEV(&never_opened, &self->part, 1, &count);
    if (operation == RECVFROM)
        PT_RECVFROM(&never_opened, &self->number, 1, &count, &from);
    if (operation == SENDTO)
        PT_SENDTO(&never_opened, &self->number, 1, (struct sockaddr *)&from, sizeof from);
    if (operation == ACCEPT)
        PT_ACCEPT(&never_opened, &self->peer);
    if (operation == CONNECT)
        PT_CONNECT(&never_opened, (struct sockaddr *)&from, sizeof from);
    if (operation == READABLE)
        PT_WAIT_READABLE(&never_opened);
    if (operation == WRITABLE)
        PT_WAIT_WRITABLE(&never_opened);
    if (operation == HANGUP)
        PT_WAIT_HANGUP(&never_opened);
    if (operation == CASE_READABLE)
        PT_SELECT(&self->choice, PT_CASE_READABLE(&never_opened));
    if (operation == CASE_HANGUP)
        PT_SELECT(&self->choice, PT_CASE_HANGUP(&never_opened));
    if (operation == SIGNAL)
        PT_WAIT_SIGNAL(&no_signals, &self->number);
    if (operation == SHUTDOWN)
        self->pt.status = pt_io_shutdown(&never_opened, SHUT_RDWR);
}
PT_END

static PT_TASK(user) task;

static void use(void)
{
    host_open(poller);
    (void)PT_START(&host.loop, &task, user);
    host_run();
}

START_TEST(a_use_of_a_pt_io_that_was_never_opened_stops_the_program)
{
    static const char *const names[] = {"PT_READ",          "PT_WRITE",       "PT_READV",
                                        "PT_WRITE",         "PT_RECVFROM",    "PT_SENDTO",
                                        "PT_ACCEPT",        "PT_CONNECT",     "PT_WAIT_READABLE",
                                        "PT_WAIT_WRITABLE", "PT_WAIT_HANGUP", "PT_CASE_READABLE",
                                        "PT_CASE_HANGUP",   "PT_WAIT_SIGNAL", "pt_io_shutdown"};
    char text[80];

    poller = host_pollers[_i];
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        operation = (enum operation)i;
        snprintf(text, sizeof text, "pt: %s: %s was never opened", names[i],
                 operation == SIGNAL ? "the pt_signals" : "the pt_io");
        stops(use, text);
    }
}
END_TEST

/* One that was closed, or whose opening failed, is not a mistake. */
START_TEST(a_use_of_a_pt_io_that_is_closed_gets_its_code)
{
    actor_task a = {0};

    host_open(host_pollers[_i]);
    ck_assert_int_eq(pt_io_open(&io, &host.system, -1), PT_EIO);
    host_start(&a, 'A', &io, "r");
    host_run();
    ck_assert_trace("Ar:ECLOSED@0 ");
    host_close();
}
END_TEST

Suite *host_suite_misuse(void)
{
    Suite *suite = suite_create("misuse");

    host_test(suite, a_use_of_a_pt_io_that_was_never_opened_stops_the_program);
    host_test(suite, a_use_of_a_pt_io_that_is_closed_gets_its_code);
    return suite;
}
