/* lock.h - semaphores, locks, conditions: first come, first served
 * SPDX-License-Identifier: MIT
 *
 *     PT_LOCK(&self->account->lock);
 *     PT_WAIT(PT_MS(3));                       no other task holds the lock meanwhile
 *     PT_UNLOCK(&self->account->lock);
 *
 * No other task of the loop runs between two suspensions: use a lock only for work that suspends.
 * A released unit or lock goes straight to the first waiter: no task overtakes it, and when it runs
 * again it has what it waited for.
 *
 * Cancel, timeout: a task that has not been given anything gets nothing, and leaves the queue if it
 * waits. Once it has been given a unit or the lock, it keeps it, continues to its next wait, and is
 * ended there. Its PT_FINALLY must give back what it holds (PT_HOLDS tells whether it
 * holds a lock). After a notify of a condition nothing interrupts the task's wait: it
 * continues when it has the lock. */
#ifndef PT_LOCK_H
#define PT_LOCK_H

#include "select.h"

#if PT_SYNC

/* --- semaphores ---------------------------------------------------------------------------- */

/* A counter of units; a task takes one at a time. Zeroed storage is no semaphore: call
 * pt_semaphore_init. Read count; write through the functions. */
struct pt_semaphore {
    struct pt_wait_queue_ waiters; /* tasks that wait for a unit */
    unsigned count;                /* free units */
    unsigned limit;                /* the maximum of count */
};

/* pt_semaphore_init - start with COUNT units, never more than LIMIT (UINT_MAX: no limit); O(1) */
PT_API void pt_semaphore_init(struct pt_semaphore *semaphore, unsigned count, unsigned limit);

/* PT_ACQUIRE(&semaphore) - wait for a unit and take it; self->pt.status is PT_OK */
#define PT_ACQUIRE(semaphore) PT_PARK_AND_TAKE_IF_(pt_semaphore_wait_(pt_current_, pt_, semaphore))

/* PT_SEM_WAIT(pt, &s), PT_SEM_SIGNAL(pt, &s) - refused by the compiler: classic protothreads' names
 * With a struct pt_semaphore: PT_ACQUIRE(&s), pt_semaphore_release(&s). */
#define PT_SEM_WAIT(...) PT_NO_SUCH_(PT_NO_SEM_WAIT_)
#define PT_SEM_SIGNAL(...) PT_NO_SUCH_(PT_NO_SEM_SIGNAL_)

/* pt_semaphore_release - give a unit back, to the first waiter if there is one; O(1)
 * PT_ERANGE, and no effect, when no task waits and there are LIMIT units already. */
PT_API pt_status pt_semaphore_release(struct pt_semaphore *semaphore);

/* pt_semaphore_try - take a unit if there is one: PT_OK, or PT_EAGAIN; O(1) */
PT_API pt_status pt_semaphore_try(struct pt_semaphore *semaphore);

#if PT_REMOTE
/* pt_remote_release - a remote's callback for a semaphore: one pt_semaphore_release per post
 * The remote's status becomes PT_ERANGE if there were LIMIT units already. */
PT_API void pt_remote_release(struct pt_remote *self, unsigned times);
#endif

/* --- locks --------------------------------------------------------------------------------- */

/* A lock has one holder, a task; a generator that locks stops the program. Zeroed storage is no
 * lock: call pt_lock_init. Read owner; write through the functions. */
struct pt_lock {
    struct pt_wait_queue_ waiters; /* tasks that wait for it */
    struct pt_task *owner;         /* the task that holds it, or NULL */
    unsigned depth;                /* how often its holder has locked it */
    bool reentrant;                /* whether its holder may lock it again */
};

/* pt_lock_init - make a free lock; O(1) */
PT_API void pt_lock_init(struct pt_lock *lock);

/* pt_lock_init_reentrant - a lock that its holder may lock again, and unlocks as often; O(1) */
PT_API void pt_lock_init_reentrant(struct pt_lock *lock);

/* PT_LOCK(&lock) - wait for the lock and hold it; self->pt.status is PT_OK or, without waiting,
 * PT_EDEADLK as from pt_lock_try */
#define PT_LOCK(lock) PT_PARK_AND_TAKE_IF_(pt_lock_wait_(pt_current_, pt_, lock))

/* PT_UNLOCK(&lock) - in a body: pt_lock_release for this task; self->pt.status is its code */
#define PT_UNLOCK(lock) (PT_IN_BODY_, (void)(pt_->status = pt_lock_release(lock, pt_current_)))

/* PT_HOLDS(&lock) - in a body: whether this task holds the lock; for use in PT_FINALLY */
#define PT_HOLDS(lock) (PT_IN_BODY_, (lock)->owner == pt_current_)

