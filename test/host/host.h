/* host.h - the environment of the host tests: virtual clock, simulated waits, failing system calls
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
 * The library is linked with wrappers around the system's functions (run). Descriptors are real.
 * When no event arrives, a wait advances the virtual clock and takes no real time. A wait without a
 * limit stops host_run. Each test runs once with every poller. */
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
/* Every file of tests, in the order of execution. */
#define HOST_SUITES(X) \
    X(io) X(kinds) X(stale) X(take) X(borrow) X(pollset) X(accept) X(connect) X(net) X(dial) \
    X(serving) X(errors) X(clock) X(fair) X(server) X(stream) X(reader) X(writer) X(custom) \
    X(blocking) X(resolve) X(native_io) X(native_start) X(signals) X(process) X(process_start) \
    X(process_run) X(file) X(fork) X(hangup) X(shared) X(posts) X(timeouts) X(serve) X(chat) \
    X(many) X(echo) X(echo_native) X(proxy) X(proxy_native) X(whole) X(loops) X(team) X(live) \
    X(uring) X(batch) X(guest) X(misuse) HOST_TLS_SUITES(X) HOST_HTTP_SUITES(X)

/* Those of the folder tls, if OpenSSL is there. */
#ifdef PT_HAVE_OPENSSL
#define HOST_TLS_SUITES(X) X(tls) X(tls_trust) X(tls_faults) X(tls_ends) X(tls_memory) X(tls_sessions) X(tls_programs)
#else
#define HOST_TLS_SUITES(X)
#endif

/* Those of libpt-http, if llhttp is there. */
#ifdef PT_HAVE_LLHTTP
#define HOST_HTTP_SUITES(X) \
    X(http) X(http_bad) X(http_end) X(http_term) X(http_call) X(http_early) X(http_pool) \
    X(http_names) X(gateway) X(gateway_native) X(long_poll)
#else
#define HOST_HTTP_SUITES(X)
#endif

#define HOST_DECLARE_(name) Suite *host_suite_##name(void);
HOST_SUITES(HOST_DECLARE_)
#undef HOST_DECLARE_

/* What those folders keep, as it is in a process that has just begun. Each test begins so. */
void talk_fresh(void);
void kit_fresh(void);

/* Calls that a test can count and cause to fail. */
#define HOST_CALLS(X) \
    X(accept) X(accept4) X(ares_init_options) X(bind) X(calloc) X(clock_gettime) X(close) X(connect) X(epoll_create1) \
    X(epoll_ctl) X(epoll_pwait2) X(epoll_wait) X(eventfd) X(fchown) X(fcntl) X(fstat) X(fsync) \
    X(getsockopt) X(kill) X(listen) X(malloc) X(open) X(pipe) X(pipe2) X(poll) X(posix_spawnp) \
    X(pread) X(pwrite) X(rename) X(sendfile) X(pthread_cond_destroy) X(pthread_create) X(pthread_join) X(read) \
    X(readv) X(realloc) X(recvmsg) X(io_uring_queue_init_params) X(io_uring_register_buf_ring) X(io_uring_submit) \
    X(io_uring_submit_and_get_events) X(io_uring_submit_and_wait_timeout) X(sendmsg) X(sendto) \
    X(sched_yield) X(setsockopt) X(shutdown) X(socket) X(syscall) X(unlink) X(waitid) X(waitpid) \
    X(write) X(writev)

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
    int after;     /* how many succeed before */
    int times;     /* how many fail; -1: all */
    int error;     /* their errno */
    pt_time lasts; /* how long the failing call waits */
};

/* The exit code of a process that waited for a thread although it was alone. */
enum { HOST_ALONE = 99 };

extern struct host_world {
    struct pt_system system;
    struct pt_loop loop;
    struct host_fault fault;
    int calls[HOST_CALL_COUNT]; /* since host_open */
    pt_time now;                /* the monotonic clock */
    pt_time tick;               /* the time that each reading of it takes */
    int64_t wall;               /* how far the other clocks were set back, seconds */
    int waits;                  /* how often the poller was called to wait */
    struct pt_task *awaited;    /* if not NULL, a run also ends when this task is done */
    bool stuck;                 /* the last wait had no limit */
    int64_t longest;            /* the longest timeout given to the poller, nanoseconds */
    const char *servers;        /* the name servers of this machine, if not NULL */
    int narrow;                 /* this socket has room for so many bytes; 0: none is narrow */
    size_t room;
    void (*on_write)(void); /* called in each write of the library, if not NULL */
    void (*on_yield)(void); /* called in each sched_yield, if not NULL */
    bool alone;       /* without other threads: a wait for one ends the process with HOST_ALONE */
    unsigned smaller; /* how often the size of an io_uring ring is halved */
    int late;         /* so often a ring has its flag of work set behind the work */
    int raises;       /* a signal to raise just before the next poll(2) */
    bool patient;     /* waits are real: events come from a thread or a network */
    bool apart;       /* threads other than the main one have real clocks */
    bool real;        /* everything is real: no fault, no virtual clock */
} host;

extern const char *const host_pollers[];
extern int host_poller_count;

/* Whether the poller WHICH has this name; the calls with which it adds a descriptor and waits. */
bool host_is(int which, const char *poller);
enum host_call host_adds_by(int which);
enum host_call host_waits_by(int which);

/* The poller's name for tests with several loops; the model of kqueue allows only one, so it is
 * replaced. */
const char *host_one_of_many(int which);

/* Open host.system and host.loop; run them to the end, or until no event can come; close. */
void host_open(const char *poller);
void host_run(void);
void host_turns(int most); /* at most this many turns */
void host_close(void);

/* From now on, the calls of KIND fail. */
void host_fail(enum host_call kind, int after, int times, int error);

/* A pair of connected non-blocking sockets. */
void host_pair(int ends[2]);

/* The same over TCP: only there does a short read mean that nothing is left. */
void host_tcp_pair(int ends[2]);

/* Run ACT in a child process, which a signal must end, behind a message that contains TEXT. */
void host_stops(void (*act)(void), const char *text);

/* A descriptor is closed: if it was the queue of the model of kqueue, that is gone. */
void host_forget_queue(int fd);

/* The number of descriptors that this process has. */
int host_descriptors(void);

/* From now on, what a child leaves is a child of this process, whatever waits for orphans elsewhere. */
void host_adopt(void);

/* Wait until such a process has ended, or all of the group -PID. */
void host_gone(pid_t pid);

/* host_test - add a test, to be run with each poller; host_test_once - with the first one */
#define host_test(suite, sentence) host_test_(suite, #sentence, sentence, host_poller_count)
#define host_test_once(suite, sentence) host_test_(suite, #sentence, sentence, 1)
void host_test_(Suite *suite, const char *name, const TTest *test, int pollers);

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

/* Executes a string of letters: r reads, w writes its text, R and W wait until readable or
 * writable, H waits for the hang-up, s sleeps for 5 ms, y yields, c closes. It ends at the first
 * failure. */
struct actor {
    struct pt pt;
    char name;
    const char *steps;
    struct pt_io *io;
    const char *text; /* what it writes */
    size_t size;      /* the most that it reads; 0: 16 */
    size_t moved;
    char data[17];
};

PT_DECLARE(actor);
typedef PT_TASK(actor) actor_task;

/* Start an actor; write TEXT to a descriptor of the test. */
void host_start(actor_task *task, char name, struct pt_io *io, const char *steps);
void host_put(int fd, const char *text);

#endif
