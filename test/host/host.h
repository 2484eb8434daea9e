/* host.h - the world of these tests: a clock and waits that are not real, system calls that fail
 * SPDX-License-Identifier: MIT
 *
 *     START_TEST(a_read_waits_until_data_arrives)
 *     {
 *         int ends[2];
 *
 *         host_open(host_pollers[_i]);
 *         host_pair(ends);
 *         ...
 *         host_run();
 *         ck_assert_trace("A:hello@0 ");
 *         host_close();
 *     }
 *     END_TEST
 *
 * The library is linked with wrappers around the system's functions (run). Descriptors are real; when
 * nothing happens to them, a wait moves the clock on and takes no time. A wait without an end stops
 * host_run. Each test runs once with every poller. */
#ifndef PT_HOST_TEST_H
#define PT_HOST_TEST_H

#include <check.h>
#include <pt/host.h>

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/un.h>
#include <unistd.h>

/* clang-format off */
/* Every file of tests, in the order in which they run. */
#define HOST_SUITES(X)                                                     \
    X(io) X(kinds) X(stale) X(accept) X(connect) X(errors) X(clock) X(fair) \
    X(server) X(stream) X(blocking) X(resolve) X(native_io) X(signals)     \
    X(process) X(hangup) X(posts) X(timeouts) X(serve) X(chat) X(loops) X(team) X(uring)

#define HOST_DECLARE_(name) Suite *host_suite_##name(void);
HOST_SUITES(HOST_DECLARE_)
#undef HOST_DECLARE_

/* Calls that a test can let fail, and count. */
#define HOST_CALLS(X) \
    X(accept) X(accept4) X(bind) X(calloc) X(clock_gettime) X(close) \
    X(connect) X(epoll_create1) X(epoll_ctl) X(epoll_pwait2) X(epoll_wait) \
    X(eventfd) X(fcntl) X(fstat) X(getsockopt) X(listen) X(malloc) X(pipe) X(pipe2) \
    X(poll) X(pthread_create) X(read) X(readv) X(realloc) X(recvmsg) \
    X(io_uring_queue_init_params) X(io_uring_submit) X(io_uring_submit_and_get_events) \
    X(io_uring_submit_and_wait_timeout) X(sendmsg) X(sendto) X(sched_yield) X(setsockopt) X(shutdown) X(socket) X(syscall) X(write) \
    X(writev)

/* clang-format on */

enum host_call {
#define HOST_ENUM_(name) HOST_##name,
    HOST_CALLS(HOST_ENUM_)
#undef HOST_ENUM_
        HOST_CALL_COUNT
};

/* One fault: some calls of one kind fail. */
struct host_fault {
    enum host_call call;
    int after;     /* so many succeed before */
    int times;     /* so many fail, -1: all */
    int error;     /* with this errno */
    pt_time lasts; /* and so long, in a wait */
};

extern struct host_world {
    struct pt_system system;
    struct pt_loop loop;
    struct host_fault fault;
    int calls[HOST_CALL_COUNT]; /* since host_open */
    pt_time now;                /* the monotonic clock */
    pt_time tick;               /* what each look at it takes */
    int64_t wall;               /* how far the other clocks were set back, seconds */
    int waits;                  /* how often the poller was asked to wait for something */
    struct pt_task *awaited;    /* a run ends with this task, too, if not NULL */
    bool stuck;                 /* the last wait had no end */
    int64_t longest;            /* what the poller was asked to wait for at most */
    void (*on_write)(void);     /* called in each write of the library, if not NULL */
    void (*on_yield)(void);     /* and in each sched_yield */
    unsigned smaller;           /* so many times is a ring of io_uring halved */
    int raises;                 /* a signal that comes just before the next poll(2) */
    bool patient;               /* something comes from outside: another thread, a network */
    bool real;                  /* everything is: no fault, no virtual clock */
} host;

extern const char *const host_pollers[];
extern int host_poller_count;

/* Whether the poller WHICH is so called; the calls by which it adds a descriptor and waits. */
bool host_is(int which, const char *poller);
enum host_call host_adds_by(int which);
enum host_call host_waits_by(int which);

/* Its name, but for the model of kqueue, of which a process has one. */
const char *host_one_of_many(int which);

/* Open host.system and host.loop; run them to the end, or until nothing happens any more; close. */
void host_open(const char *poller);
void host_run(void);
void host_turns(int most); /* so many turns at the most */
void host_close(void);

/* From now on, the calls of KIND fail. */
void host_fail(enum host_call kind, int after, int times, int error);

/* A pair of connected sockets that do not block. */
void host_pair(int ends[2]);

/* The same over TCP: of these alone a short read says that nothing is left. */
void host_tcp_pair(int ends[2]);

/* How many descriptors this process has. */
int host_descriptors(void);

/* host_test - add a test, to be run with each poller */
#define host_test(suite, sentence) host_test_(suite, #sentence, sentence)
void host_test_(Suite *suite, const char *name, const TTest *test);

/* --- the trace --- */

__attribute__((format(printf, 1, 2))) void trace_add(const char *format, ...);
const char *trace_take(void);
#define ck_assert_trace(expected) ck_assert_str_eq(trace_take(), expected)

/* The clock of each test starts a few milliseconds below its wrap. */
#define HOST_START ((pt_time)0 - PT_MS(3))

static inline int host_ms(pt_time time)
{
    return (int)((pt_time)(time - HOST_START) / PT_MS(1));
}

/* --- the actor --- */

/* Does as it is told by letters: r reads, w writes its text, R and W wait until it could, H waits
 * until the other side has gone, s sleeps for 5 ms, y yields, c closes; at the first failure it ends. */
struct actor {
    struct pt pt;
    char name;
    const char *steps;
    struct pt_io *io;
    const char *text; /* what it writes */
    size_t size;      /* what it reads at most, 0: 16 */
    size_t moved;
    char data[17];
};

PT_DECLARE(actor);
typedef PT_TASK(actor) actor_task;

/* Start one; write TEXT to a descriptor of the test's own. */
void host_start(actor_task *task, char name, struct pt_io *io, const char *steps);
void host_put(int fd, const char *text);

#endif