/* pt_lock_try - lock for TASK if that is possible without waiting; O(1)
 * PT_OK; PT_EAGAIN if another task holds it; PT_EDEADLK if TASK does and it is not reentrant. If
 * TASK is NULL, PT_EPERM, and no effect: PT_DEBUG stops there. */
PT_API pt_status pt_lock_try(struct pt_lock *lock, struct pt_task *task);

/* pt_lock_release - unlock for TASK; the first waiter then holds the lock; O(1)
 * PT_OK; or PT_EPERM, and no effect, if TASK does not hold it or is NULL: PT_DEBUG stops there. */
PT_API pt_status pt_lock_release(struct pt_lock *lock, const struct pt_task *task);

/* --- conditions ---------------------------------------------------------------------------- */

/* A condition (with PT_CHANNELS): a task that holds a lock releases it to wait here. Zeroed storage
 * is no condition: call pt_condition_init. */
struct pt_condition {
    struct pt_wait_queue_ waiters; /* tasks that wait to be notified */
};

/* PT_WAIT_CONDITION(&condition, &lock) - unlock, wait to be notified, and lock again
 * self->pt.status is PT_OK; or, without waiting, PT_EPERM if the task does not hold the lock
 * exactly once. */
#define PT_WAIT_CONDITION(condition, lock) \
    PT_PARK_AND_TAKE_IF_(pt_condition_wait_(pt_current_, pt_, condition, lock))

#if PT_CHANNELS
/* pt_condition_init - make a condition without waiters; O(1) */
PT_API void pt_condition_init(struct pt_condition *condition);

/* pt_condition_notify - wake the first waiter; it continues once it has its lock back; O(1)
 * It must then check again what it waited for: another task may have held the lock in between. */
PT_API void pt_condition_notify(struct pt_condition *condition);

/* pt_condition_notify_all - as pt_condition_notify, for all that wait now; O(waiters) */
PT_API void pt_condition_notify_all(struct pt_condition *condition);
#endif

/* --- in a select --------------------------------------------------------------------------- */

/* PT_CASE_ACQUIRE(&semaphore), PT_CASE_LOCK(&lock) - in a select (with PT_SELECTS): take a unit, or
 * the lock */
#define PT_CASE_ACQUIRE(semaphore) pt_case_acquire_(PT_CASE_TASK_, semaphore)
#define PT_CASE_LOCK(lock) pt_case_lock_(PT_CASE_TASK_, lock)

/* --- implementation ------------------------------------------------------------------------ */

#define PT_NO_SEM_WAIT_ "PT_SEM_WAIT: use PT_ACQUIRE, with a struct pt_semaphore"
#define PT_NO_SEM_SIGNAL_ "PT_SEM_SIGNAL: use pt_semaphore_release, with a struct pt_semaphore"

PT_API void pt_semaphore_init(struct pt_semaphore *semaphore, unsigned count, unsigned limit)
{
    pt_wait_queue_init_(&semaphore->waiters);
    semaphore->count = count;
    semaphore->limit = limit;
}

PT_API bool pt_semaphore_wait_(struct pt_task *task, struct pt *frame,
                               struct pt_semaphore *semaphore)
{
    frame->status = PT_OK;
    if (pt_semaphore_try(semaphore) == PT_OK)
        return false;
    pt_task_wait_in_queue_(task, &semaphore->waiters, PT_WHY_SEMAPHORE, NULL);
    return true;
}

PT_API pt_status pt_semaphore_release(struct pt_semaphore *semaphore)
{
    if (!pt_wait_queue_empty_(&semaphore->waiters))
        pt_wait_queue_complete_(&semaphore->waiters, PT_FLAG_GIVEN_);
    else if (semaphore->count < semaphore->limit)
        semaphore->count++;
    else
        return PT_ERANGE;
    return PT_OK;
}

PT_API pt_status pt_semaphore_try(struct pt_semaphore *semaphore)
{
    if (!semaphore->count)
        return PT_EAGAIN;
    semaphore->count--;
    return PT_OK;
}

#if PT_REMOTE
PT_API void pt_remote_release(struct pt_remote *self, unsigned times)
{
    while (times--)
        if (pt_semaphore_release((struct pt_semaphore *)self->target) != PT_OK)
            self->status = PT_ERANGE;
}
#endif

PT_API void pt_lock_init(struct pt_lock *lock)
{
    pt_wait_queue_init_(&lock->waiters);
    lock->owner = NULL;
    lock->depth = 0;
    lock->reentrant = false;
}

