/* native.h - tasks with an ordinary function as their body: all operations
 * SPDX-License-Identifier: MIT
 *
 *     static pt_status chat(struct pt_native *self)
 *     {
 *         int number;
 *
 *         while (pt_native_recv(self, &numbers, &number) == PT_OK)
 *             if (pt_native_wait(self, PT_MS(number)) != PT_OK)
 *                 break;
 *         return PT_OK;
 *     }
 *
 *     PT_START(&loop, &task, pt_native, .function = chat, .stack = stack, .bytes = sizeof stack);
 *
 * pt_native is a resumable function like any other: it can be spawned, awaited, joined, canceled,
 * or be a generator. In its body locals survive waits, calls nest, and recursion works; the cost is
 * the stack.
 *
 * Every operation returns a code: one that the same operation has in a stackless body (task.h,
 * lock.h, ...), or
 *
 *     the code given to pt_cancel   if the task was canceled: return. All blocks are closed
 *     PT_ETIMEDOUT                  if a block's deadline has passed: go to the end of that block;
 *                                   pt_native_timeout_end returns true. Its inner blocks are closed
 *     PT_ECANCELED                  if a group has decided: go to the end of that block
 *
 * An operation that need not wait, or that was given what it waited for, returns its usual code.
 * Every other operation returns the code above again, until the body returns or the block ends. So
 * a loop that stops at an unexpected code does stop, but a body that ignores the codes never ends.
 * To wait nevertheless, begin a cleanup:
 *
 *     status = serve(self, &io);
 *     pt_native_cleanup(self);                     from here on it can wait, as after PT_FINALLY
 *     pt_native_join(self, &helper.task);          the helper uses what is released below
 *     return status;
 *
 * In C++ an operation may wait in a catch block, or in a destructor that a throw runs: what is
 * caught stays with its task. An operation in a file that is compiled as C does not ensure that, so
 * a catch block must not call it. An exception that leaves a body ends the program
 * (std::terminate).
 *
 * The floating-point environment belongs to the thread: a body that changes its rounding must
 * restore it before it waits.
 *
 * Only the body that owns SELF may call an operation, on its own stack, directly or through
 * functions. With PT_DEBUG any other call stops the program. */
#ifndef PT_STACK_NATIVE_H
#define PT_STACK_NATIVE_H

#include "native_body.h"

#if PT_AWAIT && PT_CLEANUP && PT_HAS_LOOP_

/* --- cleanups --------------------------------------------------------------------------------- */

/* pt_native_cleanup - from here to pt_native_cleanup_end, or the body's return: PT_FINALLY
 * A cancel, a group's decision or a timeout opened before ends nothing in a cleanup; it takes
 * effect after the cleanup's end. Blocks opened in the cleanup end as usual. Cleanups nest, 127
 * deep. Cost: O(1); it does not wait. */
PT_API void pt_native_cleanup(struct pt_native *self)
{
    uint8_t cleaning = self->pt.cleaning;

    if (cleaning >= UINT8_MAX - 2)
        PT_PANIC("too many nested cleanups", "pt_native_cleanup", 0);
    self->pt.cleaning = (uint8_t)(cleaning + 1 + (cleaning & 1));
}

/* pt_native_cleanup_end - the end of a cleanup, by the function that began it */
PT_API void pt_native_cleanup_end(struct pt_native *self)
{
    struct pt *pt = &self->pt;
    unsigned outside = pt->caller ? pt_cleaning_within_(pt->caller->cleaning) : 0u;

    PT_ASSERT_(pt->cleaning & 1, "there is no cleanup to end", "pt_native_cleanup_end");
    pt->cleaning = (uint8_t)(pt->cleaning > outside + 1 ? pt->cleaning - 2u : outside);
}

/* --- blocks ---------------------------------------------------------------------------------- */

#if PT_HAS_SCOPES_

/* Whether SCOPE can be opened: not if it is in the task's chain. The function that opens a block
 * must end it before it returns; the block may be a local, and need not be zero. An exception must
 * not leave that function either: with PT_DEBUG the next operation stops the program, without it
 * the task's chain of blocks points to dead memory. */
PT_API bool pt_native_scope_unused_(const struct pt_native *self, struct pt_scope *scope)
{
    const struct pt_scope *open = self->task->scopes;

    while (open && open != scope)
        open = open->outer;
    PT_ASSERT_(!open, "the scope is in use", "pt_native_...");
    if (open)
        return false;
    scope->state = PT_SCOPE_CLOSED_;
    scope->marks = 0;
    return true;
}

