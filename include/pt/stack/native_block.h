/* native_block.h - blocks of native tasks: cleanups, timeouts, groups, bound values
 * SPDX-License-Identifier: MIT
 *
 *     pt_native_timeout(self, &limit, PT_SEC(5));
 *     status = fetch(self, &page);
 *     if (pt_native_timeout_end(self, &limit))
 *         status = PT_ETIMEDOUT;
 *
 * The function that opens a block must end it before it returns, the last one first; the block may
 * be a local, and need not be zero. An exception must not leave that function either: with PT_DEBUG
 * the program stops at an operation that waits, or at the end of the body; without it the task's
 * chain of blocks points to dead memory. Included by native.h. */
#ifndef PT_NATIVE_BLOCK_H
#define PT_NATIVE_BLOCK_H

#include "native_task.h"
#include "../scope/group.h"
#include "../scope/timeout.h"
#include "../scope/local.h"

/* --- cleanups ------------------------------------------------------------------------------ */

/* pt_native_cleanup - from here to pt_native_cleanup_end, or the body's return: PT_FINALLY
 * A cancel, a group's decision or a timeout opened before ends nothing in a cleanup; it takes
 * effect after the cleanup's end. Blocks opened in the cleanup end as usual. Cleanups nest, 63
 * deep. Cost: O(1); it does not wait. */
PT_API void pt_native_cleanup(struct pt_native *self);

/* pt_native_cleanup_end - the end of a cleanup, by the function that began it */
PT_API void pt_native_cleanup_end(struct pt_native *self);

/* --- timeouts ------------------------------------------------------------------------------ */

/* pt_native_timeout(self, &limit, delay) - from here to pt_native_timeout_end: PT_WITH_TIMEOUT
 * PT_OK; or PT_ERANGE or PT_EBUSY: then no block was opened. Blocks nest. */
#define pt_native_timeout(self, scope, delay) \
    pt_native_timeout_open_(                  \
        self, scope, PT_ANY_DELAY_(delay, __func__, "pt_native_timeout", "pt_native_deadline"))

/* pt_native_deadline - PT_WITH_DEADLINE; pt_native_timeout_end ends it, too */
#define pt_native_deadline(self, scope, deadline) \
    pt_native_timeout_open_(self, scope, pt_time_until_(pt_native_now(self), deadline))

#if PT_TIMEOUTS
/* pt_native_timeout_end - end a block; whether it timed out before */
PT_API bool pt_native_timeout_end(struct pt_native *self, struct pt_scope *scope);
#endif

/* pt_native_rearm - PT_REARM */
#define pt_native_rearm(self, scope, delay) \
    pt_timeout_rearm_((self)->task, scope, PT_ANY_DELAY_(delay, __func__, "pt_native_rearm", "0"))

/* --- groups -------------------------------------------------------------------------------- */

#if PT_GROUPS
/* pt_native_group - from here to pt_native_group_end or _leave: PT_WITH_GROUP; PT_OK or PT_EBUSY */
PT_API pt_status pt_native_group(struct pt_native *self, struct pt_group *group,
                                 enum pt_group_policy policy);

/* pt_native_group_leave - end a group as by break: cancel its tasks and wait for them
 * PT_OK, or the code that interrupted the wait; the tasks are done in any case. */
PT_API pt_status pt_native_group_leave(struct pt_native *self, struct pt_group *group);

/* pt_native_group_end - end a group: wait for its tasks; otherwise as pt_native_group_leave */
PT_API pt_status pt_native_group_end(struct pt_native *self, struct pt_group *group);

/* pt_native_join_group - PT_JOIN_GROUP */
PT_API pt_status pt_native_join_group(struct pt_native *self, struct pt_group *group);
#endif

/* pt_native_spawn_in(self, &group, &storage, rocket, .field = value ...) - PT_SPAWN_IN
 * STORAGE may be a zeroed local: the end of the group waits for the task. */
#define pt_native_spawn_in(self, group, storage, ...)                                            \
    ((pt_status)(PT_CHECK_ONE_(group, "pt_native_spawn_in")(                                     \
                     ((self)->pt.status = pt_group_accepts_(group, (self)->task)) == PT_OK &&    \
                     ((self)->pt.status = pt_native_spawn(self, storage, __VA_ARGS__)) == PT_OK) \
                     ? pt_group_add(group, &(storage)->task)                                     \
                     : (self)->pt.status))