PT_API void pt_lock_init_reentrant(struct pt_lock *lock)
{
    pt_lock_init(lock);
    lock->reentrant = true;
}

PT_API bool pt_lock_wait_(struct pt_task *task, struct pt *frame, struct pt_lock *lock)
{
    pt_task_can_hold_(task, "PT_LOCK");
    frame->status = pt_lock_try(lock, task);
    if (frame->status != PT_EAGAIN)
        return false;
    frame->status = PT_OK;
    pt_task_wait_in_queue_(task, &lock->waiters, PT_WHY_LOCK, PT_WAITS_FOR_(lock));
    return true;
}

PT_API pt_status pt_lock_try(struct pt_lock *lock, struct pt_task *task)
{
    PT_ASSERT_(task, "the task is NULL", "pt_lock_try");
    if (!task)
        return PT_EPERM;
    if (lock->owner && lock->owner != task)
        return PT_EAGAIN;
    if (lock->owner && !lock->reentrant)
        return PT_EDEADLK;
    lock->owner = task;
    lock->depth++;
    return PT_OK;
}

/* Transfer a released lock to the first waiter. */
PT_API void pt_lock_transfer_(struct pt_lock *lock)
{
    lock->owner = NULL;
    lock->depth = 0;
    if (!pt_wait_queue_empty_(&lock->waiters)) {
        lock->owner = pt_wait_queue_complete_(&lock->waiters, PT_FLAG_GIVEN_);
        lock->depth = 1;
    }
}

PT_API pt_status pt_lock_release(struct pt_lock *lock, const struct pt_task *task)
{
    PT_ASSERT_(pt_task_is_holder_(task, lock->owner), "unlocked by a task that does not hold it",
               "PT_UNLOCK");
    if (!pt_task_is_holder_(task, lock->owner))
        return PT_EPERM;
    if (--lock->depth == 0)
        pt_lock_transfer_(lock);
    return PT_OK;
}

#if PT_CHANNELS
PT_API void pt_condition_init(struct pt_condition *condition)
{
    pt_wait_queue_init_(&condition->waiters);
}

PT_API void pt_condition_notify(struct pt_condition *condition)
{
    struct pt_node *node = pt_wait_queue_first_(&condition->waiters);
    struct pt_lock *lock;

    if (!node)
        return;
    lock = (struct pt_lock *)pt_waiter_item_(node);
    if (lock->owner) {
        pt_wait_queue_push_(&lock->waiters, pt_wait_queue_pop_(&condition->waiters));
        pt_task_give_(pt_task_of(node), PT_FLAG_GIVEN_); /* it is certain to get the lock */
    } else {
        lock->owner = pt_wait_queue_complete_(&condition->waiters, PT_FLAG_GIVEN_);
        lock->depth = 1;
    }
}

PT_API void pt_condition_notify_all(struct pt_condition *condition)
{
    while (!pt_wait_queue_empty_(&condition->waiters))
        pt_condition_notify(condition);
}

PT_API bool pt_condition_wait_(struct pt_task *task, struct pt *frame,
                               struct pt_condition *condition, struct pt_lock *lock)
{
    frame->status = PT_EPERM;
    if (lock->owner != task || lock->depth != 1)
        return false;
    frame->status = PT_OK;
    pt_task_wait_in_queue_(task, &condition->waiters, PT_WHY_CONDITION, lock);
    pt_lock_transfer_(lock);
    return true;
}
#endif

#if PT_SELECTS
PT_API bool pt_case_acquire_take_(struct pt_case_ *it, struct pt *frame)
{
    return pt_semaphore_try((struct pt_semaphore *)it->target) == PT_OK;
}

PT_ALWAYS void pt_case_acquire_(struct pt_task *task, struct pt_semaphore *semaphore)
{
    static const struct pt_case_kind_ kind = PT_CASE_KIND_(pt_case_acquire_take_, PT_CASE_IN_QUEUE_,
                                                           offsetof(struct pt_semaphore, waiters));

    pt_case_add_(task, &kind, semaphore, NULL);
}

PT_API bool pt_case_lock_take_(struct pt_case_ *it, struct pt *frame)
{
    pt_task_can_hold_(it->select->task, "PT_CASE_LOCK");
    return pt_case_take_(frame, pt_lock_try((struct pt_lock *)it->target, it->select->task));
}

PT_ALWAYS void pt_case_lock_(struct pt_task *task, struct pt_lock *lock)
{
    static const struct pt_case_kind_ kind =
        PT_CASE_KIND_(pt_case_lock_take_, PT_CASE_IN_QUEUE_, offsetof(struct pt_lock, waiters));

    pt_case_add_(task, &kind, lock, NULL);
}
#endif

#endif
#endif
