/* signals.c - what calls about signals, and of threads about each other, do: it runs in Linux, too
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
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

/* --- what handlers have seen ----------------------------------------------------------------- */

static char seen[100]; /* a letter for each begin of a handler */
static volatile int count;
static siginfo_t last;
static pthread_t where;

static void note(int number, siginfo_t *about, void *context)
{
    seen[count++] = number == SIGUSR1 ? '1' : number == SIGUSR2 ? '2' : 'c';
    last = *about;
    where = pthread_self();
}

static void forget(void)
{
    memset(seen, 0, sizeof seen);
    count = 0;
}

static void handle(int number, unsigned flags, int other)
{
    struct sigaction action = {.sa_flags = (int)(flags | SA_SIGINFO)};

    action.sa_sigaction = note;
    sigemptyset(&action.sa_mask);
    if (other)
        sigaddset(&action.sa_mask, other);
    CHECK(!sigaction(number, &action, NULL));
}

static sigset_t set_of(int one, int other)
{
    sigset_t set;

    sigemptyset(&set);
    if (one)
        sigaddset(&set, one);
    if (other)
        sigaddset(&set, other);
    return set;
}

static void block(int how, int one, int other)
{
    const sigset_t set = set_of(one, other);

    CHECK(!pthread_sigmask(how, &set, NULL));
}

static int pends(int number)
{
    sigset_t set;

    CHECK(!sigpending(&set));
    return sigismember(&set, number);
}

/* --- numbers --------------------------------------------------------------------------------- */

static void numbers(void)
{
    struct sigaction action = {.sa_handler = SIG_IGN};

    CHECK(failed(kill(getpid(), 65), EINVAL) && failed(kill(getpid(), -1), EINVAL));
    CHECK(pthread_kill(pthread_self(), 65) == EINVAL && !pthread_kill(pthread_self(), 0));
    CHECK(!kill(getpid(), 0) && failed(kill(getpid(), 1000), EINVAL));
    CHECK(!sigaction(SIGKILL, NULL, &action) && action.sa_handler == SIG_DFL);
    CHECK(failed(sigaction(SIGKILL, &action, NULL), EINVAL));
    CHECK(failed(sigaction(0, NULL, &action), EINVAL) && signal(65, SIG_IGN) == SIG_ERR);
}

/* --- what is pending ------------------------------------------------------------------------- */

/* The last one begins first; a handler that blocks the other one is not interrupted by it. */
static void order(void)
{
    block(SIG_BLOCK, SIGUSR1, SIGUSR2);
    handle(SIGUSR1, 0, 0);
    handle(SIGUSR2, 0, 0);
    forget();
    CHECK(!raise(SIGUSR1) && !raise(SIGUSR1) && !raise(SIGUSR2) && !count && pends(SIGUSR1));
    block(SIG_UNBLOCK, SIGUSR1, SIGUSR2);
    CHECK(!strcmp(seen, "21") && !pends(SIGUSR1));
    handle(SIGUSR1, 0, SIGUSR2);
    block(SIG_BLOCK, SIGUSR1, SIGUSR2);
    forget();
    CHECK(!raise(SIGUSR2) && !raise(SIGUSR1));
    block(SIG_UNBLOCK, SIGUSR1, SIGUSR2);
    CHECK(!strcmp(seen, "12"));
    block(SIG_BLOCK, SIGUSR1, SIGUSR2); /* those of the thread come before those of the process */
    forget();
    CHECK(!kill(getpid(), SIGUSR1) && !raise(SIGUSR2));
    block(SIG_UNBLOCK, SIGUSR1, SIGUSR2);
    CHECK(!strcmp(seen, "12"));
}

/* What a program ignores is forgotten, also if it was blocked before. */
static void forgotten(void)
{
    block(SIG_BLOCK, SIGUSR1, SIGCHLD);
    signal(SIGCHLD, SIG_IGN);
    CHECK(!raise(SIGUSR1) && !kill(getpid(), SIGUSR1) && !raise(SIGCHLD));
    CHECK(pends(SIGUSR1) && pends(SIGCHLD));
    signal(SIGUSR1, SIG_IGN);
    signal(SIGCHLD, SIG_DFL);
    CHECK(!pends(SIGUSR1) && !pends(SIGCHLD));
    handle(SIGUSR1, 0, 0);
    forget();
    block(SIG_UNBLOCK, SIGUSR1, SIGCHLD);
    CHECK(!count && !raise(SIGCHLD) && !pends(SIGCHLD));
}

static void who(void)
{
    forget();
    CHECK(!kill(getpid(), SIGUSR1) && last.si_code == SI_USER && last.si_pid == getpid());
    CHECK(!raise(SIGUSR1) && last.si_code == SI_TKILL && last.si_pid == getpid() && count == 2);
}

/* --- waits for signals ----------------------------------------------------------------------- */

static pthread_t self;

/* Both signals, one after the other, when the thread waits. */
static void *send_both(void *unused)
{
    usleep(20000);
    CHECK(!pthread_kill(self, SIGUSR1));
    usleep(20000);
    CHECK(!pthread_kill(self, SIGUSR2));
    return NULL;
}

