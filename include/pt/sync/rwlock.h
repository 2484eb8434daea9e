/* rwlock.h - read together, write alone
 * SPDX-License-Identifier: MIT
 *
 *     PT_LOCK_SHARED(&map->guard);             beside other readers
 *     PT_WAIT(PT_MS(1));
 *     pt_rwlock_release_shared(&map->guard);
 *
 *     PT_LOCK_EXCLUSIVE(&map->guard);          alone
 *
 * Phases alternate: after a writer, all readers that wait by then enter; after the last of these,
 * the next writer enters. So neither side starves.
 *
 * Cancel, timeout: before and during the wait, the task leaves and holds nothing; readers that
 * waited only because of it enter. Once the task has the lock, it keeps it, and continues to its
 * next wait. So a flag tells PT_FINALLY whether to unlock. Without one it would let out another
 * reader: nothing notes which tasks read. Or hold it in a block: PT_WITH_SHARED (held.h).
 *
 *     PT_LOCK_SHARED(&map->guard);
 *     self->reading = true;
 *     ...
 *     PT_FINALLY
 *     if (self->reading)
 *         pt_rwlock_release_shared(&map->guard);
 *
 * A select has no case for it: who leaves that wait must let readers in. For a time at most:
 * PT_WITH_TIMEOUT. */
#ifndef PT_RWLOCK_H
#define PT_RWLOCK_H

#include "../run/interpreter.h"

#if PT_CHANNELS

/* The lock. Zeroed storage is no lock: call pt_rwlock_init. Read reading and writer; write through
 * the functions. */
struct pt_rwlock {
    struct pt_wait_ops_ ops;       /* how a writer leaves its wait; the first member */
    struct pt_wait_list_ readers;  /* tasks that wait to read */
    struct pt_wait_queue_ writers; /* tasks that wait to write */
    struct pt_task *writer;        /* the task that writes, or NULL */
    unsigned reading;              /* the number of tasks that read */
    struct pt_wait_ops_ again_[2]; /* how a condition locks it again, to write or to read */
};

/* pt_rwlock_init - make a free lock; O(1) */
PT_API void pt_rwlock_init(struct pt_rwlock *lock);

/* PT_LOCK_SHARED(&lock), PT_LOCK_EXCLUSIVE(&lock) - wait for the lock, to read or to write
 * self->pt.status is PT_OK, or PT_EDEADLK in the task that writes. A reader that locks to write
 * waits for itself forever; so does one that locks to read again while a writer waits. Nothing
 * notes which tasks read, so no search calls that a deadlock. */
#define PT_LOCK_SHARED(lock) PT_PARK_AND_TAKE_IF_(pt_rwlock_shared_(pt_current_, pt_, lock))
#define PT_LOCK_EXCLUSIVE(lock) PT_PARK_AND_TAKE_IF_(pt_rwlock_exclusive_(pt_current_, pt_, lock))

/* pt_rwlock_release_shared - a reader unlocks; PT_OK, or PT_EPERM if no task reads; O(1) */
PT_API pt_status pt_rwlock_release_shared(struct pt_rwlock *lock);

/* pt_rwlock_release_exclusive - the writer unlocks; O(waiting readers)
 * PT_OK; or PT_EPERM, and no effect, if TASK is not the writer or is NULL: PT_DEBUG stops there. */
PT_API pt_status pt_rwlock_release_exclusive(struct pt_rwlock *lock, const struct pt_task *task);

/* PT_UNLOCK_EXCLUSIVE(&lock) - in a body: pt_rwlock_release_exclusive for this task */
#define PT_UNLOCK_EXCLUSIVE(lock) \
    (PT_IN_BODY_, (void)(pt_->status = pt_rwlock_release_exclusive(lock, pt_current_)))

/* pt_rwlock_try_shared, pt_rwlock_try_exclusive - lock if that is possible without waiting; O(1)
 * PT_OK, PT_EAGAIN, or PT_EDEADLK if TASK is the writer. Readers do not overtake a writer that
 * waits. A writer is a task: if TASK is NULL, pt_rwlock_try_exclusive returns
 * PT_EPERM, and PT_DEBUG stops there. */
PT_API pt_status pt_rwlock_try_shared(struct pt_rwlock *lock, const struct pt_task *task);
PT_API pt_status pt_rwlock_try_exclusive(struct pt_rwlock *lock, struct pt_task *task);

/* --- implementation ------------------------------------------------------------------------ */

