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
 * holds the lock; a block, PT_WITH_LOCK, unlocks by itself (held.h). */
#ifndef PT_LOCK_H
#define PT_LOCK_H

#include "rwlock.h"
#include "select.h"

#if PT_SYNC

/* A lock has one holder, a task; a generator that locks stops the program. Zeroed storage is no
 * lock: call pt_lock_init. Read owner; write through the functions. */
struct pt_lock {
    PT_IF_(PT_CHANNELS, struct pt_wait_ops_ again_[1];) /* how a condition locks it again; first */
    struct pt_wait_queue_ waiters;                      /* tasks that wait for it */
    struct pt_task *owner;                              /* the task that holds it, or NULL */
    unsigned depth;                                     /* how often its holder has locked it */
    bool reentrant;                                     /* whether its holder may lock it again */
};

/* pt_lock_init - make a free lock; O(1) */
PT_API void pt_lock_init(struct pt_lock *lock);

/* pt_lock_init_reentrant - a lock that its holder may lock again, and unlocks as often; O(1) */
PT_API void pt_lock_init_reentrant(struct pt_lock *lock);

/* PT_LOCK(&lock) - wait for the lock and hold it; self->pt.status is PT_OK or, without waiting,
 * PT_EDEADLK as from pt_lock_try */
#define PT_LOCK(lock) PT_PARK_AND_TAKE_IF_(pt_lock_must_wait_(pt_current_, pt_, lock))

/* PT_UNLOCK(&lock) - in a body: pt_lock_release for this task; self->pt.status is its code */
#define PT_UNLOCK(lock) (PT_IN_BODY_, (void)(pt_->status = pt_lock_release(lock, pt_current_)))

/* PT_HOLDS(&lock) - in a body: whether this task holds the lock; a pt_rwlock needs a flag */
#define PT_HOLDS(lock) (PT_IN_BODY_, (lock)->owner == pt_current_)

/* pt_lock_try - lock for TASK if that is possible without waiting; O(1)
 * PT_OK; PT_EAGAIN if another task holds it; PT_EDEADLK if TASK does and it is not reentrant. If
 * TASK is NULL, PT_EPERM, and no effect: PT_DEBUG stops there. */
PT_API pt_status pt_lock_try(struct pt_lock *lock, struct pt_task *task);

/* pt_lock_release - unlock for TASK; the first waiter then holds the lock; O(1)
 * PT_OK; or PT_EPERM, and no effect, if TASK does not hold it or is NULL: PT_DEBUG stops there. */
PT_API pt_status pt_lock_release(struct pt_lock *lock, const struct pt_task *task);

/* --- conditions ---------------------------------------------------------------------------- */

#if PT_CHANNELS
/* Where holders of a lock wait until something has changed. Zeroed storage is no condition: call
 * pt_condition_init. */
struct pt_condition {
    struct pt_wait_queue_ waiters; /* tasks that wait to be notified */
};

/* pt_condition_init - make a condition without waiters; O(1) */
PT_API void pt_condition_init(struct pt_condition *condition);

/* PT_WAIT_CONDITION(&condition, &lock) - unlock, wait to be notified, and lock again
 * A struct pt_lock, or a struct pt_rwlock: a reader locks again as one, a writer too.
 * self->pt.status is PT_OK; or, without waiting, PT_EPERM if the task does not hold the lock
 * exactly once (if nobody holds the pt_rwlock): PT_DEBUG stops there.
 *
 *     PT_WITH_TIMEOUT(&self->limit, PT_SEC(5)) {
 *         while (!shop->loaves)
 *             PT_WAIT_CONDITION(&shop->baked, &shop->lock);
 *     }
 *     if (shop->loaves) ...                    whatever ended the wait: the lock is held
 *
 * Cancel, timeout: the task first locks again, and nothing interrupts that; then the block ends, or
 * PT_FINALLY runs. Both must unlock. So a block lasts until the lock is free, and a task that holds
 * the lock and joins one that waits for it waits for itself. After a notify the task continues; it
 * is ended at its next wait. No case of a select: the lock is a second wait. Events are cases. */
#define PT_WAIT_CONDITION(condition, lock) \
    PT_PARK_AND_TAKE_IF_(PT_CONDITION_MUST_WAIT_(pt_current_, pt_, condition, lock))

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

