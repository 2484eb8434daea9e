/* scope.h - scopes: blocks of a body that something else can end
 * SPDX-License-Identifier: MIT
 *
 * The open scopes of a task form a chain, innermost first. They nest within a function, and across
 * the functions that it awaits:
 *
 *     task --> [limit of read_line] --> [limit of fetch] --> NULL
 *
 * Each scope has its frame, the label at which the frame continues when the block is ended, and
 * whether it was ended. timeout.h and group.h open scopes, cancel.h chooses the one to end, and
 * unwind.h ends it. */
#ifndef PT_SCOPE_H
#define PT_SCOPE_H

#include "../loop/complete.h"

/* A block that holds a lock: sync/held.h. Zero it before its first use. Macros write it. In the
 * block a program may set RELEASE to a function of its own, which does more than to unlock. */
struct pt_held {
    struct pt_scope scope;                             /* its first member */
    void (*release)(void *lock, struct pt_task *task); /* it unlocks, when the block is left */
    void *lock;
};

/* --- implementation ------------------------------------------------------------------------ */

#if PT_HAS_SCOPES_
/* Put a block into a task's chain. On failure, return false and leave a code in the frame: CODE, if
 * the caller passes an error, or PT_EBUSY if the block is open already. */
PT_API bool pt_scope_open_(struct pt_task *task, struct pt *frame, struct pt_scope *scope,
                           pt_label label, uint8_t marks, pt_status code)
{
    PT_ASSERT_(code != PT_OK || scope->state == PT_SCOPE_CLOSED_, "the scope is in use",
               "PT_WITH_...");
    if (code == PT_OK && scope->state != PT_SCOPE_CLOSED_)
        code = PT_EBUSY;
    if (code != PT_OK) {
        task->flags |= PT_FLAG_REFUSED_;
        frame->status = code;
        return false;
    }
    if (PT_UNLIKELY(!task->loop))
        PT_PANIC("a generator has no loop that could end a block of it", "PT_WITH_...", 0);
    scope->outer = task->scopes;
    scope->frame = frame;
    scope->label = label;
    scope->depth = (uint8_t)pt_depth_(frame);
    scope->state = PT_SCOPE_OPENED_;
    scope->marks = marks;
    task->scopes = scope;
    return true;
}

/* End the function, because its block could not be opened. */
PT_API pt_op pt_scope_refuse_(struct pt_task *task, struct pt *frame)
{
    task->flags &= (uint8_t)~PT_FLAG_REFUSED_;
    return pt_return_(frame, task, frame->status);
}

#define PT_REFUSED_() (pt_current_->flags & PT_FLAG_REFUSED_)
#define PT_REFUSE_() \
    PT_MARK_SITE_()  \
    return pt_scope_refuse_(pt_current_, pt_);

/* True once, for the body of a block. */
PT_ALWAYS bool pt_scope_enter_(struct pt_scope *scope)
{
    if (scope->state != PT_SCOPE_OPENED_)
        return false;
    scope->state = PT_SCOPE_ENTERED_;
    return true;
}

/* Take the innermost block out of its task's chain. */
PT_ALWAYS void pt_scope_unlink_(struct pt_task *task, struct pt_scope *scope)
{
    PT_ASSERT_(task->scopes == scope,
               "a block was left, or entered, by goto: leave it by break or PT_RETURN",
               "PT_WITH_...");
    task->scopes = scope->outer;
    scope->state = PT_SCOPE_CLOSED_;
}

/* The same, and unlock what the block holds. */
PT_API void pt_held_leave_(struct pt_task *task, struct pt_scope *scope)
{
    pt_scope_unlink_(task, scope);
    if (scope->marks & PT_SCOPE_HELD_)
        ((struct pt_held *)(void *)scope)->release(((struct pt_held *)(void *)scope)->lock, task);
}
#endif

#endif
