/* wrap.c - wrappers of system functions: they count calls, let them fail, and use the virtual clock
 * SPDX-License-Identifier: MIT
 *
 * The linker (--wrap) sends each call of NAME in the library to __wrap_NAME. */
#define _GNU_SOURCE
#include "host.h"

#ifdef PT_HAVE_CARES
#include <ares.h>
#endif
#ifdef PT_HAVE_URING
#include <liburing.h>
#endif
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>

/* Take one from COUNT, unless it is 0; whether it was not. Below 0 it stands for any number. */
static bool count_down(int *count)
{
    int old = __atomic_load_n(count, __ATOMIC_RELAXED);

    while (old > 0 && !__atomic_compare_exchange_n(count, &old, old - 1, false, __ATOMIC_RELAXED,
                                                   __ATOMIC_RELAXED)) {
    }
    return old != 0;
}

/* Count a call, in any thread; returns whether it must fail. */
static bool fails(enum host_call call)
{
    struct host_fault *fault = &host.fault;

    __atomic_add_fetch(&host.calls[call], 1, __ATOMIC_RELAXED);
    if (__atomic_load_n(&fault->call, __ATOMIC_ACQUIRE) != call || host.real ||
        !__atomic_load_n(&fault->times, __ATOMIC_RELAXED) || count_down(&fault->after) ||
        !count_down(&fault->times))
        return false;
    errno = fault->error;
    host.now += fault->lasts;
    return true;
}