/* Let all waiting readers in. */
PT_API void pt_rwlock_admit_(struct pt_rwlock *lock)
{
    /* pt-bounds: loop tasks */
    for (const struct pt_node *node = lock->readers.first; node; node = node->link.next)
        lock->reading++;
    pt_wait_list_complete_all_(&lock->readers, PT_OK, PT_FLAG_GIVEN_);
}

PT_API void pt_rwlock_leave_(struct pt_wait_ops_ *ops, struct pt_task *task)
{
    struct pt_rwlock *lock = (struct pt_rwlock *)(void *)ops;

    pt_wait_remove_(&task->node);
    if (!lock->writer && !pt_wait_queue_first_(&lock->writers))
        pt_rwlock_admit_(lock);
}

PT_API void pt_rwlock_init(struct pt_rwlock *lock)
{
    lock->ops.cancel = pt_rwlock_leave_;
    pt_wait_list_init_(&lock->readers);
    pt_wait_queue_init_(&lock->writers);
    lock->writer = NULL;
    lock->reading = 0;
}

#define PT_RWLOCK_MADE_(lock) \
    PT_ASSERT_((lock)->ops.cancel, "it was not initialized: call pt_rwlock_init", "a rwlock")

PT_API bool pt_rwlock_shared_(struct pt_task *task, struct pt *frame, struct pt_rwlock *lock)
{
    frame->status = pt_rwlock_try_shared(lock, task);
    if (frame->status != PT_EAGAIN)
        return false;
    frame->status = PT_OK;
    pt_task_wait_in_list_(task, &lock->readers, PT_WHY_SHARED);
    pt_task_set_waits_for_(task, lock);
    return true;
}

PT_API bool pt_rwlock_exclusive_(struct pt_task *task, struct pt *frame, struct pt_rwlock *lock)
{
    pt_task_check_holder_(task, "PT_LOCK_EXCLUSIVE");
    frame->status = pt_rwlock_try_exclusive(lock, task);
    if (frame->status != PT_EAGAIN)
        return false;
    frame->status = PT_OK;
    pt_task_wait_by_ops_(task, PT_WHY_LOCK, &lock->ops);
    pt_wait_queue_push_(&lock->writers, &task->node);
    return true;
}

/* The lock is free: transfer it to the next writer. */
PT_API void pt_rwlock_transfer_(struct pt_rwlock *lock)
{
    if (pt_wait_queue_first_(&lock->writers))
        lock->writer = pt_wait_queue_complete_first_(&lock->writers, PT_FLAG_GIVEN_);
}

PT_API pt_status pt_rwlock_release_shared(struct pt_rwlock *lock)
{
    PT_ASSERT_(lock->reading, "nobody holds it", "pt_rwlock_release_shared");
    if (!lock->reading)
        return PT_EPERM;
    if (--lock->reading == 0)
        pt_rwlock_transfer_(lock);
    return PT_OK;
}

PT_API pt_status pt_rwlock_release_exclusive(struct pt_rwlock *lock, const struct pt_task *task)
{
    PT_ASSERT_(pt_task_is_holder_(task, lock->writer), "unlocked by a task that does not hold it",
               "pt_rwlock_release_exclusive");
    if (!pt_task_is_holder_(task, lock->writer))
        return PT_EPERM;
    lock->writer = NULL;
    if (lock->readers.first)
        pt_rwlock_admit_(lock);
    else
        pt_rwlock_transfer_(lock);
    return PT_OK;
}

PT_API pt_status pt_rwlock_try_shared(struct pt_rwlock *lock, const struct pt_task *task)
{
    PT_RWLOCK_MADE_(lock);
    if (pt_task_is_holder_(task, lock->writer))
        return PT_EDEADLK;
    if (lock->writer || pt_wait_queue_first_(&lock->writers))
        return PT_EAGAIN;
    lock->reading++;
    return PT_OK;
}

PT_API pt_status pt_rwlock_try_exclusive(struct pt_rwlock *lock, struct pt_task *task)
{
    PT_RWLOCK_MADE_(lock);
    PT_ASSERT_(task, "the task is NULL", "pt_rwlock_try_exclusive");
    if (!task)
        return PT_EPERM;
    if (lock->writer == task)
        return PT_EDEADLK;
    if (lock->writer || lock->reading)
        return PT_EAGAIN;
    lock->writer = task;
    return PT_OK;
}

#endif
#endif
