/* ready.c - what epoll, pipes, eventfds and descriptors do: it runs in Linux, too
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#define CHECK(holds) check(holds, #holds)

static void check(int holds, const char *text)
{
    if (!holds) {
        printf("not so: %s\n", text);
        exit(1);
    }
}

/* Whether a call that has returned RESULT has failed so. */
static int failed(long result, int error)
{
    return result == -1 && errno == error;
}

/* --- epoll ----------------------------------------------------------------------------------- */

static int instance;

static int control(int operation, int fd, unsigned events)
{
    struct epoll_event event = {.events = events};

    event.data.fd = fd;
    return epoll_ctl(instance, operation, fd, &event);
}

/* The events of one that is ready, and its descriptor; 0: none is. */
static unsigned next(int *fd)
{
    struct epoll_event event;

    if (epoll_wait(instance, &event, 1, 0) != 1)
        return 0;
    if (fd)
        *fd = event.data.fd;
    return event.events;
}

static int counter(unsigned count, int flags)
{
    return eventfd(count, EFD_NONBLOCK | flags);
}

static void add(int fd, uint64_t number)
{
    CHECK(write(fd, &number, sizeof number) == sizeof number);
}

static uint64_t take(int fd)
{
    uint64_t number;

    CHECK(read(fd, &number, sizeof number) == sizeof number);
    return number;
}

/* An edge is told once, again after more of the same, and not for what is the other side's. */
static void edges(void)
{
    int ends[2], one = counter(3, EFD_SEMAPHORE);
    char byte, much[65536] = {0};

    CHECK(!control(EPOLL_CTL_ADD, one, EPOLLIN | EPOLLET) && next(NULL) == EPOLLIN && !next(NULL));
    CHECK(take(one) == 1 && !next(NULL));
    add(one, 1);
    CHECK(next(NULL) == EPOLLIN && !next(NULL));
    CHECK(!control(EPOLL_CTL_MOD, one, EPOLLIN | EPOLLET) && next(NULL) == EPOLLIN);
    close(one);
    CHECK(!pipe2(ends, O_NONBLOCK) && write(ends[1], "ab", 2) == 2);
    CHECK(!control(EPOLL_CTL_ADD, ends[1], EPOLLOUT | EPOLLET) && next(NULL) == EPOLLOUT);
    CHECK(read(ends[0], &byte, 1) == 1 && !next(NULL));
    while (write(ends[1], much, sizeof much) > 0) {
    }
    CHECK(!next(NULL));
    while (read(ends[0], much, sizeof much) > 0) {
    }
    CHECK(next(NULL) == EPOLLOUT && !next(NULL) && !close(ends[0]) && next(NULL) & EPOLLERR);
    close(ends[1]);
    CHECK(!next(NULL) && !socketpair(AF_UNIX, SOCK_STREAM, 0, ends));
    CHECK(!control(EPOLL_CTL_ADD, ends[0], EPOLLOUT | EPOLLET) && next(NULL) == EPOLLOUT);
    CHECK(write(ends[1], "a", 1) == 1 && !next(NULL) && !close(ends[1]) && next(NULL));
    close(ends[0]);
}

static void once(void)
{
    int one = counter(1, 0);

    CHECK(!control(EPOLL_CTL_ADD, one, EPOLLIN | EPOLLONESHOT) && next(NULL) == EPOLLIN);
    add(one, 1);
    CHECK(!next(NULL) && !control(EPOLL_CTL_MOD, one, EPOLLIN | EPOLLONESHOT));
    CHECK(next(NULL) == EPOLLIN && !next(NULL) && !control(EPOLL_CTL_DEL, one, 0));
    close(one);
}

/* With room for one event each is told in turn. */
static void turns(void)
{
    int all[3], seen[3] = {0}, fd;

    for (int i = 0; i < 3; i++) {
        all[i] = counter(1, 0);
        CHECK(!control(EPOLL_CTL_ADD, all[i], EPOLLIN));
    }
    for (int i = 0; i < 6; i++) {
        CHECK(next(&fd) == EPOLLIN);
        for (int j = 0; j < 3; j++)
            seen[j] += all[j] == fd;
    }
    CHECK(seen[0] == 2 && seen[1] == 2 && seen[2] == 2);
    for (int i = 0; i < 3; i++)
        close(all[i]);
    CHECK(!next(NULL));
}