/* Close a block, unless something has closed it before. */
PT_API void pt_native_close_(struct pt_native *self, struct pt_scope *scope)
{
    if (scope->state != PT_SCOPE_CLOSED_)
        pt_scope_unlink_(self->task, scope);
}

#endif

#if PT_TIMEOUTS

/* pt_native_timeout(self, &limit, delay) - from here to pt_native_timeout_end: PT_WITH_TIMEOUT
 * PT_OK; or PT_ERANGE or PT_EBUSY: then no block was opened. Blocks nest. */
#define pt_native_timeout(self, scope, delay) pt_native_timeout_open_(self, scope, pt_delay_(delay))

/* pt_native_deadline - PT_WITH_DEADLINE; pt_native_timeout_end ends it, too */
#define pt_native_deadline(self, scope, deadline) \
    pt_native_timeout_open_(self, scope, pt_time_until_(pt_native_now(self), deadline))

PT_API pt_status pt_native_timeout_open_(struct pt_native *self, struct pt_scope *scope,
                                         pt_time delay)
{
    if (!pt_native_scope_unused_(self, scope))
        return PT_EBUSY;
    self->pt.status = PT_OK;
    pt_timeout_open_(self->task, &self->pt, scope, PT_NATIVE_TIMED_OUT_, delay);
    self->task->flags &= (uint8_t)~PT_FLAG_REFUSED_;
    return self->pt.status;
}

/* pt_native_timeout_end - end a block; whether it timed out before */
PT_API bool pt_native_timeout_end(struct pt_native *self, struct pt_scope *scope)
{
    pt_native_close_(self, scope);
    return pt_timed_out(scope);
}

/* pt_native_rearm - PT_REARM */
#define pt_native_rearm(self, scope, delay) pt_timeout_rearm_((self)->task, scope, pt_delay_(delay))

#endif

#if PT_GROUPS

/* pt_native_group - from here to pt_native_group_end or _leave: PT_WITH_GROUP; PT_OK or PT_EBUSY */
PT_API pt_status pt_native_group(struct pt_native *self, struct pt_group *group,
                                 enum pt_group_policy policy)
{
    if (!pt_native_scope_unused_(self, &group->scope))
        return PT_EBUSY;
    pt_group_open_(self->task, &self->pt, group, PT_NATIVE_DECIDED_, policy);
    group->scope.state = PT_SCOPE_ENTERED_;
    return PT_OK;
}

/* pt_native_group_leave - end a group as by break: cancel its tasks and wait for them
 * PT_OK, or the code that interrupted the wait; the tasks are done in any case. */
PT_API pt_status pt_native_group_leave(struct pt_native *self, struct pt_group *group)
{
    pt_status status = PT_OK;

    group->scope.marks &= (uint8_t)~PT_SCOPE_LATE_; /* its decision does not end this wait */
    while (group->scope.state != PT_SCOPE_CLOSED_ && pt_group_goes_on_(self->task, group)) {
        pt_task_wait_in_list_(self->task, &group->waiters, PT_WHY_GROUP);
        status = pt_native_suspend_(self, PT_OP_PARK);
    }
    return status;
}

/* pt_native_group_end - end a group: wait for its tasks; otherwise as pt_native_group_leave */
PT_API pt_status pt_native_group_end(struct pt_native *self, struct pt_group *group)
{
    if (group->scope.state == PT_SCOPE_ENTERED_)
        group->scope.state = PT_SCOPE_LEFT_;
    return pt_native_group_leave(self, group);
}

/* pt_native_spawn_in(self, &group, &storage, rocket, .field = value ...) - PT_SPAWN_IN */
#define pt_native_spawn_in(self, group, storage, ...)                                       \
    ((pt_status)(((self)->pt.status = pt_native_spawn(self, storage, __VA_ARGS__)) == PT_OK \
                     ? pt_group_add(group, &(storage)->task)                                \
                     : (self)->pt.status))

/* pt_native_join_group - PT_JOIN_GROUP */
PT_API pt_status pt_native_join_group(struct pt_native *self, struct pt_group *group)
{
    return pt_native_wait_if_(self, pt_group_join_(self->task, &self->pt, group));
}

#endif

#if PT_HAS_SCOPES_

/* pt_native_bind - from here to pt_native_unbind: PT_WITH_LOCAL; PT_OK or PT_EBUSY */
PT_API pt_status pt_native_bind(struct pt_native *self, struct pt_local *local, const void *key,
                                void *value)
{
    if (!pt_native_scope_unused_(self, &local->scope))
        return PT_EBUSY;
    pt_local_open_(self->task, &self->pt, local, key, value);
    return PT_OK;
}

