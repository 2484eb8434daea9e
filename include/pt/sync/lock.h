/* lock.h - locks and conditions: first come, first served
 * SPDX-License-Identifier: MIT
 *
 *     PT_LOCK(&self->account->lock);
 *     PT_WAIT(PT_MS(3));                       no other task holds the lock meanwhile
 *     PT_UNLOCK(&self->account->lock);
 *
 * No other task of the loop runs between two suspensions: use a lock only for work that suspends. A
 * released lock goes straight to the first waiter: no task overtakes it, and when it runs again it
 * has the lock.
 *
 * Cancel, timeout: as with a semaphore (semaphore.h). PT_HOLDS tells PT_FINALLY whether the task
 * holds the lock. After a notify of a condition nothing interrupts the task's wait: it continues
 * when it has the lock. */
#ifndef PT_LOCK_H
#define PT_LOCK_H

#include "select.h"

#if PT_SYNC

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

/* PT_CASE_LOCK(&lock) - in a select (with PT_SELECTS): take the lock */
#define PT_CASE_LOCK(lock) pt_case_lock_(PT_CASE_TASK_, lock)

/* --- implementation ------------------------------------------------------------------------ */

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
