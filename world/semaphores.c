/* semaphores.c - semaphores and futexes: waits that a signal handler can end
 * SPDX-License-Identifier: MIT */
#include "threads.h"

#include "calls.h"

#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <stdarg.h>
#include <sys/syscall.h>

/* --- semaphores ------------------------------------------------------------------------------ */

/* In place of the C library's. */
static unsigned *count_of(sem_t *semaphore)
{
    machine_calls();
    thread_meets();
    return (unsigned *)(void *)semaphore;
}

int call_sem_init(sem_t *semaphore, int shared, unsigned value)
{
    if (shared)
        world_unknown("sem_init for several processes");
    *count_of(semaphore) = value;
    return 0;
}

int call_sem_destroy(sem_t *semaphore)
{
    return 0;
}

int call_sem_getvalue(sem_t *semaphore, int *value)
{
    *value = (int)*count_of(semaphore);
    return 0;
}

/* What a call that takes one returns. */
static int take(sem_t *semaphore, clockid_t which, const struct timespec *time)
{
    unsigned *count = count_of(semaphore);

    if (time && !time_is_valid(time))
        return (int)result(-EINVAL);
    while (!*count) {
        uint64_t end = wait_end(which, time);

        if (end <= here->world->now)
            return (int)result(-ETIMEDOUT);
        if (thread_wait(semaphore, "a semaphore", A_HANDLER, end) == EINTR && !signals_restart())
            return (int)result(-EINTR);
    }
    --*count;
    return 0;
}

int call_sem_wait(sem_t *semaphore)
{
    return take(semaphore, CLOCK_REALTIME, NULL);
}

int call_sem_timedwait(sem_t *semaphore, const struct timespec *time)
{
    return take(semaphore, CLOCK_REALTIME, time);
}

int call_sem_trywait(sem_t *semaphore)
{
    unsigned *count = count_of(semaphore);

    if (!*count)
        return (int)result(-EAGAIN);
    --*count;
    return 0;
}

int call_sem_post(sem_t *semaphore)
{
    ++*count_of(semaphore);
    threads_wake(semaphore, INT_MAX);
    return 0;
}

/* --- futexes --------------------------------------------------------------------------------- */

static long futex_wait(const unsigned *word, unsigned seen, const struct timespec *span)
{
    uint64_t end =
        span ? clock_now(here) + (uint64_t)span->tv_sec * WORLD_S + (uint64_t)span->tv_nsec : NEVER;

    if (*word != seen)
        return result(-EAGAIN);
    if (span && !span_is_valid(span))
        return result(-EINVAL);
    for (;;)
        switch (thread_wait(word, "a futex", A_HANDLER, span ? clock_reaches(here, end) : NEVER)) {
        case 0: return 0;
        case EINTR:
            if (!signals_restart())
                return result(-EINTR);
            break;
        default:
            if (span && clock_now(here) >= end)
                return result(-ETIMEDOUT);
        }
}

/* Of the system calls by number there are those of a futex, and pidfd_open. */
long call_syscall(long number, ...)
{
    const unsigned *word;
    const struct timespec *span;
    unsigned value;
    int what;
    va_list arguments;

    machine_calls();
    va_start(arguments, number);
    if (number == SYS_pidfd_open) {
        int pidfd = pidfd_make(va_arg(arguments, pid_t));

        va_end(arguments);
        return pidfd;
    }
    if (number != SYS_futex)
        world_unknown("syscall %ld", number);
    word = va_arg(arguments, const unsigned *);
    what = va_arg(arguments, int) & ~FUTEX_PRIVATE_FLAG;
    value = va_arg(arguments, unsigned);
    span = va_arg(arguments, const struct timespec *);
    va_end(arguments);
    if (what == FUTEX_WAKE)
        return threads_wake(word, value > INT_MAX ? INT_MAX : (int)value);
    if (what != FUTEX_WAIT)
        world_unknown("futex of operation %d", what);
    thread_meets();
    return futex_wait(word, value, span);
}