#define WRAP(type, name, parameters, arguments, failure)                     \
    type __real_##name parameters;                                           \
    type __wrap_##name parameters;                                           \
    type __wrap_##name parameters                                            \
    {                                                                        \
        return fails(HOST_##name) ? (type)failure : __real_##name arguments; \
    }

WRAP(int, accept, (int fd, struct sockaddr *a, socklen_t *n), (fd, a, n), -1)
WRAP(int, bind, (int fd, const struct sockaddr *a, socklen_t n), (fd, a, n), -1)
WRAP(int, connect, (int fd, const struct sockaddr *a, socklen_t n), (fd, a, n), -1)
WRAP(int, epoll_create1, (int flags), (flags), -1)
WRAP(int, epoll_ctl, (int fd, int op, int which, struct epoll_event *e), (fd, op, which, e), -1)
WRAP(int, eventfd, (unsigned count, int flags), (count, flags), -1)
WRAP(int, fchown, (int fd, uid_t owner, gid_t group), (fd, owner, group), -1)
WRAP(int, fstat, (int fd, struct stat *about), (fd, about), -1)
WRAP(int, fsync, (int fd), (fd), -1)
WRAP(int, getsockopt, (int fd, int l, int o, void *v, socklen_t *n), (fd, l, o, v, n), -1)
WRAP(int, kill, (pid_t pid, int number), (pid, number), -1)
WRAP(int, listen, (int fd, int most), (fd, most), -1)
WRAP(int, pipe, (int ends[2]), (ends), -1)
WRAP(ssize_t, pread, (int fd, void *data, size_t size, off_t at), (fd, data, size, at), -1)
WRAP(int, rename, (const char *from, const char *to), (from, to), -1)
WRAP(ssize_t, sendfile, (int to, int from, off_t *at, size_t size), (to, from, at, size), -1)
WRAP(ssize_t, read, (int fd, void *data, size_t size), (fd, data, size), -1)
WRAP(ssize_t, readv, (int fd, const struct iovec *p, int n), (fd, p, n), -1)
WRAP(ssize_t, recvmsg, (int fd, struct msghdr *m, int flags), (fd, m, flags), -1)
WRAP(ssize_t, sendto,
     (int fd, const void *d, size_t s, int f, const struct sockaddr *a, socklen_t n),
     (fd, d, s, f, a, n), -1)
WRAP(int, setsockopt, (int fd, int l, int o, const void *v, socklen_t n), (fd, l, o, v, n), -1)
WRAP(int, shutdown, (int fd, int how), (fd, how), -1)
WRAP(int, socket, (int domain, int type, int protocol), (domain, type, protocol), -1)
WRAP(int, unlink, (const char *path), (path), -1)
WRAP(int, waitid, (idtype_t what, id_t id, siginfo_t *about, int how), (what, id, about, how), -1)
WRAP(pid_t, waitpid, (pid_t pid, int *status, int how), (pid, status, how), -1)
WRAP(ssize_t, writev, (int fd, const struct iovec *p, int n), (fd, p, n), -1)
WRAP(void *, malloc, (size_t bytes), (bytes), 0)
WRAP(void *, calloc, (size_t count, size_t bytes), (count, bytes), 0)
WRAP(void *, realloc, (void *block, size_t bytes), (block, bytes), 0)

/* A queue of the model that is closed is no longer one that a child must not inherit. */
int __real_close(int fd);
int __wrap_close(int fd);
int __wrap_close(int fd)
{
    if (fails(HOST_close))
        return -1;
    host_forget_queue(fd);
    return __real_close(fd);
}

/* The library calls accept or accept4, depending on the system: they count and fail as one. */
int __real_accept4(int fd, struct sockaddr *a, socklen_t *n, int flags);
int __wrap_accept4(int fd, struct sockaddr *a, socklen_t *n, int flags);
int __wrap_accept4(int fd, struct sockaddr *a, socklen_t *n, int flags)
{
    return fails(HOST_accept) ? -1 : __real_accept4(fd, a, n, flags);
}

int __real_pipe2(int ends[2], int flags);
int __wrap_pipe2(int ends[2], int flags);
int __wrap_pipe2(int ends[2], int flags)
{
    return fails(HOST_pipe) ? -1 : __real_pipe2(ends, flags);
}

int __real_open(const char *path, int flags, ...);
int __wrap_open(const char *path, int flags, ...);
int __wrap_open(const char *path, int flags, ...)
{
    va_list arguments;
    unsigned mode;

    va_start(arguments, flags);
    mode = flags & O_CREAT ? va_arg(arguments, unsigned) : 0;
    va_end(arguments);
    return fails(HOST_open) ? -1 : __real_open(path, flags, mode);
}

/* This one returns its error code. */
int __real_posix_spawnp(pid_t *pid, const char *file, const posix_spawn_file_actions_t *steps,
                        const posix_spawnattr_t *how, char *const *words, char *const *environment);
int __wrap_posix_spawnp(pid_t *pid, const char *file, const posix_spawn_file_actions_t *steps,
                        const posix_spawnattr_t *how, char *const *words, char *const *environment);
int __wrap_posix_spawnp(pid_t *pid, const char *file, const posix_spawn_file_actions_t *steps,
                        const posix_spawnattr_t *how, char *const *words, char *const *environment)
{
    return fails(HOST_posix_spawnp)
               ? errno
               : __real_posix_spawnp(pid, file, steps, how, words, environment);
}

ssize_t __real_write(int fd, const void *data, size_t size);
ssize_t __wrap_write(int fd, const void *data, size_t size);
ssize_t __wrap_write(int fd, const void *data, size_t size)
{
    if (host.on_write)
        host.on_write();
    return fails(HOST_write) ? -1 : __real_write(fd, data, size);
}

ssize_t __real_pwrite(int fd, const void *data, size_t size, off_t at);
ssize_t __wrap_pwrite(int fd, const void *data, size_t size, off_t at);
ssize_t __wrap_pwrite(int fd, const void *data, size_t size, off_t at)
{
    if (host.on_write)
        host.on_write();
    return fails(HOST_pwrite) ? -1 : __real_pwrite(fd, data, size, at);
}

ssize_t __real_sendmsg(int fd, const struct msghdr *message, int flags);
ssize_t __wrap_sendmsg(int fd, const struct msghdr *message, int flags);
ssize_t __wrap_sendmsg(int fd, const struct msghdr *message, int flags)
{
    struct msghdr part = *message;
    struct iovec bytes = *message->msg_iov;
    ssize_t sent;

    if (fails(HOST_sendmsg))
        return -1;
    if (host.narrow != fd)
        return __real_sendmsg(fd, message, flags);
    errno = EAGAIN;
    bytes.iov_len = bytes.iov_len < host.room ? bytes.iov_len : host.room;
    part.msg_iov = &bytes;
    part.msg_iovlen = 1;
    sent = host.room ? __real_sendmsg(fd, &part, flags) : -1;
    host.room -= sent > 0 ? (size_t)sent : 0;
    return sent;
}

#ifdef PT_HAVE_CARES
/* A lookup begins, which asks the name servers of this machine. */
int __real_ares_init_options(ares_channel *channel, struct ares_options *options, int which);
int __wrap_ares_init_options(ares_channel *channel, struct ares_options *options, int which);
int __wrap_ares_init_options(ares_channel *channel, struct ares_options *options, int which)
{
    int status;

    *channel = NULL;
    if (fails(HOST_ares_init_options))
        return ARES_ENOMEM;
    status = __real_ares_init_options(channel, options, which);
    return status == ARES_SUCCESS && host.servers
               ? ares_set_servers_ports_csv(*channel, host.servers)
               : status;
}
#endif

/* A call that waits for other threads, or, like the end of a condition, can. */
static void wait_for_threads(void)
{
    if (host.alone)
        _exit(HOST_ALONE);
}

int __real_pthread_join(pthread_t thread, void **result);
int __wrap_pthread_join(pthread_t thread, void **result);
int __wrap_pthread_join(pthread_t thread, void **result)
{
    wait_for_threads();
    return __real_pthread_join(thread, result);
}

int __real_pthread_cond_destroy(pthread_cond_t *condition);
int __wrap_pthread_cond_destroy(pthread_cond_t *condition);
int __wrap_pthread_cond_destroy(pthread_cond_t *condition)
{
    wait_for_threads();
    return __real_pthread_cond_destroy(condition);
}

int __real_sched_yield(void);
int __wrap_sched_yield(void);
int __wrap_sched_yield(void)
{
    wait_for_threads();
    if (host.on_yield)
        host.on_yield();
    return __real_sched_yield();
}

/* This one returns its error code. */
typedef void *thread_body(void *);
int __real_pthread_create(pthread_t *thread, const pthread_attr_t *how, thread_body *body,
                          void *of);
int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *how, thread_body *body,
                          void *of);