/* pt_native_unbind - end that block */
PT_API void pt_native_unbind(struct pt_native *self, struct pt_local *local)
{
    pt_native_close_(self, &local->scope);
}

/* pt_native_local - PT_LOCAL */
PT_API void *pt_native_local(const struct pt_native *self, const void *key)
{
    return pt_task_local(self->task, key);
}

#endif

/* --- one function for each macro -------------------------------------------------------------- */

#if PT_SYNC

/* pt_native_wait_event - PT_WAIT_EVENT */
PT_API pt_status pt_native_wait_event(struct pt_native *self, struct pt_event *event)
{
    return pt_native_wait_if_(self, pt_event_wait_(self->task, &self->pt, event));
}

/* pt_native_acquire - PT_ACQUIRE */
PT_API pt_status pt_native_acquire(struct pt_native *self, struct pt_semaphore *semaphore)
{
    return pt_native_wait_if_(self, pt_semaphore_wait_(self->task, &self->pt, semaphore));
}

/* pt_native_lock, pt_native_unlock, pt_native_holds - PT_LOCK, PT_UNLOCK, PT_HOLDS */
PT_API pt_status pt_native_lock(struct pt_native *self, struct pt_lock *lock)
{
    return pt_native_wait_if_(self, pt_lock_wait_(self->task, &self->pt, lock));
}

PT_API pt_status pt_native_unlock(struct pt_native *self, struct pt_lock *lock)
{
    return pt_lock_release(lock, self->task);
}

PT_API bool pt_native_holds(const struct pt_native *self, const struct pt_lock *lock)
{
    return lock->owner == self->task;
}

/* pt_native_wait_latest(self, &latest, &seen) - PT_WAIT_LATEST */
#define pt_native_wait_latest(self, latest, seen) \
    pt_native_latest_wait_(self, &(latest)->sent, seen)

PT_API pt_status pt_native_latest_wait_(struct pt_native *self, struct pt_broadcast_ *sent,
                                        unsigned *seen)
{
    pt_status status =
        pt_native_wait_if_(self, pt_broadcast_wait_(self->task, &self->pt, sent, *seen));

    if (status == PT_OK)
        *seen = sent->count;
    return status;
}

/* pt_native_wait_broadcast(self, &broadcast, &subscriber, &value) - PT_WAIT_BROADCAST */
#define pt_native_wait_broadcast(self, broadcast, subscriber, to)                                  \
    (pt_native_broadcast_wait_(self, &(broadcast)->sent, subscriber,                               \
                               PT_BROADCAST_KEEPS_(broadcast))                                     \
         ? (void)(*(to) =                                                                          \
                      (broadcast)->items[PT_BROADCAST_PLACE_(broadcast, (subscriber)->next - 1u)]) \
         : (void)0,                                                                                \
     (self)->pt.status)

/* Whether a value has come; the code is in the frame's status. */
PT_API bool pt_native_broadcast_wait_(struct pt_native *self, struct pt_broadcast_ *sent,
                                      struct pt_subscriber *subscriber, unsigned keeps)
{
    pt_status status =
        pt_native_wait_if_(self, pt_broadcast_wait_(self->task, &self->pt, sent, subscriber->next));

    self->pt.status = status == PT_OK ? pt_broadcast_next_(sent, subscriber, keeps) : status;
    return status == PT_OK;
}

#endif

#if PT_CHANNELS

/* pt_native_wait_condition - PT_WAIT_CONDITION */
PT_API pt_status pt_native_wait_condition(struct pt_native *self, struct pt_condition *condition,
                                          struct pt_lock *lock)
{
    return pt_native_wait_if_(self, pt_condition_wait_(self->task, &self->pt, condition, lock));
}

/* pt_native_wait_flags - PT_WAIT_FLAGS */
PT_API pt_status pt_native_wait_flags(struct pt_native *self, struct pt_flags *flags,
                                      struct pt_flags_wanted *wanted, unsigned mask, unsigned how)
{
    return pt_native_wait_if_(self,
                              pt_flags_wait_(self->task, &self->pt, flags, wanted, mask, how));
}

/* pt_native_wait_barrier - PT_WAIT_BARRIER */
PT_API pt_status pt_native_wait_barrier(struct pt_native *self, struct pt_barrier *barrier)
{
    return pt_native_wait_if_(self, pt_barrier_wait_(self->task, &self->pt, barrier));
}