/* --- values bound to a task ---------------------------------------------------------------- */

#if PT_HAS_SCOPES_
/* pt_native_bind - from here to pt_native_unbind: PT_WITH_LOCAL; PT_OK or PT_EBUSY */
PT_API pt_status pt_native_bind(struct pt_native *self, struct pt_local *local, const void *key,
                                void *value);

/* pt_native_unbind - end that block */
PT_API void pt_native_unbind(struct pt_native *self, struct pt_local *local);

/* pt_native_local - PT_LOCAL */
PT_API void *pt_native_local(const struct pt_native *self, const void *key);
#endif

/* --- implementation ------------------------------------------------------------------------ */

PT_API void pt_native_cleanup(struct pt_native *self)
{
    unsigned cleaning = pt_cleaning_of_(&self->pt);

    if (cleaning >= PT_CLEANING_MOST_ - 2)
        PT_PANIC("too many nested cleanups", "pt_native_cleanup", 0);
    self->pt.cleaning = (uint8_t)(self->pt.cleaning + 1 + (cleaning & 1));
}

PT_API void pt_native_cleanup_end(struct pt_native *self)
{
    struct pt *pt = &self->pt, *caller = pt_caller_of_(pt);
    unsigned outside = caller ? pt_cleaning_within_(caller) : pt->cleaning & PT_CLEANING_BASE_;

    PT_ASSERT_(pt->cleaning & 1, "there is no cleanup to end", "pt_native_cleanup_end");
    pt->cleaning = (uint8_t)(pt->cleaning > outside + 1 ? pt->cleaning - 2u : outside);
}

#if PT_HAS_SCOPES_

/* Whether SCOPE can be opened: not if it is in the task's chain. */
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

PT_API pt_status pt_native_bind(struct pt_native *self, struct pt_local *local, const void *key,
                                void *value)
{
    if (!pt_native_scope_unused_(self, &local->scope))
        return PT_EBUSY;
    (void)pt_local_open_(self->task, local, key, value);
    return PT_OK;
}

PT_API void pt_native_unbind(struct pt_native *self, struct pt_local *local)
{
    pt_native_close_(self, &local->scope);
}

PT_API void *pt_native_local(const struct pt_native *self, const void *key)
{
    return pt_task_local(self->task, key);
}

#endif

#if PT_TIMEOUTS

PT_API pt_status pt_native_timeout_open_(struct pt_native *self, struct pt_scope *scope,
                                         pt_time delay)
{
    if (!pt_native_scope_unused_(self, scope))
        return PT_EBUSY;
    self->pt.status = PT_OK;
    (void)pt_timeout_open_(self->task, scope, delay, PT_NATIVE_TIMED_OUT_);
    return self->pt.status;
}

PT_API bool pt_native_timeout_end(struct pt_native *self, struct pt_scope *scope)
{
    pt_native_close_(self, scope);
    return pt_timed_out(scope);
}

#endif

#if PT_GROUPS

PT_API pt_status pt_native_group(struct pt_native *self, struct pt_group *group,
                                 enum pt_group_policy policy)
{
    if (!pt_native_scope_unused_(self, &group->scope))
        return PT_EBUSY;
    (void)pt_group_open_(self->task, group, PT_NATIVE_DECIDED_, policy);
    return PT_OK;
}

PT_API pt_status pt_native_group_leave(struct pt_native *self, struct pt_group *group)
{
    pt_status status = self->pt.status = PT_OK; /* not that of an earlier operation */

    group->scope.marks &= (uint8_t)~PT_SCOPE_LATE_; /* its decision does not end this wait */
    while (group->scope.state != PT_SCOPE_CLOSED_ && pt_group_is_open_(self->task, group)) {
        pt_task_wait_in_list_(self->task, &group->waiters, PT_WHY_GROUP);
        pt_task_set_waits_for_(self->task, group);
        status = pt_native_suspend_(self, PT_OP_PARK);
    }
    return status;
}

PT_API pt_status pt_native_group_end(struct pt_native *self, struct pt_group *group)
{
    if (group->scope.state == PT_SCOPE_ENTERED_)
        group->scope.state = PT_SCOPE_LEFT_;
    return pt_native_group_leave(self, group);
}

PT_API pt_status pt_native_join_group(struct pt_native *self, struct pt_group *group)
{
    return pt_native_wait_if_(self, pt_group_join_(self->task, &self->pt, group));
}

#endif

#endif