struct beginning {
    thread_body *body;
    void *of;
    sem_t *begun;
};

static void *begin(void *context)
{
    struct beginning thread = *(struct beginning *)context;

    sem_post(thread.begun);
    return thread.body(thread.of);
}

/* Until it has begun, a thread can hold the allocator of AddressSanitizer, which a fork would copy.
 * So wait for that. */
int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *how, thread_body *body, void *of)
{
    sem_t begun;
    struct beginning beginning = {body, of, &begun};
    int error = fails(HOST_pthread_create) ? errno : sem_init(&begun, 0, 0);

    if (!error)
        error = __real_pthread_create(thread, how, begin, &beginning);
    if (error)
        return error;
    while (sem_wait(&begun)) { /* a signal */
    }
    return sem_destroy(&begun);
}

int __real_fcntl(int fd, int what, ...);
int __wrap_fcntl(int fd, int what, ...);
int __wrap_fcntl(int fd, int what, ...)
{
    va_list arguments;
    int flags;

    va_start(arguments, what);
    flags = va_arg(arguments, int);
    va_end(arguments);
    return fails(HOST_fcntl) ? -1 : __real_fcntl(fd, what, flags);
}

/* --- time ---------------------------------------------------------------------------------- */

int __real_clock_gettime(clockid_t clock, struct timespec *now);
int __wrap_clock_gettime(clockid_t clock, struct timespec *now);
int __wrap_clock_gettime(clockid_t clock, struct timespec *now)
{
    bool other = host.apart && gettid() != getpid();

    if (!other)
        __atomic_add_fetch(&host.calls[HOST_clock_gettime], 1, __ATOMIC_RELAXED);
    if (host.real || (other && clock == CLOCK_MONOTONIC))
        return __real_clock_gettime(clock, now);
    if (clock != CLOCK_MONOTONIC) {
        __real_clock_gettime(clock, now);
        now->tv_sec -= host.wall;
        return 0;
    }
    host.now += host.tick;
    now->tv_sec = (time_t)(host.now / PT_SEC(1));
    now->tv_nsec = (long)(host.now % PT_SEC(1));
    return 0;
}

