/* watchdog.c - a thread that looks for a step that does not end, and a handler that prints it
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "../faults.h"
#include "../fork.h"
#include "../needs.h"
#include "lines.h"

#include <pt/host/watchdog.h>

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#if defined(__GLIBC__) || defined(__APPLE__)
#include <execinfo.h>
#endif

/* The clock of its waits: the wall clock jumps when it is set. macOS waits by no other. */
#ifdef __APPLE__
#define WAIT_CLOCK CLOCK_REALTIME
#define pthread_condattr_setclock(attributes, clock) ((void)(attributes), 0)
#else
#define WAIT_CLOCK CLOCK_MONOTONIC
#endif

/* The one of this thread, or NULL. */
static __thread struct pt_watchdog *mine;

/* --- in the loop's thread -------------------------------------------------------------------- */

/* Whether stderr takes a line at once. A pipe that nobody reads must not stop the loop. */
static bool can_print(void)
{
    struct pollfd reader = {STDERR_FILENO, POLLOUT, 0};

    return poll(&reader, 1, 0) != 0;
}

static void print(void *context, const char *text)
{
    ssize_t ignored = can_print() ? write(STDERR_FILENO, text, strlen(text)) : 0;
    bool *lacks_lines = context;

    *lacks_lines |= pt_lacks_line_(text);
    (void)ignored;
}

__attribute__((noinline)) static void print_calls(void)
{
#if defined(__GLIBC__) || defined(__APPLE__)
    void *calls[64];
    int count = backtrace(calls, (int)(sizeof calls / sizeof calls[0]));
    const int ours = 3; /* this function, the handler, and what called it */

    for (int i = ours; i < count && can_print(); i++)
        backtrace_symbols_fd(calls + i, 1, STDERR_FILENO);
#endif
}

/* Load what a backtrace needs now: not in a handler, since that can allocate. */
static void prepare_calls(void)
{
#if defined(__GLIBC__) || defined(__APPLE__)
    void *call;

    (void)backtrace(&call, 1);
#endif
}

/* Name the step, unless it has ended meanwhile, or was named before. */
static void bark(int number)
{
    struct pt_watchdog *dog = mine;
    int error = errno;

    (void)number;
    if (dog && dog->steps % 2 && dog->named != dog->steps) {
        const struct pt_loop *loop = dog->watch.loop;
        bool lacks_lines = false;
        pt_time now = loop->port->now(loop->port->context);

        if (pt_watch_report(&dog->watch, now, print, &lacks_lines)) {
            if (lacks_lines)
                pt_name_what_knows_lines_(print, &lacks_lines);
            print_calls();
            __atomic_store_n(&dog->named, dog->steps, __ATOMIC_RELAXED);
            __atomic_add_fetch(&dog->barks, 1, __ATOMIC_SEQ_CST);
        }
    }
    errno = error;
}

static void resumes(struct pt_observer *observer, struct pt_task *task)
{
    struct pt_watchdog *dog = (struct pt_watchdog *)(void *)observer;
    bool goes_on = dog->watch.running == task;

    pt_watch_resumes_(observer, task);
    if (!goes_on)
        __atomic_store_n(&dog->steps, (dog->steps + 2) | 1, __ATOMIC_RELAXED);
}

static void step_can_end(struct pt_watchdog *dog)
{
    if (!dog->watch.running)
        __atomic_store_n(&dog->steps, (dog->steps + 1) & ~1u, __ATOMIC_RELAXED);
}

static void returned(struct pt_observer *observer, struct pt_task *task, enum pt_opcode op)
{
    pt_watch_returned_(observer, task, op);
    step_can_end((struct pt_watchdog *)(void *)observer);
}

static void turned(struct pt_observer *observer, struct pt_loop *loop)
{
    pt_watch_turned_(observer, loop);
    step_can_end((struct pt_watchdog *)(void *)observer);
}

/* --- the thread ------------------------------------------------------------------------------ */

/* Wait for the limit, or until the watchdog stops; whether it has. */
static bool sleep_for(struct pt_watchdog *dog)
{
    struct timespec until;
    int status = 0;

    clock_gettime(WAIT_CLOCK, &until);
    until.tv_sec += dog->limit.tv_sec;
    until.tv_nsec += dog->limit.tv_nsec;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    while (!dog->stopped && status != ETIMEDOUT)
        status = pthread_cond_timedwait(&dog->stop, &dog->mutex, &until);
    return dog->stopped;
}

/* A step gets a second signal if the first came before it was over the limit by the loop's clock,
 * but no third: a call that it repeats after EINTR would never end. */
