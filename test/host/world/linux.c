/* linux.c - what calls return, where worlds had it otherwise: it runs in Linux, too
 * SPDX-License-Identifier: MIT
 *
 *     linux         what does not depend on the speed of a machine
 *     linux all     all */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
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

/* Run a function in a thread, which begins to wait before this returns. */
static pthread_t begin(void *(*function)(void *))
{
    pthread_t thread;

    CHECK(!pthread_create(&thread, NULL, function, NULL));
    usleep(20000);
    return thread;
}

/* --- epoll ----------------------------------------------------------------------------------- */

static int instance, ends[2];

static void *wait_for_events(void *unused)
{
    struct epoll_event event;

    CHECK(epoll_wait(instance, &event, 1, -1) == 1 && event.events == EPOLLIN);
    return NULL;
}

/* A descriptor that is ready wakes who waits already. */
static void epolls(void)
{
    struct epoll_event event = {.events = EPOLLIN};
    pthread_t thread;

    instance = epoll_create1(0);
    CHECK(!pipe(ends) && write(ends[1], "a", 1) == 1);
    thread = begin(wait_for_events);
    CHECK(!epoll_ctl(instance, EPOLL_CTL_ADD, ends[0], &event) && !pthread_join(thread, NULL));
    event.events = 0;
    CHECK(!epoll_ctl(instance, EPOLL_CTL_MOD, ends[0], &event));
    CHECK(epoll_wait(instance, &event, 1, 0) == 0);
    thread = begin(wait_for_events);
    event.events = EPOLLIN;
    CHECK(!epoll_ctl(instance, EPOLL_CTL_MOD, ends[0], &event) && !pthread_join(thread, NULL));
    event.events = 0; /* a hang-up is told in any case */
    CHECK(!epoll_ctl(instance, EPOLL_CTL_MOD, ends[0], &event) && !close(ends[1]));
    CHECK(epoll_wait(instance, &event, 1, 0) == 1 && event.events == EPOLLHUP);
    CHECK(failed(epoll_wait(instance, &event, 0, 0), EINVAL));
    CHECK(failed(epoll_ctl(instance, EPOLL_CTL_ADD, instance, &event), EINVAL));
    close(ends[0]);
    close(instance);
}

/* --- writes ---------------------------------------------------------------------------------- */

enum { MUCH = 300000 };
static char much[MUCH];

static void *take_all(void *unused)
{
    static char room[1000];
    long sum = 0, got;

    while ((got = read(ends[0], room, sizeof room)) > 0)
        sum += got;
    return (void *)sum;
}

/* A write that may block takes all bytes. */
static void write_all(void)
{
    pthread_t thread = begin(take_all);
    void *sum;

    CHECK(write(ends[1], much, MUCH) == MUCH && !close(ends[1]));
    CHECK(!pthread_join(thread, &sum) && (long)sum == MUCH);
    close(ends[0]);
}

static int listener;
static struct sockaddr_in place;

static int tcp(void)
{
    return socket(AF_INET, SOCK_STREAM, 0);
}

static int reach(int fd)
{
    return connect(fd, (struct sockaddr *)&place, sizeof place);
}

/* At a port of its own. */
static void listens(void)
{
    socklen_t length = sizeof place;

    listener = tcp();
    place.sin_family = AF_INET;
    place.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    CHECK(!bind(listener, (struct sockaddr *)&place, sizeof place) && !listen(listener, 5));
    CHECK(!getsockname(listener, (struct sockaddr *)&place, &length));
}

static void writes(void)
{
    CHECK(!pipe(ends));
    write_all();
    CHECK(!socketpair(AF_UNIX, SOCK_STREAM, 0, ends));
    write_all();
    listens();
    ends[1] = tcp();
    CHECK(!reach(ends[1]) && (ends[0] = accept(listener, NULL, NULL)) >= 0);
    write_all();
    place.sin_port = 0;
    close(listener);
}

