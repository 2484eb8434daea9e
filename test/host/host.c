/* host.c - the simulated environment of the host tests, and the test runner
 * SPDX-License-Identifier: MIT
 *
 * PT_TEST_LOG names a file that gets a line `ok sentence` for each test that passed. */
#define _GNU_SOURCE
#include "host.h"

#include <dirent.h>
#include <limits.h>
#include <netinet/in.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>

struct host_world host;

/* The last one is tested if it was built and the kernel supports it. */
const char *const host_pollers[] = {"epoll", "poll", "kqueue", "io_uring"};
int host_poller_count = 3;

bool host_is(int which, const char *poller)
{
    return !strcmp(host_pollers[which], poller);
}

enum host_call host_adds_by(int which)
{
    if (host_is(which, "io_uring"))
        return HOST_io_uring_submit;
    return host_is(which, "poll") ? HOST_realloc : HOST_epoll_ctl;
}

enum host_call host_waits_by(int which)
{
    if (host_is(which, "io_uring"))
        return HOST_io_uring_submit_and_wait_timeout;
    return host_is(which, "poll") ? HOST_poll : HOST_epoll_pwait2;
}

const char *host_one_of_many(int which)
{
    return host_pollers[host_is(which, "kqueue") ? 0 : which];
}

/* --- the trace --- */

static char trace_text[8192];
static size_t trace_length;

void trace_add(const char *format, ...)
{
    size_t room = sizeof trace_text - trace_length;
    va_list arguments;
    int length;

    va_start(arguments, format);
    length = vsnprintf(trace_text + trace_length, room, format, arguments);
    va_end(arguments);
    ck_assert_msg(length >= 0 && (size_t)length < room, "the trace is full");
    trace_length += (size_t)length;
}

const char *trace_take(void)
{
    trace_text[trace_length] = '\0';
    trace_length = 0;
    return trace_text;
}

/* --- the environment --- */

static int poller_number; /* in host_pollers, from 1; 0: no host_open yet */

/* LeakSanitizer calls this at the end of each test, and if it returns 0 searches for leaks: that
 * takes four times as long as the test. So each test is searched with one poller only, and each
 * poller by a part of the tests. */
int __lsan_is_turned_off(void);

int __lsan_is_turned_off(void)
{
    unsigned number = (unsigned)poller_number;

    for (const char *name = tcase_name(); name && *name; name++)
        number += (unsigned char)*name;
    return poller_number && number % (unsigned)host_poller_count;
}

void host_open(const char *poller)
{
    for (poller_number = 1; strcmp(host_pollers[poller_number - 1], poller); poller_number++) {
    }
    memset(host.calls, 0, sizeof host.calls);
    host.waits = 0;
    host.now = HOST_START;
    host.wall = 0;
    host.apart = false;
    host.real = false;
    ck_assert_int_eq(pt_system_open(&host.system, &host.loop, poller), PT_OK);
    ck_assert_str_eq(pt_system_poller(&host.system), poller);
}

void host_turns(int most)
{
    const struct pt_port *port = host.loop.port;

    host.stuck = false;
    while (pt_loop_live(&host.loop) && !host.stuck && most-- > 0) {
        pt_time now = port->turn(port->context), next = pt_loop_turn(&host.loop, now);

        now = host.loop.now;
        if (host.awaited && !pt_task_alive(host.awaited))
            break;
        if (pt_loop_live(&host.loop) && next != now)
            pt_loop_sleep_until_(&host.loop, now, next);
    }
}

void host_run(void)
{
    host_turns(INT_MAX);
}

void host_close(void)
{
    pt_system_close(&host.system);
    host.real = true;
}

void host_fail(enum host_call call, int after, int times, int error)
{
    host.real = false;
    __atomic_store_n(&host.fault.after, after, __ATOMIC_RELAXED);
    __atomic_store_n(&host.fault.times, times, __ATOMIC_RELAXED);
    host.fault.error = error;
    __atomic_store_n(&host.fault.call, call, __ATOMIC_RELEASE);
}

void host_pair(int ends[2])
{
    ck_assert_int_eq(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, ends), 0);
}

void host_tcp_pair(int ends[2])
{
    struct sockaddr_in name;
    socklen_t length = sizeof name;
    int listener = socket(AF_INET, SOCK_STREAM, 0);

    memset(&name, 0, sizeof name);
    name.sin_family = AF_INET;
    name.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    ends[1] = socket(AF_INET, SOCK_STREAM, 0);
    ck_assert_int_eq(bind(listener, (struct sockaddr *)(void *)&name, length), 0);
    ck_assert_int_eq(listen(listener, 1), 0);
    ck_assert_int_eq(getsockname(listener, (struct sockaddr *)(void *)&name, &length), 0);
    ck_assert_int_eq(connect(ends[1], (struct sockaddr *)(void *)&name, length), 0);
    ends[0] = accept(listener, NULL, NULL);
    ck_assert_int_ge(ends[0], 0);
    for (int i = 0; i < 2; i++)
        ck_assert_int_eq(fcntl(ends[i], F_SETFL, O_NONBLOCK), 0);
    close(listener);
}

