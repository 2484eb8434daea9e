/* sync.h - semaphores, locks, conditions: first come, first served
 * SPDX-License-Identifier: MIT
 *
 *     PT_LOCK(&self->account->lock);
 *     PT_WAIT(PT_MS(3));                       nobody else is in here meanwhile
 *     PT_UNLOCK(&self->account->lock);
 *
 * Between two suspensions a task is alone in any case; a lock is for what takes longer. What is
 * released goes straight to the first who waits: nobody overtakes, and who goes on has it.
 *
 * Cancel, timeout: before the wait and while it waits, the task leaves the queue and has nothing.
 * Once it was handed a unit or the lock, it goes on with it, to its next wait, and is ended there: a
 * PT_FINALLY gives back what is held (PT_HOLDS says whether a lock is). A task that was notified of a
 * condition is past its wait, and goes on when it has the lock. */
#ifndef PT_SYNC_H
#define PT_SYNC_H

#include "../loop/interpreter.h"

#if PT_SYNC

/* --- semaphores ---------------------------------------------------------------------------- */

/* A number of units, of which tasks take one each. Read count; write through the functions. */
struct pt_semaphore {
    struct pt_wait_queue_ waiters; /* tasks that wait for a unit */
    unsigned count;                /* units that nobody has */
    unsigned limit;                /* the most that count may reach */
};

/* pt_semaphore_init - COUNT units at first, never more than LIMIT (UINT_MAX: any number); O(1) */
PT_API void pt_semaphore_init(struct pt_semaphore *semaphore, unsigned count, unsigned limit)
{
    pt_wait_queue_init_(&semaphore->waiters);
    semaphore->count = count;
    semaphore->limit = limit;
}

/* pt_semaphore_try - take a unit if there is one: PT_OK, or PT_EAGAIN; O(1) */
PT_API pt_status pt_semaphore_try(struct pt_semaphore *semaphore)
{
    if (!semaphore->count)
        return PT_EAGAIN;
    semaphore->count--;
    return PT_OK;
}

/* pt_semaphore_release - give a unit back, to the first who waits; O(1)
 * PT_ERANGE, and no effect, when nobody waits and there are LIMIT units already. */
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

/* PT_ACQUIRE(&semaphore) - take a unit, when there is one; self->pt.status is PT_OK */
#define PT_ACQUIRE(semaphore)                                  \
    do {                                                       \
        if (pt_semaphore_wait_(pt_current_, pt_, semaphore)) { \
            PT_SUSPEND_(PT_OP_PARK);                           \
            pt_task_take_(pt_current_);                        \
        }                                                      \
    } while (0)

PT_API bool pt_semaphore_wait_(struct pt_task *task, struct pt *frame,
                               struct pt_semaphore *semaphore)
{
    frame->status = PT_OK;
    if (pt_semaphore_try(semaphore) == PT_OK)
        return false;
    pt_task_wait_in_queue_(task, &semaphore->waiters, PT_WHY_SEMAPHORE, NULL);
    return true;
}

#if PT_REMOTE
/* pt_remote_release - a deed of a remote, to a semaphore: pt_semaphore_release, once for each post
 * The remote's status is PT_ERANGE if one was too many. */
PT_API void pt_remote_release(struct pt_remote *self, unsigned times)
{
    while (times--)
        if (pt_semaphore_release((struct pt_semaphore *)self->target) != PT_OK)
            self->status = PT_ERANGE;
}
#endif

/* --- locks --------------------------------------------------------------------------------- */

/* A lock has one holder. Zero is no lock: pt_lock_init. Read owner; write through the functions. */
struct pt_lock {
    struct pt_wait_queue_ waiters; /* tasks that wait for it */
    struct pt_task *owner;         /* who holds it, or NULL */
    unsigned depth;                /* how often its holder has locked it */
    bool reentrant;                /* whether that may be more than once */
};

/* pt_lock_init - a lock that nobody holds; O(1) */
PT_API void pt_lock_init(struct pt_lock *lock)
{
    pt_wait_queue_init_(&lock->waiters);
    lock->owner = NULL;
    lock->depth = 0;
    lock->reentrant = false;
}

/* pt_lock_init_reentrant - a lock that its holder may lock again, and unlocks as often; O(1) */
PT_API void pt_lock_init_reentrant(struct pt_lock *lock)
{
    pt_lock_init(lock);
    lock->reentrant = true;
}

/* pt_lock_try - lock for TASK if that is possible without waiting; O(1)
 * PT_OK; PT_EAGAIN if another task holds it; PT_EDEADLK if TASK does, and it is not reentrant. */
PT_API pt_status pt_lock_try(struct pt_lock *lock, struct pt_task *task)
{
    if (lock->owner && lock->owner != task)
        return PT_EAGAIN;
    if (lock->owner && !lock->reentrant)
        return PT_EDEADLK;
    lock->owner = task;
    lock->depth++;
    return PT_OK;
}

/* The lock is free: it goes to the first who waits. */
PT_API void pt_lock_transfer_(struct pt_lock *lock)
{
    lock->owner = NULL;
    lock->depth = 0;
    if (!pt_wait_queue_empty_(&lock->waiters)) {
        lock->owner = pt_wait_queue_complete_(&lock->waiters, PT_FLAG_GIVEN_);
        lock->depth = 1;
    }
}

/* pt_lock_release - unlock for TASK; the first who waits then holds it; O(1)
 * PT_OK, or PT_EPERM, and no effect, if TASK does not hold it: PT_DEBUG stops there. */