/* A pipe is writable as long as it takes PIPE_BUF bytes. */
static void pipes(void)
{
    struct pollfd fd = {.events = POLLOUT};
    int left = 0;

    CHECK(!pipe(ends) && !fcntl(ends[1], F_SETFL, O_NONBLOCK));
    fd.fd = ends[1];
    while (poll(&fd, 1, 0) == 1) {
        CHECK(write(ends[1], much, 1000) == 1000);
        left++;
    }
    CHECK(left > 1 && failed(write(ends[1], much, PIPE_BUF), EAGAIN));
    close(ends[0]);
    close(ends[1]);
}

/* Who has left bytes unread: a write fails as to any closed end, and a read tells of the loss behind the bytes. */
static void pairs(void)
{
    char byte;

    signal(SIGPIPE, SIG_IGN);
    CHECK(!socketpair(AF_UNIX, SOCK_STREAM, 0, ends));
    CHECK(write(ends[0], "a", 1) == 1 && write(ends[1], "b", 1) == 1 && !close(ends[0]));
    CHECK(failed(write(ends[1], "c", 1), EPIPE));
    CHECK(read(ends[1], &byte, 1) == 1 && byte == 'a');
    CHECK(failed(read(ends[1], &byte, 1), ECONNRESET) && read(ends[1], &byte, 1) == 0);
    close(ends[1]);
}

/* --- connects -------------------------------------------------------------------------------- */

static void *accept_one(void *unused)
{
    CHECK(failed(accept(listener, NULL, NULL), EINVAL));
    return NULL;
}

/* What has failed can be tried again; a listener can be shut down. */
static void connects(void)
{
    struct pollfd fd = {.events = POLLOUT};
    int error, one;
    socklen_t length = sizeof error;
    pthread_t thread;

    listens();
    close(listener);
    one = tcp();
    CHECK(failed(write(one, "a", 1), EPIPE));
    CHECK(failed(reach(one), ECONNREFUSED) && failed(reach(one), ECONNREFUSED));
    fd.fd = one;
    CHECK(!fcntl(one, F_SETFL, O_NONBLOCK) && failed(reach(one), EINPROGRESS));
    CHECK(poll(&fd, 1, 1000) == 1 && fd.revents == (POLLOUT | POLLERR | POLLHUP));
    CHECK(!getsockopt(one, SOL_SOCKET, SO_ERROR, &error, &length) && error == ECONNREFUSED);
    CHECK(failed(reach(one), ECONNABORTED) && failed(reach(one), EINPROGRESS));
    CHECK(poll(&fd, 1, 1000) == 1 && failed(reach(one), ECONNREFUSED));
    place.sin_port = 0;
    listens();
    CHECK(!fcntl(one, F_SETFL, 0) && !reach(one) && failed(reach(one), EISCONN));
    close(accept(listener, NULL, NULL));
    close(one);
    thread = begin(accept_one);
    CHECK(!shutdown(listener, SHUT_WR) && !shutdown(listener, SHUT_RD));
    CHECK(!pthread_join(thread, NULL) && failed(reach(one = tcp()), ECONNREFUSED));
    CHECK(!listen(listener, 5));
    close(one);
    close(listener);
}

/* --- signals --------------------------------------------------------------------------------- */

static int depth, deepest, handled;

static void count(int number)
{
    depth++;
    deepest = depth > deepest ? depth : deepest;
    handled++;
    if (number == SIGUSR1 && handled == 1)
        raise(SIGUSR1);
    if (number == SIGUSR1 && handled == 1)
        raise(SIGUSR2);
    depth--;
}

static void handle(unsigned flags, int masked)
{
    struct sigaction action = {.sa_handler = count, .sa_flags = (int)flags};

    sigemptyset(&action.sa_mask);
    if (masked)
        sigaddset(&action.sa_mask, SIGUSR2);
    depth = deepest = handled = 0;
    CHECK(!sigaction(SIGUSR1, &action, NULL) && !sigaction(SIGUSR2, &action, NULL));
}

static pthread_t self;
static volatile int ended; /* the read that is to be interrupted */

static void *interrupt(void *restarts)
{
    for (int i = 0; restarts ? i < 5 : !ended; i++) {
        usleep(10000);
        CHECK(!pthread_kill(self, SIGUSR2));
    }
    CHECK(write(ends[1], "a", 1) == 1);
    return NULL;
}