enum { PATIENCE = 300000 }; /* milliseconds; a test that needs them has failed */

/* No event has come before a wait of TIMEOUT nanoseconds: how many real milliseconds to wait. */
static int patience(int64_t timeout)
{
    host.waits += timeout != 0;
    if (host.longest < timeout)
        host.longest = timeout;
    if (!host.patient)
        return 0;
    return timeout < 0 || timeout > (int64_t)PATIENCE * 1000000
               ? PATIENCE
               : (int)((timeout + 999999) / 1000000);
}

/* No event has come in the wait: let its time pass. */
static void pass(int64_t timeout)
{
    if (timeout >= 0)
        host.now += (pt_time)timeout;
    else if (!host.patient)
        host.stuck = true;
}

int __real_epoll_wait(int fd, struct epoll_event *events, int room, int timeout);
int __wrap_epoll_wait(int fd, struct epoll_event *events, int room, int timeout);

static int wait_for_events(int fd, struct epoll_event *events, int room, int64_t timeout)
{
    int count = __real_epoll_wait(fd, events, room, 0);

    if (!count)
        count = __real_epoll_wait(fd, events, room, patience(timeout));
    if (!count)
        pass(timeout);
    return count;
}

int __wrap_epoll_wait(int fd, struct epoll_event *events, int room, int timeout)
{
    if (fails(HOST_epoll_wait))
        return -1;
    return host.real
               ? __real_epoll_wait(fd, events, room, timeout)
               : wait_for_events(fd, events, room, timeout < 0 ? -1 : (int64_t)timeout * 1000000);
}

int __real_epoll_pwait2(int fd, struct epoll_event *events, int room, const struct timespec *span,
                        const sigset_t *set);
int __wrap_epoll_pwait2(int fd, struct epoll_event *events, int room, const struct timespec *span,
                        const sigset_t *set);
int __wrap_epoll_pwait2(int fd, struct epoll_event *events, int room, const struct timespec *span,
                        const sigset_t *set)
{
    if (fails(HOST_epoll_pwait2))
        return -1;
    if (host.real)
        return __real_epoll_pwait2(fd, events, room, span, set);
    return wait_for_events(fd, events, room,
                           span ? (int64_t)span->tv_sec * 1000000000 + span->tv_nsec : -1);
}

/* --- io_uring: its functions return a negative errno ----------------------------------------- */

#ifdef PT_HAVE_URING

WRAP(int, io_uring_submit, (struct io_uring * ring), (ring), -errno)
WRAP(int, io_uring_register_buf_ring,
     (struct io_uring * ring, struct io_uring_buf_reg *of, unsigned flags), (ring, of, flags),
     -errno)

int __real_io_uring_submit_and_get_events(struct io_uring *ring);
int __wrap_io_uring_submit_and_get_events(struct io_uring *ring);
int __wrap_io_uring_submit_and_get_events(struct io_uring *ring)
{
    int result = fails(HOST_io_uring_submit_and_get_events)
                     ? -errno
                     : __real_io_uring_submit_and_get_events(ring);

    if (host.late > 0 && host.late--)
        __atomic_or_fetch(ring->sq.kflags, IORING_SQ_TASKRUN, __ATOMIC_RELAXED);
    return result;
}