int host_descriptors(void)
{
    DIR *directory = opendir("/proc/self/fd");
    int count = -1; /* do not count the one of opendir */

    ck_assert_ptr_nonnull(directory);
    while (readdir(directory))
        count++;
    closedir(directory);
    return count;
}

void host_stops(void (*act)(void), const char *text)
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

/* --- the actor --- */

static void tell(const struct actor *self, struct pt_task *task)
{
    if (self->pt.status != PT_OK)
        trace_add("%c%c:%s@%d ", self->name, *self->steps, pt_status_name(self->pt.status) + 3,
                  host_ms(pt_now_(task)));
    else if (*self->steps == 'r')
        trace_add("%cr:%.*s@%d ", self->name, (int)self->moved, self->data, host_ms(pt_now_(task)));
    else if (*self->steps == 'w')
        trace_add("%cw:%zu@%d ", self->name, self->moved, host_ms(pt_now_(task)));
    else
        trace_add("%c%c@%d ", self->name, *self->steps, host_ms(pt_now_(task)));
}

PT_ASYNC(actor, self)
{
    for (; *self->steps && self->pt.status == PT_OK; self->steps++) {
        if (*self->steps == 'r') {
            PT_READ(self->io, self->data, self->size ? self->size : 16, &self->moved);
        } else if (*self->steps == 'w') {
            PT_WRITE(self->io, self->text, strlen(self->text), &self->moved);
        } else if (*self->steps == 'R') {
            PT_WAIT_READABLE(self->io);
        } else if (*self->steps == 'W') {
            PT_WAIT_WRITABLE(self->io);
        } else if (*self->steps == 'H') {
            PT_WAIT_HANGUP(self->io);
        } else if (*self->steps == 's') {
            PT_WAIT(PT_MS(5));
        } else if (*self->steps == 'y') {
            PT_YIELD();
        } else if (*self->steps == 'c') {
            pt_io_close(self->io);
        }
        tell(self, pt_current_);
    }
}
PT_END

void host_start(actor_task *task, char name, struct pt_io *io, const char *steps)
{
    ck_assert_int_eq(PT_START(&host.loop, task, actor, .name = name, .steps = steps, .io = io,
                              .text = "hello", .size = 0),
                     PT_OK);
}

void host_put(int fd, const char *text)
{
    ck_assert_int_eq(write(fd, text, strlen(text)), (ssize_t)strlen(text));
}

void host_adopt(void)
{
    ck_assert_int_eq(prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0), 0);
}

void host_gone(pid_t pid)
{
    while (waitpid(pid, NULL, 0) > 0 || errno == EINTR) {
    }
}

/* --- running --- */

static void set_up(void)
{
    memset(&host, 0, sizeof host);
    poller_number = 0;
    host.real = true; /* Check uses the clock itself */
    trace_length = 0;
#ifdef PT_HAVE_OPENSSL
    talk_fresh();
#endif
#ifdef PT_HAVE_LLHTTP
    kit_fresh();
#endif
}

void host_test_(Suite *suite, const char *name, const TTest *test, int pollers)
{
    TCase *tcase = tcase_create(name);

    tcase_add_checked_fixture(tcase, set_up, NULL);
    tcase_add_loop_test(tcase, test, 0, pollers);
    tcase_set_timeout(tcase, 600); /* seconds: for a test that hangs, not for a slow one */
    suite_add_tcase(suite, tcase);
}

static void write_log(SRunner *runner, const char *path)
{
    TestResult **results = srunner_results(runner);
    FILE *file = fopen(path, "w");

    for (int i = 0; file && i < srunner_ntests_run(runner); i++)
        if (tr_rtype(results[i]) == CK_PASS)
            fprintf(file, "ok %s\n", tr_tcname(results[i]));
    if (!file || fclose(file))
        perror(path);
    free(results);
}

/* Add io_uring to the pollers, or print why not. */
static void try_io_uring(void)
{
    pt_status status;

    host.real = true;
    status = pt_system_open(&host.system, &host.loop, "io_uring");
    if (status == PT_OK) {
        pt_system_close(&host.system);
        host_poller_count++;
    } else {
        printf("skip io_uring: %s\n",
               status == PT_EINVAL ? "built without liburing" : strerror(errno));
    }
}

/* Without an argument run the suites, or that of CK_RUN_SUITE; with --suites print their names. */
int main(int argc, char **argv)
{
    SRunner *runner;
    const char *log = getenv("PT_TEST_LOG");
    int failed;

    if (argc == 2 && !strcmp(argv[1], "--suites")) {
#define PRINT_SUITE_(name) puts(#name);
        HOST_SUITES(PRINT_SUITE_)
#undef PRINT_SUITE_
        return 0;
    }
    runner = srunner_create(NULL);
    try_io_uring();
#define ADD_SUITE_(name) srunner_add_suite(runner, host_suite_##name());
    HOST_SUITES(ADD_SUITE_)
#undef ADD_SUITE_
    srunner_run_all(runner, CK_NORMAL);
    failed = srunner_ntests_failed(runner);
    if (log)
        write_log(runner, log);
    printf("%d passed, %d failed\n", srunner_ntests_run(runner) - failed, failed);
    srunner_free(runner);
    return failed != 0;
}