/* A file is registered until its last descriptor is closed, under the one that was added. */
static void copies(void)
{
    int one = counter(1, 0), copy = dup(one), fd = -1;

    CHECK(!control(EPOLL_CTL_ADD, one, EPOLLIN) && failed(control(EPOLL_CTL_ADD, one, 0), EEXIST));
    CHECK(failed(control(EPOLL_CTL_MOD, copy, EPOLLIN), ENOENT) && !close(one));
    CHECK(next(&fd) == EPOLLIN && fd == one && failed(control(EPOLL_CTL_DEL, one, 0), EBADF));
    CHECK(!control(EPOLL_CTL_ADD, copy, EPOLLIN | EPOLLET) && !close(copy) && !next(NULL));
}

static void nested(void)
{
    int inner = instance, outer = epoll_create1(0), one = counter(0, 0);
    struct pollfd fd = {outer, POLLIN, 0};

    instance = outer;
    CHECK(!control(EPOLL_CTL_ADD, inner, EPOLLIN) && !next(NULL));
    instance = inner;
    CHECK(failed(control(EPOLL_CTL_ADD, outer, EPOLLIN), ELOOP));
    CHECK(!control(EPOLL_CTL_ADD, one, EPOLLIN) && poll(&fd, 1, 0) == 0);
    add(one, 1);
    CHECK(poll(&fd, 1, 0) == 1 && fd.revents == POLLIN);
    instance = outer;
    CHECK(next(NULL) == EPOLLIN && next(NULL) == EPOLLIN);
    CHECK(take(one) == 1 && !next(NULL));
    instance = inner;
    CHECK(failed(control(EPOLL_CTL_ADD, inner, EPOLLIN), EINVAL) && !close(outer) && !close(one));
}

static void refusals(void)
{
    int one = counter(0, 0), null = open("/dev/null", O_RDWR), other = epoll_create1(EPOLL_CLOEXEC);

    CHECK(failed(control(EPOLL_CTL_ADD, null, EPOLLIN), EPERM));
    CHECK(failed(control(EPOLL_CTL_DEL, one, 0), ENOENT) && failed(epoll_create1(1), EINVAL));
    CHECK(failed(control(EPOLL_CTL_ADD, other, EPOLLIN | EPOLLEXCLUSIVE), EINVAL));
    CHECK(failed(control(EPOLL_CTL_ADD, one, EPOLLIN | EPOLLONESHOT | EPOLLEXCLUSIVE), EINVAL));
    CHECK(!control(EPOLL_CTL_ADD, one, EPOLLIN | EPOLLEXCLUSIVE));
    CHECK(failed(control(EPOLL_CTL_MOD, one, EPOLLIN), EINVAL));
    CHECK(failed(control(EPOLL_CTL_ADD, one, EPOLLONESHOT | EPOLLEXCLUSIVE), EINVAL));
    CHECK(failed(control(EPOLL_CTL_ADD, one, EPOLLIN), EEXIST));
    CHECK(fcntl(other, F_GETFD) == FD_CLOEXEC && !fcntl(instance, F_GETFD));
    close(one);
    close(null);
    close(other);
}

/* --- pipes and eventfds ---------------------------------------------------------------------- */

static void counters(void)
{
    uint64_t two[2] = {5, 7};
    int one = eventfd(0, 0);
    struct pollfd fd = {one, POLLIN | POLLOUT, 0};

    CHECK(write(one, two, 8) == 8 && take(one) == 5 && failed(write(one, two, 7), EINVAL));
    CHECK(!fcntl(one, F_SETFL, O_NONBLOCK) && failed(read(one, two, 8), EAGAIN));
    CHECK(failed(read(one, two, 4), EINVAL));
    two[0] = UINT64_MAX;
    CHECK(failed(write(one, two, 8), EINVAL));
    add(one, UINT64_MAX - 1);
    CHECK(poll(&fd, 1, 0) == 1 && fd.revents == POLLIN);
    CHECK(failed(write(one, &two[1], 8), EAGAIN) && take(one) == UINT64_MAX - 1);
    CHECK(failed(eventfd(0, 3), EINVAL));
    close(one);
    one = counter(2, EFD_SEMAPHORE);
    CHECK(take(one) == 1 && take(one) == 1 && failed(read(one, two, 8), EAGAIN));
    close(one);
}

static int full;

static void *add_much(void *unused)
{
    usleep(20000);
    CHECK(take(full) == UINT64_MAX - 1);
    return NULL;
}

/* Without room a write waits; so it does in a pipe, until a handler comes: then it tells what it has written. */
static void waits(void)
{
    pthread_t thread;

    full = eventfd(0, 0);
    add(full, UINT64_MAX - 1);
    CHECK(!pthread_create(&thread, NULL, add_much, NULL));
    add(full, 9);
    CHECK(!pthread_join(thread, NULL) && take(full) == 9);
    close(full);
}