/* What a read returns that signals, and then a byte, could end. */
static long read_through(unsigned flags)
{
    pthread_t thread;
    char byte;
    long got;

    handle(flags, 0);
    self = pthread_self();
    ended = 0;
    CHECK(!pthread_create(&thread, NULL, interrupt, flags ? &self : NULL));
    got = read(ends[0], &byte, 1);
    CHECK(got == 1 || errno == EINTR);
    ended = 1;
    CHECK(!pthread_join(thread, NULL) && handled && (got == 1 || read(ends[0], &byte, 1) == 1));
    return got;
}

static sigjmp_buf place_to_go;

static void jump(int number)
{
    siglongjmp(place_to_go, 1);
}

/* Out of a handler, and so out of a read: the mask is as before, and the descriptor can be closed. */
static void jumps(void)
{
    pthread_t thread;
    sigset_t now;
    char byte;

    CHECK(!pipe(ends) && signal(SIGUSR2, jump) != SIG_ERR);
    self = pthread_self();
    ended = 0;
    if (!sigsetjmp(place_to_go, 1)) {
        CHECK(!pthread_create(&thread, NULL, interrupt, NULL));
        read(ends[0], &byte, 1);
    }
    signal(SIGUSR2, SIG_IGN);
    ended = 1;
    CHECK(!pthread_sigmask(SIG_BLOCK, NULL, &now) && !sigismember(&now, SIGUSR2));
    CHECK(read(ends[0], &byte, 1) == 1 && !close(ends[1]) && read(ends[0], &byte, 1) == 0);
    close(ends[0]);
}

static void signals(void)
{
    struct sigaction now;

    handle(0, 1);
    CHECK(!raise(SIGUSR1) && handled == 3 && deepest == 1);
    handle(0, 0);
    CHECK(!raise(SIGUSR1) && handled == 3 && deepest == 2);
    handle(SA_NODEFER, 1);
    CHECK(!raise(SIGUSR1) && handled >= 2 && deepest >= 2);
    handle(SA_RESETHAND, 0);
    CHECK(!raise(SIGUSR2) && !sigaction(SIGUSR2, NULL, &now) && now.sa_handler == SIG_DFL);
    CHECK(!raise(SIGCONT) && !raise(SIGCHLD) && !raise(SIGWINCH));
    CHECK(!pipe(ends) && read_through(0) == -1 && read_through(SA_RESTART) == 1);
}

/* --- threads and times ----------------------------------------------------------------------- */

static pthread_t target;

static void *join_it(void *unused)
{
    CHECK(!pthread_join(target, NULL));
    return NULL;
}

static void *sleeper(void *unused)
{
    usleep(60000);
    return NULL;
}

/* A thread has one joiner. In Linux the second one could come when the thread is gone. */
static void joins(void)
{
    pthread_t other;

    CHECK(!pthread_create(&target, NULL, sleeper, NULL));
    other = begin(join_it);
    CHECK(pthread_join(target, NULL) == EINVAL && !pthread_join(other, NULL));
}

static void times(void)
{
    struct timespec much_time = {0, 1000000000}, below = {0, -1}, past = {-1, 0};
    pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
    sem_t semaphore;

    CHECK(failed(nanosleep(&much_time, NULL), EINVAL) && failed(nanosleep(&past, NULL), EINVAL));
    CHECK(clock_nanosleep(CLOCK_MONOTONIC, 0, &below, NULL) == EINVAL);
    CHECK(!sem_init(&semaphore, 0, 0) && failed(sem_timedwait(&semaphore, &below), EINVAL));
    CHECK(failed(sem_timedwait(&semaphore, &past), ETIMEDOUT));
    CHECK(!pthread_mutex_lock(&mutex));
    CHECK(pthread_cond_timedwait(&condition, &mutex, &much_time) == EINVAL);
    CHECK(pthread_mutex_timedlock(&mutex, &much_time) == EINVAL);
    CHECK(pthread_mutex_timedlock(&mutex, &past) == ETIMEDOUT);
}

int main(int argc, char **argv)
{
    epolls();
    writes();
    pipes();
    pairs();
    connects();
    signals();
    jumps();
    if (argc > 1)
        joins();
    times();
    puts("done");
    return 0;
}