PT_API bool pt_lock_must_wait_(struct pt_task *task, struct pt *frame, struct pt_lock *lock)
{
    pt_task_check_holder_(task, "PT_LOCK");
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
        lock->owner = pt_wait_queue_complete_first_(&lock->waiters, PT_FLAG_GIVEN_);
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
/* Wait with LOCK, of the kind that has as many ways to hold it as its `again_` has elements. */
#define PT_CONDITION_MUST_WAIT_(task, frame, condition, lock) \
    (sizeof((lock)->again_) == sizeof(struct pt_wait_ops_)    \
         ? pt_condition_must_wait_                            \
         : pt_condition_must_wait_rwlock_)(task, frame, condition, lock)

/* A task leaves the queue of a condition. */
PT_ALWAYS struct pt *pt_condition_leave_(struct pt_task *task)
{
    pt_wait_remove_(&task->node);
    task->state &= (uint8_t) ~(PT_STATE_QUEUED_ | PT_STATE_HAS_OPS_);
    return pt_task_top_(task);
}

/* Then it has its lock again; or WAITS for it, and nothing interrupts that. */
PT_ALWAYS void pt_condition_locks_(struct pt_task *task, bool waits)
{
    if (waits)
        pt_task_give_(task, PT_FLAG_GIVEN_);
}

/* The functions in `again_`: a task locks again in the way in which it held the lock. */
PT_API void pt_lock_again_(struct pt_wait_ops_ *ops, struct pt_task *task)
{
    struct pt_lock *lock = (struct pt_lock *)(void *)ops; /* its first member */

    pt_condition_locks_(task, pt_lock_must_wait_(task, pt_condition_leave_(task), lock));
}

PT_ALWAYS struct pt_rwlock *pt_rwlock_of_(struct pt_wait_ops_ *first)
{
    return (struct pt_rwlock *)(void *)((char *)first - offsetof(struct pt_rwlock, again_));
}

PT_API void pt_rwlock_write_again_(struct pt_wait_ops_ *ops, struct pt_task *task)
{
    struct pt *frame = pt_condition_leave_(task);

    pt_condition_locks_(task, pt_rwlock_exclusive_(task, frame, pt_rwlock_of_(ops)));
}

PT_API void pt_rwlock_read_again_(struct pt_wait_ops_ *ops, struct pt_task *task)
{
    struct pt *frame = pt_condition_leave_(task);

    pt_condition_locks_(task, pt_rwlock_shared_(task, frame, pt_rwlock_of_(ops - 1)));
}

PT_API void pt_condition_init(struct pt_condition *condition)
{
    pt_wait_queue_init_(&condition->waiters);
}

PT_API void pt_condition_notify(struct pt_condition *condition)
{
    struct pt_node *node = pt_wait_queue_first_(&condition->waiters);
    struct pt_task *task;

    if (!node)
        return;
    task = pt_task_of(node);
    (void)pt_wait_cancel_(task);
    if (!(task->state & PT_STATE_QUEUED_))
        pt_task_complete_(task, PT_FLAG_GIVEN_); /* it has the lock */
}

PT_API void pt_condition_notify_all(struct pt_condition *condition)
{
    while (!pt_wait_queue_empty_(&condition->waiters)) /* pt-bounds: loop tasks */
        pt_condition_notify(condition);
}

/* Begin a wait, if the lock is HELD. The item of the waiter is AGAIN, of which FUNCTION ends it. */
PT_API bool pt_condition_begin_(struct pt_task *task, struct pt *frame,
                                struct pt_condition *condition, bool held,
                                struct pt_wait_ops_ *again,
                                void (*function)(struct pt_wait_ops_ *again, struct pt_task *task))
{
    PT_ASSERT_(held, "the task does not hold the lock, or holds it more than once",
               "PT_WAIT_CONDITION");
    frame->status = held ? (pt_status)PT_OK : (pt_status)PT_EPERM;
    if (held) {
        again->cancel = function;
        pt_task_wait_by_ops_(task, PT_WHY_CONDITION, again);
        pt_wait_queue_push_(&condition->waiters, &task->node);
    }
    return held;
}

PT_API bool pt_condition_must_wait_(struct pt_task *task, struct pt *frame,
                                    struct pt_condition *condition, void *with)
{
    struct pt_lock *lock = (struct pt_lock *)with;
    bool held = pt_task_is_holder_(task, lock->owner) && lock->depth == 1;

    if (!pt_condition_begin_(task, frame, condition, held, lock->again_, pt_lock_again_))
        return false;
    pt_lock_transfer_(lock);
    return true;
}

PT_API bool pt_condition_must_wait_rwlock_(struct pt_task *task, struct pt *frame,
                                           struct pt_condition *condition, void *with)
{
    struct pt_rwlock *lock = (struct pt_rwlock *)with;
    bool writes = pt_task_is_holder_(task, lock->writer);

    if (!pt_condition_begin_(task, frame, condition, writes || lock->reading,
                             &lock->again_[!writes],
                             writes ? pt_rwlock_write_again_ : pt_rwlock_read_again_))
        return false;
    if (writes)
        (void)pt_rwlock_release_exclusive(lock, task);
    else
        (void)pt_rwlock_release_shared(lock);
    return true;
}
#endif

#if PT_SELECTS
PT_API bool pt_case_lock_take_(struct pt_case_ *it, struct pt *frame)
{
    pt_task_check_holder_(it->select->task, "PT_CASE_LOCK");
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
