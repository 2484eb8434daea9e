/* local.h - task-local values: a value for a key, in a block and all functions awaited in it
 * SPDX-License-Identifier: MIT
 *
 *     static char user_key;                    its address is the key
 *
 *     PT_WITH_LOCAL(&self->user, &user_key, request->user) {
 *         PT_WAIT_COMPLETE(&self->page, render);
 *     }
 *
 *     const struct user *user = PT_LOCAL(&user_key);       in any body awaited there, or NULL
 *
 * No other task sees what a task binds. An inner block hides an outer one of the same key. However
 * the block is left, even by a cancel, its binding is gone. */
#ifndef PT_LOCAL_H
#define PT_LOCAL_H

#include "scope.h"

#if PT_HAS_SCOPES_

/* The block; in a frame, zero before its first use. Written by PT_WITH_LOCAL. */
struct pt_local {
    struct pt_scope scope; /* its first member */
    const void *key;
    void *value;
};

/* PT_WITH_LOCAL(&self->local, key, value) { ... } - bind VALUE to KEY in the block
 * KEY is any address. Leave the block by its end or by break. If LOCAL is in use already, the
 * function ends with PT_EBUSY. LOCAL is evaluated several times. Cost: O(1). */
#define PT_WITH_LOCAL(local, key, value)                                                        \
    for (PT_IN_BODY_,                                                                           \
         PT_NOT_LOCAL_THEN_(local, "the struct pt_local") PT_CHECK_ONE_(local, "PT_WITH_LOCAL") \
             pt_entered_ = pt_local_open_(pt_current_, local, key, value),                      \
             PT_DO_IF_(!pt_entered_, PT_REFUSE_()), pt_refused_ = !pt_entered_;                 \
         pt_refused_ || pt_entered_;                                                            \
         pt_scope_leave_(pt_current_, &(local)->scope), pt_entered_ = false)                    \
        PT_ELSE_DO_(pt_refused_, PT_REFUSE_())                                                  \
    PT_COUNTING_FOR_(pt_blocks_, pt_entered_, pt_entered_ = false)

/* pt_task_local - the innermost value bound to KEY in a task, or NULL; O(open blocks) */
PT_API void *pt_task_local(const struct pt_task *task, const void *key);

/* PT_LOCAL(key) - in a body: pt_task_local of this task */
#define PT_LOCAL(key) (PT_IN_BODY_, pt_task_local(pt_current_, key))

/* --- implementation ------------------------------------------------------------------------ */

PT_API void *pt_task_local(const struct pt_task *task, const void *key)
{
    /* pt-bounds: loop blocks */
    for (const struct pt_scope *scope = task->scopes; scope; scope = scope->outer)
        if ((scope->marks & PT_SCOPE_LOCAL_) &&
            ((const struct pt_local *)(const void *)scope)->key == key)
            return ((const struct pt_local *)(const void *)scope)->value;
    return NULL;
}

PT_API bool pt_local_open_(struct pt_task *task, struct pt_local *local, const void *key,
                           void *value)
{
    if (!pt_scope_open_(task, &local->scope, 0, PT_SCOPE_LOCAL_))
        return false;
    local->key = key;
    local->value = value;
    return true;
}

#endif
#endif