static pthread_t sender(void)
{
    pthread_t thread;

    self = pthread_self();
    forget();
    CHECK(!pthread_create(&thread, NULL, send_both, NULL));
    return thread;
}

/* A mask for one call: what it lets through ends it, and the mask is as before. */
static void masks(void)
{
    const sigset_t first = set_of(SIGUSR1, 0), none = set_of(0, 0);
    struct epoll_event event;
    struct timespec zero = {0, 0};
    int instance = epoll_create1(0);
    pthread_t thread;

    handle(SIGUSR1, SA_RESTART, 0);
    block(SIG_BLOCK, SIGUSR1, SIGUSR2);
    thread = sender();
    CHECK(failed(sigsuspend(&first), EINTR) && !strcmp(seen, "2") && pends(SIGUSR1));
    CHECK(failed(sigsuspend(&none), EINTR) && !strcmp(seen, "21") && !pends(SIGUSR1));
    CHECK(!pthread_join(thread, NULL));
    thread = sender();
    CHECK(failed(ppoll(NULL, 0, NULL, &first), EINTR) && !strcmp(seen, "2"));
    CHECK(failed(epoll_pwait(instance, &event, 1, -1, &none), EINTR) && !strcmp(seen, "21"));
    CHECK(!pthread_join(thread, NULL) && !ppoll(NULL, 0, &zero, NULL));
    zero.tv_nsec = -1;
    CHECK(failed(ppoll(NULL, 0, &zero, NULL), EINVAL));
    close(instance);
}

/* What is blocked is taken without a handler. */
static void takes(void)
{
    const sigset_t both = set_of(SIGUSR1, SIGUSR2), first = set_of(SIGUSR1, 0);
    struct timespec span = {0, 1000000};
    siginfo_t about;
    pthread_t thread = sender();
    int number;

    CHECK(sigtimedwait(&first, &about, NULL) == SIGUSR1 && about.si_code == SI_USER);
    CHECK(!sigwait(&both, &number) && number == SIGUSR2 && !count && about.si_pid == getpid());
    CHECK(!pthread_join(thread, NULL) && failed(sigtimedwait(&both, NULL, &span), EAGAIN));
    span.tv_nsec = 1000000000;
    CHECK(failed(sigtimedwait(&both, NULL, &span), EINVAL));
    block(SIG_UNBLOCK, SIGUSR2, 0);
    thread = sender();
    CHECK(failed(sigwaitinfo(&(sigset_t){0}, NULL), EINTR) && !strcmp(seen, "2"));
    CHECK(!pthread_join(thread, NULL) && sigwaitinfo(&both, NULL) == SIGUSR1);
    block(SIG_UNBLOCK, SIGUSR1, 0);
}

static void *take_one(void *unused)
{
    const sigset_t first = set_of(SIGUSR1, 0);
    int number;

    CHECK(!sigwait(&first, &number) && number == SIGUSR1);
    return NULL;
}

/* All block it: who waits for it gets it. */
static void takers(void)
{
    pthread_t thread;

    block(SIG_BLOCK, SIGUSR1, 0);
    forget();
    CHECK(!pthread_create(&thread, NULL, take_one, NULL));
    usleep(20000);
    CHECK(!kill(getpid(), SIGUSR1) && !pthread_join(thread, NULL) && !count);
    block(SIG_UNBLOCK, SIGUSR1, 0);
}

static void *spin(void *unused)
{
    while (!count)
        sched_yield();
    return NULL;
}

/* One that never waits handles it, too: for a thread alone, or for any that does not block it. */
static void spins(void)
{
    pthread_t thread;

    for (int i = 0; i < 2; i++) {
        forget();
        CHECK(!pthread_create(&thread, NULL, spin, NULL));
        usleep(1000);
        block(SIG_BLOCK, SIGUSR1, 0);
        CHECK(i ? !kill(getpid(), SIGUSR1) : !pthread_kill(thread, SIGUSR1));
        CHECK(!pthread_join(thread, NULL) && pthread_equal(where, thread) && !pends(SIGUSR1));
        block(SIG_UNBLOCK, SIGUSR1, 0);
    }
}

/* --- threads --------------------------------------------------------------------------------- */

static pthread_t target;

static void *nap(void *unused)
{
    usleep(40000);
    return &target;
}

static void *join_target(void *unused)
{
    void *value;

    CHECK(!pthread_join(target, &value) && value == &target);
    return NULL;
}

/* To detach one that is joined changes nothing. */
static void joins(void)
{
    pthread_t thread;

    CHECK(!pthread_create(&target, NULL, nap, NULL));
    CHECK(!pthread_create(&thread, NULL, join_target, NULL));
    usleep(10000);
    CHECK(!pthread_detach(target) && !pthread_join(thread, NULL));
    CHECK(!pthread_create(&thread, NULL, nap, NULL) && !pthread_detach(thread));
    CHECK(pthread_detach(thread) == EINVAL && pthread_join(thread, NULL) == EINVAL);
}

int main(void)
{
    numbers();
    order();
    forgotten();
    who();
    masks();
    takes();
    takers();
    spins();
    joins();
    puts("done");
    return 0;
}