/* pt_native_lock_shared, pt_native_lock_exclusive, pt_native_unlock_exclusive - as in rwlock.h
 * They are PT_LOCK_SHARED, PT_LOCK_EXCLUSIVE and PT_UNLOCK_EXCLUSIVE. */
PT_API pt_status pt_native_lock_shared(struct pt_native *self, struct pt_rwlock *lock)
{
    return pt_native_wait_if_(self, pt_rwlock_shared_(self->task, &self->pt, lock));
}

PT_API pt_status pt_native_lock_exclusive(struct pt_native *self, struct pt_rwlock *lock)
{
    return pt_native_wait_if_(self, pt_rwlock_exclusive_(self->task, &self->pt, lock));
}

PT_API pt_status pt_native_unlock_exclusive(struct pt_native *self, struct pt_rwlock *lock)
{
    return pt_rwlock_release_exclusive(lock, self->task);
}

/* An operation that transfers a value. */
#define PT_NATIVE_TRANSFER_(self, pass, through, item) \
    pt_native_wait_if_(self, pass((self)->task, &(self)->pt, through, item))

/* pt_native_send(self, &channel, &value), pt_native_recv - PT_SEND, PT_RECV
 * The value may be a local. */
#define pt_native_send(self, ch, value)                              \
    PT_NATIVE_TRANSFER_(self, pt_channel_send_wait_, &(ch)->channel, \
                        PT_CONST_ITEM_((ch)->type_, value))
#define pt_native_recv(self, ch, value)                                 \
    PT_NATIVE_TRANSFER_(self, pt_channel_receive_wait_, &(ch)->channel, \
                        PT_ITEM_((ch)->type_, value))

/* pt_native_push(self, &queue, &value), pt_native_pop - PT_PUSH, PT_POP */
#define pt_native_push(self, q, value) \
    PT_NATIVE_TRANSFER_(self, pt_queue_push_wait_, &(q)->queue, PT_CONST_ITEM_((q)->items, value))
#define pt_native_pop(self, q, value) \
    PT_NATIVE_TRANSFER_(self, pt_queue_pop_wait_, &(q)->queue, PT_ITEM_((q)->items, value))

#endif

#if PT_CHANNELS && PT_REMOTE
/* pt_native_get(self, &ring, &item) - PT_RING_GET */
#define pt_native_get(self, r, item) \
    PT_NATIVE_TRANSFER_(self, pt_ring_get_wait_, &(r)->ring, PT_ITEM_((r)->items, item))

/* pt_native_recv_mail(self, &mailbox, &mail) - PT_RECV_MAIL */
PT_API pt_status pt_native_recv_mail(struct pt_native *self, struct pt_mailbox *mailbox,
                                     struct pt_mail **mail)
{
    return pt_native_wait_if_(self, pt_recv_mail_(self->task, &self->pt, mailbox, mail, 0));
}
#endif

#if PT_SELECTS

/* pt_native_select(self, &choice, case, ...); - PT_SELECT, a statement, with the same cases
 * The selection may be a local; then call pt_select_init first. self->pt.status is its code,
 * PT_SELECTED(&choice) the case that came true. */
#define pt_native_select(self, choice, ...)                                      \
    do {                                                                         \
        struct pt_task *const pt_current_ = (self)->task;                        \
        struct pt *const pt_ = &(self)->pt;                                      \
                                                                                 \
        if (PT_SELECT_START_(choice, true, PT_COUNT_(__VA_ARGS__), __VA_ARGS__)) \
            pt_->status = pt_native_select_wait_(self, &(choice)->select);       \
        pt_task_take_(pt_current_);                                              \
    } while (0)

PT_API pt_status pt_native_select_wait_(struct pt_native *self, struct pt_select_ *select)
{
    pt_status status = pt_native_suspend_(self, select->opcode);

    if (self->pt.label == PT_NATIVE_GOES_ON_)
        pt_select_over_(select);
    return status;
}

/* pt_native_select_now(self, &choice, case, ...); - PT_SELECT_NOW, a statement */
#define pt_native_select_now(self, choice, ...)                                     \
    do {                                                                            \
        struct pt_task *const pt_current_ = (self)->task;                           \
        struct pt *const pt_ = &(self)->pt;                                         \
                                                                                    \
        (void)PT_SELECT_START_(choice, false, PT_COUNT_(__VA_ARGS__), __VA_ARGS__); \
    } while (0)

#endif

#endif
#endif