PT_API pt_status pt_lock_release(struct pt_lock *lock, const struct pt_task *task)
{
    PT_ASSERT_(lock->owner == task, "unlocked by a task that does not hold it", "PT_UNLOCK");
    if (lock->owner != task)
        return PT_EPERM;
    if (--lock->depth == 0)
        pt_lock_transfer_(lock);
    return PT_OK;
}

/* PT_LOCK(&lock) - hold the lock, when it is free; self->pt.status is a code as of pt_lock_try, but
 * never PT_EAGAIN */
#define PT_LOCK(lock)                                \
    do {                                             \
        if (pt_lock_wait_(pt_current_, pt_, lock)) { \
            PT_SUSPEND_(PT_OP_PARK);                 \
            pt_task_take_(pt_current_);              \
        }                                            \
    } while (0)

/* PT_UNLOCK(&lock) - in a body: pt_lock_release for this task; self->pt.status is its code */
#define PT_UNLOCK(lock) ((void)(pt_->status = pt_lock_release(lock, pt_current_)))

/* PT_HOLDS(&lock) - in a body: whether this task holds the lock, as its PT_FINALLY wants to know */
#define PT_HOLDS(lock) ((lock)->owner == pt_current_)

PT_API bool pt_lock_wait_(struct pt_task *task, struct pt *frame, struct pt_lock *lock)
{
    frame->status = pt_lock_try(lock, task);
    if (frame->status != PT_EAGAIN)
        return false;
    frame->status = PT_OK;
    pt_task_wait_in_queue_(task, &lock->waiters, PT_WHY_LOCK, NULL);
    return true;
}

/* --- conditions ---------------------------------------------------------------------------- */

#if PT_CHANNELS

/* A reason for tasks that hold a lock to let go of it for a while. Zero is none:
 * pt_condition_init. */
struct pt_condition {
    struct pt_wait_queue_ waiters; /* tasks that wait to be notified */
};

/* pt_condition_init - nobody waits; O(1) */
PT_API void pt_condition_init(struct pt_condition *condition)
{
    pt_wait_queue_init_(&condition->waiters);
}

/* pt_condition_notify - let the first who waits go on, once it has its lock back; O(1)
 * Whoever comes after it looks again whether what it waits for holds. */
PT_API void pt_condition_notify(struct pt_condition *condition)
{
    struct pt_node *node = pt_wait_queue_first_(&condition->waiters);
    struct pt_lock *lock;

    if (!node)
        return;
    lock = (struct pt_lock *)pt_waiter_item_(node);
    if (lock->owner) {
        pt_wait_queue_push_(&lock->waiters, pt_wait_queue_pop_(&condition->waiters));
        pt_task_give_(pt_task_of(node), PT_FLAG_GIVEN_); /* it is certain to get it */
    } else {
        lock->owner = pt_wait_queue_complete_(&condition->waiters, PT_FLAG_GIVEN_);
        lock->depth = 1;
    }
}

/* pt_condition_notify_all - the same for all who wait now; O(waiters) */
PT_API void pt_condition_notify_all(struct pt_condition *condition)
{
    while (!pt_wait_queue_empty_(&condition->waiters))
        pt_condition_notify(condition);
}

/* PT_WAIT_CONDITION(&condition, &lock) - unlock, wait to be notified, and lock again
 * self->pt.status is PT_OK, or, without waiting, PT_EPERM if the task does not hold the lock, or
 * holds it more than once. */
#define PT_WAIT_CONDITION(condition, lock)                           \
    do {                                                             \
        if (pt_condition_wait_(pt_current_, pt_, condition, lock)) { \
            PT_SUSPEND_(PT_OP_PARK);                                 \
            pt_task_take_(pt_current_);                              \
        }                                                            \
    } while (0)

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

/* --- in a select --------------------------------------------------------------------------- */

#if PT_SELECTS

/* PT_CASE_ACQUIRE(&semaphore), PT_CASE_LOCK(&lock) - of a select: the task has a unit, or the lock */
#define PT_CASE_ACQUIRE(semaphore) pt_case_acquire_(pt_current_, semaphore)
#define PT_CASE_LOCK(lock) pt_case_lock_(pt_current_, lock)

PT_API bool pt_case_acquire_take_(struct pt_case_ *it, struct pt *frame)
{
    (void)frame;
    return pt_semaphore_try((struct pt_semaphore *)it->target) == PT_OK;
}

PT_ALWAYS void pt_case_acquire_(struct pt_task *task, struct pt_semaphore *semaphore)
{
    static const struct pt_case_kind_ kind = {pt_case_acquire_take_, PT_CASE_IN_QUEUE_,
                                              offsetof(struct pt_semaphore, waiters)};

    pt_case_add_(task, &kind, semaphore, NULL);
}

PT_API bool pt_case_lock_take_(struct pt_case_ *it, struct pt *frame)
{
    return pt_case_take_(frame, pt_lock_try((struct pt_lock *)it->target, it->select->task));
}

PT_ALWAYS void pt_case_lock_(struct pt_task *task, struct pt_lock *lock)
{
    static const struct pt_case_kind_ kind = {pt_case_lock_take_, PT_CASE_IN_QUEUE_,
                                              offsetof(struct pt_lock, waiters)};

    pt_case_add_(task, &kind, lock, NULL);
}

#endif
#endif
#endif
