/* held.h - blocks that hold a lock, and unlock it however they are left
 * SPDX-License-Identifier: MIT
 *
 *     struct transfer { struct pt pt; struct pt_held held; struct pt_scope limit; ... };
 *
 *     PT_WITH_TIMEOUT(&self->limit, PT_SEC(1)) {
 *         PT_WITH_LOCK(&self->held, &self->account->lock) {
 *             PT_WAIT_COMPLETE(&self->row, write_row, .amount = 3);
 *         }
 *     }                                        the lock is free, in time or not
 *
 * The block unlocks at its end, after break or PT_RETURN, and if a cancel, a timeout or a group's
 * decision ends it: after the cleanups of functions awaited in it, and the tasks of groups opened
 * in it; before the PT_FINALLY of its own function, which so has nothing to unlock. Ended while it
 * waits for the lock, it holds none. Native tasks need no such block: what ends an operation is its
 * code, and the function goes on to pt_native_unlock. */
#ifndef PT_HELD_H
#define PT_HELD_H

#include "lock.h"

#if PT_SYNC && PT_HAS_SCOPES_

/* PT_WITH_LOCK(&self->held, &lock) { ... } - wait for a lock, and hold it in the block
 * HELD is a struct pt_held in the frame, zero before its first use. The body of the block does not
 * unlock; PT_WAIT_CONDITION may. If PT_LOCK would give an error (PT_EDEADLK), the function ends
 * with it, as with PT_EBUSY if HELD is in use. HELD is evaluated several times. Cost: that of
 * PT_LOCK and PT_UNLOCK, and O(1). */
#define PT_WITH_LOCK(held, lock) PT_HELD_BLOCK_(pt_held_lock_, held, lock, PT_HERE_)

/* PT_WITH_SHARED(&self->held, &lock) { ... }, PT_WITH_EXCLUSIVE - PT_WITH_LOCK of a
 * struct pt_rwlock: a block that reads, or that writes */
#define PT_WITH_SHARED(held, lock) PT_HELD_BLOCK_(pt_held_shared_, held, lock, PT_HERE_)
#define PT_WITH_EXCLUSIVE(held, lock) PT_HELD_BLOCK_(pt_held_exclusive_, held, lock, PT_HERE_)

/* --- implementation ------------------------------------------------------------------------ */

/* The block's states: ENTERED, it has the lock; LEFT, it waits for it, or has it now. */
#define PT_HELD_BLOCK_(open, held, lock, here)                                                  \
    for (PT_IN_BODY_,                                                                           \
         PT_NOT_LOCAL_THEN_(held, "the struct pt_held") PT_CHECK_ONE_(held, "PT_WITH_LOCK")     \
             pt_entered_ = open(pt_current_, pt_, held, lock),                                  \
             PT_DO_IF_(!pt_entered_, PT_REFUSE_()), pt_refused_ = !pt_entered_, pt_ask_ = true, \
             PT_DO_IF_(PT_HELD_WAITS_(held), PT_HELD_SUSPEND_(here));                           \
         pt_refused_ || pt_entered_;                                                            \
         pt_held_leave_(pt_current_, &(held)->scope), pt_entered_ = false, pt_ask_ = true)      \
        PT_ELSE_DO_(pt_refused_, PT_REFUSE_())                                                  \
    PT_ELSE_DO_(PT_HELD_WAITS_(held), PT_HELD_SUSPEND_(here))                                   \
    PT_LABEL_CASE_(PT_LABEL_OF_(here))                                                          \
    PT_COUNTING_FOR_(pt_blocks_, pt_ask_ ? pt_held_take_(pt_current_, held) : false,            \
                     pt_ask_ = false)
#define PT_HELD_WAITS_(held) ((held)->scope.state == PT_SCOPE_LEFT_)
#define PT_HELD_SUSPEND_(here) PT_LEAVE_TO_(PT_LABEL_OF_(here), pt_op_of_(PT_OP_PARK))

/* The task has the lock: the block unlocks it when it is left. */
PT_ALWAYS bool pt_held_take_(struct pt_task *task, struct pt_held *held)
{
    pt_task_take_(task);
    held->scope.marks = PT_SCOPE_HELD_;
    return true;
}

PT_API bool pt_held_open_(struct pt_task *task, struct pt *frame, struct pt_held *held, void *lock,
                          void (*release)(void *lock, struct pt_task *task))
{
    if (!pt_scope_open_(task, &held->scope, 0, 0))
        return false; /* it can be in use: another block's lock stays */
    held->lock = lock;
    held->release = release;
    return true;
}

/* The task has asked for the lock, and WAITS for it, or has it, or an error: then return false. The
 * end of the function closes the block. */
PT_API bool pt_held_asked_(const struct pt *frame, struct pt_held *held, bool waits)
{
    if (waits)
        held->scope.state = PT_SCOPE_LEFT_;
    return frame->status == PT_OK;
}

PT_API void pt_held_unlock_(void *lock, struct pt_task *task)
{
    (void)pt_lock_release((struct pt_lock *)lock, task);
}

PT_API bool pt_held_lock_(struct pt_task *task, struct pt *frame, struct pt_held *held,
                          struct pt_lock *lock)
{
    return pt_held_open_(task, frame, held, lock, pt_held_unlock_) &&
           pt_held_asked_(frame, held, pt_lock_must_wait_(task, frame, lock));
}

#if PT_CHANNELS
PT_API void pt_held_unlock_shared_(void *lock, struct pt_task *task)
{
    (void)pt_rwlock_release_shared((struct pt_rwlock *)lock);
}

PT_API void pt_held_unlock_exclusive_(void *lock, struct pt_task *task)
{
    (void)pt_rwlock_release_exclusive((struct pt_rwlock *)lock, task);
}

PT_API bool pt_held_shared_(struct pt_task *task, struct pt *frame, struct pt_held *held,
                            struct pt_rwlock *lock)
{
    return pt_held_open_(task, frame, held, lock, pt_held_unlock_shared_) &&
           pt_held_asked_(frame, held, pt_rwlock_shared_(task, frame, lock));
}

PT_API bool pt_held_exclusive_(struct pt_task *task, struct pt *frame, struct pt_held *held,
                               struct pt_rwlock *lock)
{
    return pt_held_open_(task, frame, held, lock, pt_held_unlock_exclusive_) &&
           pt_held_asked_(frame, held, pt_rwlock_exclusive_(task, frame, lock));
}
#endif

#endif
#endif
