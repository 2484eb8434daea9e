/* locks.c - mutexes, conditions, locks of readers and writers, semaphores, futexes
 * SPDX-License-Identifier: MIT
 *
 * Who holds what is in the memory of the program, in place of what the C library keeps there: zeros are one that nobody
 * holds. Who waits is a matter of the threads. Whoever gives something up wakes all that wait for it, and the seed
 * decides who gets it; of a condition, too, and now and then it ends a wait that nobody has signaled. */
#include "threads.h"

#include "calls.h"

#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <stdarg.h>
#include <sys/syscall.h>

enum { SPURIOUS = 32 /* of so many waits for a condition one ends by itself */ };

/* When a wait is over: NEVER without a time. */
static uint64_t end_of(clockid_t which, const struct timespec *time)
{
    return time ? clock_when(which, time) : NEVER;
}

/* --- mutexes --------------------------------------------------------------------------------- */

/* Of the C library's there is its kind, and __owner: the number of a thread. */
static int kind_of(const pthread_mutex_t *mutex)
{
    int kind = mutex->__data.__kind;

    if (kind != PTHREAD_MUTEX_ADAPTIVE_NP && kind != PTHREAD_MUTEX_NORMAL &&
        kind != PTHREAD_MUTEX_RECURSIVE && kind != PTHREAD_MUTEX_ERRORCHECK)
        world_unknown("a mutex that is shared with processes, is robust or has a protocol");
    return kind;
}

/* Until the world's time can be another one, the clock is asked again. */
static int acquire(pthread_mutex_t *mutex, clockid_t which, const struct timespec *time)
{
    int *owner = &mutex->__data.__owner, self = here->thread->number, kind = kind_of(mutex);

    if (*owner == self && kind == PTHREAD_MUTEX_RECURSIVE) {
        mutex->__data.__count++;
        return 0;
    }
    if (*owner == self && kind == PTHREAD_MUTEX_ERRORCHECK)
        return EDEADLK;
    while (*owner) {
        uint64_t end = end_of(which, time);

        if (end <= here->world->now)
            return ETIMEDOUT;
        thread_wait(mutex, "a mutex", *owner, end);
    }
    *owner = self;
    return 0;
}

static int release(pthread_mutex_t *mutex)
{
    int *owner = &mutex->__data.__owner, kind = kind_of(mutex);

    if (*owner != here->thread->number) {
        if (kind == PTHREAD_MUTEX_RECURSIVE || kind == PTHREAD_MUTEX_ERRORCHECK)
            return EPERM;
        world_failed(1, "%.6f ms: %s gives up a mutex that its thread %d does not hold",
                     (double)here->world->now / 1e6, here->name, here->thread->number);
    }
    if (mutex->__data.__count) {
        mutex->__data.__count--;
        return 0;
    }
    *owner = 0;
    threads_wake(mutex, INT_MAX);
    return 0;
}

int call_pthread_mutex_lock(pthread_mutex_t *mutex)
{
    machine_calls();
    thread_meets();
    return acquire(mutex, CLOCK_REALTIME, NULL);
}

int call_pthread_mutex_timedlock(pthread_mutex_t *mutex, const struct timespec *time)
{
    machine_calls();
    thread_meets();
    return acquire(mutex, CLOCK_REALTIME, time);
}

int call_pthread_mutex_trylock(pthread_mutex_t *mutex)
{
    bool mine =
        mutex->__data.__owner == here->thread->number && kind_of(mutex) == PTHREAD_MUTEX_RECURSIVE;

    machine_calls();
    thread_meets();
    return mutex->__data.__owner && !mine ? EBUSY : acquire(mutex, CLOCK_REALTIME, NULL);
}

int call_pthread_mutex_unlock(pthread_mutex_t *mutex)
{
    int error = release(mutex);

    thread_meets();
    return error;
}

int call_pthread_mutex_destroy(pthread_mutex_t *mutex)
{
    return mutex->__data.__owner ? EBUSY : 0;
}

/* --- conditions ------------------------------------------------------------------------------ */

/* In place of the C library's. */
struct condition {
    clockid_t clock;
};

int call_pthread_cond_init(pthread_cond_t *cond, const pthread_condattr_t *attributes)
{
    struct condition *condition = (struct condition *)(void *)cond;

    memset(cond, 0, sizeof *cond);
    if (attributes)
        pthread_condattr_getclock(attributes, &condition->clock);
    return 0;
}

int call_pthread_cond_destroy(pthread_cond_t *cond)
{
    return 0;
}