int __real_io_uring_queue_init_params(unsigned requests, struct io_uring *ring,
                                      struct io_uring_params *options);
int __wrap_io_uring_queue_init_params(unsigned requests, struct io_uring *ring,
                                      struct io_uring_params *options);
int __wrap_io_uring_queue_init_params(unsigned requests, struct io_uring *ring,
                                      struct io_uring_params *options)
{
    if (fails(HOST_io_uring_queue_init_params))
        return -errno;
    options->cq_entries >>= host.smaller;
    return __real_io_uring_queue_init_params(requests >> host.smaller, ring, options);
}

int __real_io_uring_submit_and_wait_timeout(struct io_uring *ring, struct io_uring_cqe **event,
                                            unsigned least, struct __kernel_timespec *span,
                                            sigset_t *set);
int __wrap_io_uring_submit_and_wait_timeout(struct io_uring *ring, struct io_uring_cqe **event,
                                            unsigned least, struct __kernel_timespec *span,
                                            sigset_t *set);
int __wrap_io_uring_submit_and_wait_timeout(struct io_uring *ring, struct io_uring_cqe **event,
                                            unsigned least, struct __kernel_timespec *span,
                                            sigset_t *set)
{
    int64_t timeout = span ? (int64_t)span->tv_sec * 1000000000 + span->tv_nsec : -1;
    struct __kernel_timespec now = {0, 0};
    int result;

    if (fails(HOST_io_uring_submit_and_wait_timeout))
        return -errno;
    if (host.real)
        return __real_io_uring_submit_and_wait_timeout(ring, event, least, span, set);
    result = __real_io_uring_submit_and_wait_timeout(ring, event, least, &now, set);
    if (result != -ETIME && (result < 0 || io_uring_cq_ready(ring)))
        return result; /* else it may have submitted something, and no event has come */
    now.tv_nsec = (long long)patience(timeout) * 1000000;
    now.tv_sec = now.tv_nsec / 1000000000;
    now.tv_nsec %= 1000000000;
    result = __real_io_uring_submit_and_wait_timeout(ring, event, least, &now, set);
    if (result == -ETIME)
        pass(timeout);
    return result;
}

#endif

/* System calls that the library makes by number. */
long __real_syscall(long number, ...);
long __wrap_syscall(long number, ...);
long __wrap_syscall(long number, ...)
{
    long words[6];
    va_list arguments;
    struct timespec span;

    va_start(arguments, number);
    for (int i = 0; i < 6; i++)
        words[i] = va_arg(arguments, long);
    va_end(arguments);
#ifdef SYS_epoll_pwait2
    if (number == SYS_epoll_pwait2) {
        if (words[3]) {
            span.tv_sec = (time_t)((const int64_t *)words[3])[0];
            span.tv_nsec = (long)((const int64_t *)words[3])[1];
        }
        return __wrap_epoll_pwait2((int)words[0], (struct epoll_event *)words[1], (int)words[2],
                                   words[3] ? &span : NULL, NULL);
    }
#endif
    return __real_syscall(number, words[0], words[1], words[2], words[3], words[4], words[5]);
}

int __real_poll(struct pollfd *table, nfds_t count, int timeout);
int __wrap_poll(struct pollfd *table, nfds_t count, int timeout);
int __wrap_poll(struct pollfd *table, nfds_t count, int timeout)
{
    int64_t span = timeout < 0 ? -1 : (int64_t)timeout * 1000000;
    int ready, signal = __atomic_exchange_n(&host.raises, 0, __ATOMIC_RELAXED);

    if (signal)
        raise(signal);

    if (fails(HOST_poll))
        return -1;
    ready = __real_poll(table, count, host.real ? timeout : 0);
    if (host.real || ready)
        return ready;
    ready = __real_poll(table, count, patience(span));
    if (!ready)
        pass(span);
    return ready;
}
