/* locks.c - mutexes, conditions, locks of readers and writers
 * SPDX-License-Identifier: MIT
 *
 * Which thread holds a lock is in the memory of the program, in place of what the C library keeps there: zeros are a
 * lock that is free. Which threads wait is noted in the threads. A lock that becomes free wakes all that wait for it,
 * and the seed decides which one gets it; so it does for a condition, and now and then it ends a wait without a signal. */
#include "threads.h"

#include "calls.h"

#include <errno.h>
#include <limits.h>

enum { SPURIOUS = 32 /* of so many waits for a condition one ends by itself */ };

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
    int *owner = &mutex->__data.__owner, self = running->thread->number, kind = kind_of(mutex);

    if (*owner == self && kind == PTHREAD_MUTEX_RECURSIVE) {
        mutex->__data.__count++;
        return 0;
    }
    if (*owner == self && kind == PTHREAD_MUTEX_ERRORCHECK)
        return EDEADLK;
    while (*owner) {
        uint64_t end = wait_end(which, time);

        if (time && !time_is_valid(time))
            return EINVAL;
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

    if (*owner != running->thread->number) {
        if (kind == PTHREAD_MUTEX_RECURSIVE || kind == PTHREAD_MUTEX_ERRORCHECK)
            return EPERM;
        world_failed(1, "%.6f ms: %s gives up a mutex that its thread %d does not hold",
                     (double)here->world->now / 1e6, here->name, running->thread->number);
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
    bool mine = mutex->__data.__owner == running->thread->number &&
                kind_of(mutex) == PTHREAD_MUTEX_RECURSIVE;

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
    uint64_t end = wait_end(which, time);
    bool over = false;
    int error;

    machine_calls();
    if (time && !time_is_valid(time))
        return EINVAL;
    thread_meets();
    error = release(mutex);
    if (error)
        return error;
    if (!world_chance(here->world, SPURIOUS) && end > here->world->now + WORLD_MS)
        end =
            here->world->now + world_chance(here->world, WORLD_US << world_chance(here->world, 10));
    if (end <= here->world->now || thread_wait(cond, "a condition", 0, end))
        over = wait_end(which, time) <= here->world->now;
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
    self->writer = running->thread->number;
    return 0;
}

int call_pthread_rwlock_rdlock(pthread_rwlock_t *lock)
{
    struct rwlock *self = rwlock_of(lock);

    if (self->writer == running->thread->number)
        return EDEADLK;
    while (self->writer)
        thread_wait(lock, "a lock to read", self->writer, NEVER);
    self->readers++;
    return 0;
}

int call_pthread_rwlock_wrlock(pthread_rwlock_t *lock)
{
    struct rwlock *self = rwlock_of(lock);

    if (self->writer == running->thread->number)
        return EDEADLK;
    while (self->writer || self->readers)
        thread_wait(lock, "a lock to write", self->writer, NEVER);
    self->writer = running->thread->number;
    return 0;
}

int call_pthread_rwlock_unlock(pthread_rwlock_t *lock)
{
    struct rwlock *self = rwlock_of(lock);

    if (self->writer == running->thread->number)
        self->writer = 0;
    else if (!self->writer && self->readers)
        self->readers--;
    else
        world_failed(1, "%.6f ms: %s gives up a lock that its thread %d does not hold",
                     (double)here->world->now / 1e6, here->name, running->thread->number);
    threads_wake(lock, INT_MAX);
    return 0;
}