static int wait_for(pthread_cond_t *cond, pthread_mutex_t *mutex, clockid_t which,
                    const struct timespec *time)
{
    uint64_t end = end_of(which, time);
    bool over = false;
    int error;

    machine_calls();
    thread_meets();
    error = release(mutex);
    if (error)
        return error;
    if (!world_chance(here->world, SPURIOUS) && end > here->world->now + WORLD_MS)
        end = here->world->now + world_chance(here->world, WORLD_MS);
    if (end <= here->world->now || thread_wait(cond, "a condition", 0, end))
        over = end_of(which, time) <= here->world->now;
    acquire(mutex, CLOCK_REALTIME, NULL);
    return over ? ETIMEDOUT : 0;
}

int call_pthread_cond_wait(pthread_cond_t *cond, pthread_mutex_t *mutex)
{
    return wait_for(cond, mutex, CLOCK_REALTIME, NULL);
}

int call_pthread_cond_timedwait(pthread_cond_t *cond, pthread_mutex_t *mutex,
                                const struct timespec *time)
{
    return wait_for(cond, mutex, ((const struct condition *)(const void *)cond)->clock, time);
}

int call_pthread_cond_clockwait(pthread_cond_t *cond, pthread_mutex_t *mutex, clockid_t which,
                                const struct timespec *time)
{
    return wait_for(cond, mutex, which, time);
}

int call_pthread_cond_signal(pthread_cond_t *cond)
{
    machine_calls();
    thread_meets();
    threads_wake(cond, 1);
    return 0;
}

int call_pthread_cond_broadcast(pthread_cond_t *cond)
{
    machine_calls();
    thread_meets();
    threads_wake(cond, INT_MAX);
    return 0;
}

/* --- readers and writers --------------------------------------------------------------------- */

/* In place of the C library's. A reader goes on whenever no thread writes. */
struct rwlock {
    int writer; /* the number of a thread */
    int readers;
};

static struct rwlock *rwlock_of(pthread_rwlock_t *lock)
{
    machine_calls();
    thread_meets();
    return (struct rwlock *)(void *)lock;
}

int call_pthread_rwlock_init(pthread_rwlock_t *lock, const pthread_rwlockattr_t *attributes)
{
    memset(lock, 0, sizeof *lock);
    return 0;
}

int call_pthread_rwlock_destroy(pthread_rwlock_t *lock)
{
    return 0;
}

int call_pthread_rwlock_tryrdlock(pthread_rwlock_t *lock)
{
    struct rwlock *self = rwlock_of(lock);

    if (self->writer)
        return EBUSY;
    self->readers++;
    return 0;
}

int call_pthread_rwlock_trywrlock(pthread_rwlock_t *lock)
{
    struct rwlock *self = rwlock_of(lock);

    if (self->writer || self->readers)
        return EBUSY;
    self->writer = here->thread->number;
    return 0;
}

int call_pthread_rwlock_rdlock(pthread_rwlock_t *lock)
{
    struct rwlock *self = rwlock_of(lock);

    if (self->writer == here->thread->number)
        return EDEADLK;
    while (self->writer)
        thread_wait(lock, "a lock to read", self->writer, NEVER);
    self->readers++;
    return 0;
}

int call_pthread_rwlock_wrlock(pthread_rwlock_t *lock)
{
    struct rwlock *self = rwlock_of(lock);

    if (self->writer == here->thread->number)
        return EDEADLK;
    while (self->writer || self->readers)
        thread_wait(lock, "a lock to write", self->writer, NEVER);
    self->writer = here->thread->number;
    return 0;
}

int call_pthread_rwlock_unlock(pthread_rwlock_t *lock)
{
    struct rwlock *self = rwlock_of(lock);

    if (self->writer == here->thread->number)
        self->writer = 0;
    else if (!self->writer && self->readers)
        self->readers--;
    else
        world_failed(1, "%.6f ms: %s gives up a lock that its thread %d does not hold",
                     (double)here->world->now / 1e6, here->name, here->thread->number);
    threads_wake(lock, INT_MAX);
    return 0;
}

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

    while (!*count) {
        uint64_t end = end_of(which, time);

        if (end <= here->world->now)
            return (int)result(-ETIMEDOUT);
        if (thread_wait(semaphore, "a semaphore", A_HANDLER, end) == EINTR)
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
    for (;;)
        switch (thread_wait(word, "a futex", A_HANDLER, span ? clock_reaches(here, end) : NEVER)) {
        case 0: return 0;
        case EINTR: return result(-EINTR);
        default:
            if (span && clock_now(here) >= end)
                return result(-ETIMEDOUT);
        }
}

/* Of the system calls by number there are those of a futex. */
long call_syscall(long number, ...)
{
    const unsigned *word;
    const struct timespec *span;
    unsigned value;
    int what;
    va_list arguments;

    machine_calls();
    if (number != SYS_futex)
        world_unknown("syscall %ld", number);
    va_start(arguments, number);
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