static void *look(void *context)
{
    struct pt_watchdog *dog = context;
    unsigned before = 0, signals = 0;

    pthread_mutex_lock(&dog->mutex);
    while (!sleep_for(dog)) {
        unsigned steps = __atomic_load_n(&dog->steps, __ATOMIC_RELAXED);

        if (steps != before)
            signals = 0;
        if (steps % 2 && steps == before && signals < 2 &&
            steps != __atomic_load_n(&dog->named, __ATOMIC_RELAXED)) {
            pthread_kill(dog->watched, PT_WATCHDOG_SIGNAL);
            __atomic_add_fetch(&dog->sent, 1, __ATOMIC_RELAXED);
            signals++;
        }
        before = steps;
        __atomic_add_fetch(&dog->looks, 1, __ATOMIC_SEQ_CST);
    }
    pthread_mutex_unlock(&dog->mutex);
    return NULL;
}

/* --- on and off ------------------------------------------------------------------------------ */

static unsigned dogs; /* that use the handler */
static struct sigaction earlier;

static void handle(int change)
{
    struct sigaction action;

    pt_mutex_lock_(PT_MUTEX_PROCESS_);
    if (change > 0 && dogs == 0) {
        memset(&action, 0, sizeof action);
        action.sa_handler = bark;
        action.sa_flags = SA_RESTART | SA_ONSTACK;
        pt_all_but_faults_(&action.sa_mask);
        sigaction(PT_WATCHDOG_SIGNAL, &action, &earlier);
    }
    dogs += (unsigned)change;
    if (!dogs)
        sigaction(PT_WATCHDOG_SIGNAL, &earlier, NULL);
    pt_mutex_unlock_(PT_MUTEX_PROCESS_);
}

/* What stops the thread. */
static bool init_stop(struct pt_watchdog *dog)
{
    pthread_condattr_t attributes;
    bool good;

    if (pthread_condattr_init(&attributes))
        return false;
    good = !pthread_condattr_setclock(&attributes, WAIT_CLOCK) &&
           !pthread_cond_init(&dog->stop, &attributes);
    pthread_condattr_destroy(&attributes);
    if (good)
        pthread_mutex_init(&dog->mutex, NULL);
    return good;
}

static void destroy_stop(struct pt_watchdog *dog)
{
    pthread_cond_destroy(&dog->stop);
    pthread_mutex_destroy(&dog->mutex);
}

/* The signals of the program belong to other threads. */
static bool start_thread(struct pt_watchdog *dog)
{
    sigset_t mask, before;
    bool started;

    pt_all_but_faults_(&mask);
    pthread_sigmask(SIG_SETMASK, &mask, &before);
    started = !pthread_create(&dog->thread, NULL, look, dog);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return started;
}

pt_status pt_watchdog_start(struct pt_watchdog *dog, struct pt_loop *loop, pt_time limit)
{
    PT_NEEDS_(loop && loop->port, "the loop has no port: call pt_system_open", "pt_watchdog_start");
    if (mine)
        return PT_EBUSY;
    if (!limit || limit > PT_DELAY_MAX)
        return PT_EINVAL;
    memset(dog, 0, sizeof *dog);
    dog->limit.tv_sec = (time_t)(limit / PT_SEC(1));
    dog->limit.tv_nsec = (long)(limit % PT_SEC(1));
    dog->watched = pthread_self();
    dog->forks = pt_forks_();
    prepare_calls();
    if (!init_stop(dog))
        return PT_ENOMEM;
    if (!start_thread(dog)) {
        destroy_stop(dog);
        return PT_ENOMEM;
    }
    pt_watch_start(&dog->watch, loop, limit, NULL);
    dog->watch.observer.resumes = resumes;
    dog->watch.observer.returned = returned;
    dog->watch.observer.turned = turned;
    mine = dog;
    handle(1);
    return PT_OK;
}

unsigned pt_watchdog_barks(const struct pt_watchdog *dog)
{
    return __atomic_load_n(&dog->barks, __ATOMIC_SEQ_CST);
}

void pt_watchdog_stop(struct pt_watchdog *dog)
{
    if (mine != dog)
        return;
    if (!pt_forked_since_(dog->forks)) { /* a forked process has no copy of the thread */
        pthread_mutex_lock(&dog->mutex);
        dog->stopped = true;
        pthread_cond_signal(&dog->stop);
        pthread_mutex_unlock(&dog->mutex);
        pthread_join(dog->thread, NULL);
        destroy_stop(dog);
    }
    handle(-1);
    mine = NULL;
    pt_watch_stop(&dog->watch);
}