static void pipes(void)
{
    int ends[2];
    char byte;

    CHECK(failed(pipe2(ends, 1), EINVAL) && !pipe2(ends, O_CLOEXEC | O_NONBLOCK));
    CHECK(fcntl(ends[0], F_GETFD) == FD_CLOEXEC && fcntl(ends[1], F_GETFL) & O_NONBLOCK);
    CHECK(failed(read(ends[1], &byte, 1), EBADF) && failed(write(ends[0], "a", 1), EBADF));
    CHECK(!write(ends[1], "", 0) && !read(ends[0], &byte, 0) && !close(ends[0]));
    signal(SIGPIPE, SIG_IGN);
    CHECK(!write(ends[1], "", 0) && failed(write(ends[1], "a", 1), EPIPE));
    close(ends[1]);
}

static int ends[2];
static pthread_t writer;

static void ignore(int number)
{
}

static void *interrupt(void *unused)
{
    usleep(20000);
    CHECK(!pthread_kill(writer, SIGUSR1));
    return NULL;
}

static void interrupted(void)
{
    static char much[300000];
    struct sigaction action = {.sa_handler = ignore, .sa_flags = SA_RESTART};
    pthread_t thread;
    ssize_t put;

    writer = pthread_self();
    CHECK(!pipe(ends) && !sigaction(SIGUSR1, &action, NULL));
    CHECK(!pthread_create(&thread, NULL, interrupt, NULL));
    put = write(ends[1], much, sizeof much);
    CHECK(put == 65536 && !pthread_join(thread, NULL));
    action.sa_flags = 0;
    CHECK(!sigaction(SIGUSR1, &action, NULL));
    CHECK(!pthread_create(&thread, NULL, interrupt, NULL));
    CHECK(failed(write(ends[1], much, 10), EINTR) && !pthread_join(thread, NULL));
    close(ends[0]);
    close(ends[1]);
}

/* --- descriptors ----------------------------------------------------------------------------- */

static void limits(void)
{
    struct rlimit limit, few;
    struct pollfd table[21] = {{.fd = -1}};
    int one = dup(0), other, wrong[2];

    CHECK(!getrlimit(RLIMIT_NOFILE, &limit) && limit.rlim_cur >= 100);
    few = limit;
    few.rlim_cur = 20;
    CHECK(!setrlimit(RLIMIT_NOFILE, &few) && fcntl(0, F_DUPFD, 19) == 19);
    CHECK(failed(fcntl(0, F_DUPFD, 20), EINVAL) && failed(dup2(0, 20), EBADF));
    while ((other = dup(0)) >= 0) {
    }
    CHECK(errno == EMFILE && failed(eventfd(0, 0), EMFILE) && failed(epoll_create1(0), EMFILE));
    CHECK(failed(pipe(wrong), EMFILE) && !close(one) && failed(pipe(wrong), EMFILE));
    CHECK(dup(0) == one && failed(poll(table, 21, 0), EINVAL) && !close(19));
    for (int fd = one; fd < 19; fd++)
        close(fd);
    CHECK(!setrlimit(RLIMIT_NOFILE, &limit));
    few.rlim_cur = limit.rlim_max;
    few.rlim_max = limit.rlim_max - 1;
    CHECK(failed(setrlimit(RLIMIT_NOFILE, &few), EINVAL));
}

static void duplicates(void)
{
    int one = counter(0, 0), other;

    CHECK(failed(dup2(77, 77), EBADF) && dup2(one, one) == one &&
          failed(dup3(one, one, 0), EINVAL));
    CHECK(failed(dup3(one, 50, 1), EINVAL) && failed(dup2(one, -1), EBADF));
    CHECK(dup3(one, 50, O_CLOEXEC) == 50 && fcntl(50, F_GETFD) == FD_CLOEXEC);
    CHECK(!fcntl(one, F_GETFD) && dup2(one, 50) == 50 && !fcntl(50, F_GETFD));
    CHECK(!fcntl(50, F_SETFL, 0) && !(fcntl(one, F_GETFL) & O_NONBLOCK));
    CHECK(fcntl(one, F_DUPFD_CLOEXEC, 50) == 51 && fcntl(51, F_GETFD) == FD_CLOEXEC);
    CHECK(!close(one) && dup(50) == one && failed(close(60), EBADF) && failed(dup(-1), EBADF));
    add(50, 3);
    CHECK(take(51) == 3 && !close(50) && !close(51));
    other = dup(one);
    CHECK(other == one + 1 && !close(other) && !close(one));
}

int main(void)
{
    instance = epoll_create1(0);
    edges();
    once();
    turns();
    copies();
    nested();
    refusals();
    close(instance);
    counters();
    waits();
    pipes();
    interrupted();
    limits();
    duplicates();
    puts("done");
    return 0;
}
