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
/* A block is a loop that runs once, around another one:
 *
 *     for (open it, or return; pt_entered_; close it)
 *     case LABEL:
 *         for (; pt_entered_; pt_entered_ = false) { the body of the block }
 *
 * Opening it sets pt_entered_, which is false whenever the function is resumed: so whoever resumes
 * it at the label comes behind the body. The compiler knows the value at each place, and leaves out
 * the variable and the loops. pt_refused_ is for compilers without statements in expressions. */

/* Put a block into a task's chain. If the block is open already, return false and leave PT_EBUSY in
 * the frame. */
PT_CHOOSE_(PT_OR_(PT_SYNC, PT_GROUPS), PT_SHARED, PT_API)
bool pt_scope_open_(struct pt_task *task, struct pt_scope *scope, pt_label label, uint8_t marks)
{
    struct pt *frame = pt_task_top_(task);

    if (PT_UNLIKELY(!task->loop))
        PT_PANIC("a generator has no loop that could end a block of it", "PT_WITH_...", 0);
    PT_ASSERT_(scope->state == PT_SCOPE_CLOSED_, "the scope is in use", "PT_WITH_...");
    if (scope->state != PT_SCOPE_CLOSED_) {
        frame->status = PT_EBUSY;
        return false;
    }
    scope->outer = task->scopes;
    scope->frame = frame;
    scope->label = label;
    scope->depth = (uint8_t)pt_depth_(frame);
    scope->state = PT_SCOPE_ENTERED_;
    scope->marks = marks;
    task->scopes = scope;
    return true;
}

/* End the function with its status, because its block could not be opened. */
#define PT_REFUSE_() \
    PT_MARK_SITE_()  \
    return pt_return_(pt_, pt_current_, pt_->status);

#define PT_LEFT_BY_GOTO_ "a block was left, or entered, by goto: leave it by break or PT_RETURN"

/* Take the innermost block out of its task's chain. */
PT_ALWAYS void pt_scope_unlink_(struct pt_task *task, struct pt_scope *scope)
{
    PT_ASSERT_(task->scopes == scope, PT_LEFT_BY_GOTO_, "PT_WITH_...");
    task->scopes = scope->outer;
    scope->state = PT_SCOPE_CLOSED_;
}

/* The same, and unlock what the block holds. */
PT_SHARED void pt_scopes_pop_(struct pt_task *task)
{
    struct pt_scope *scope = task->scopes;

    pt_scope_unlink_(task, scope);
    if (scope->marks & PT_SCOPE_HELD_)
        ((struct pt_held *)(void *)scope)->release(((struct pt_held *)(void *)scope)->lock, task);
}

PT_ALWAYS void pt_held_leave_(struct pt_task *task, struct pt_scope *scope)
{
    PT_ASSERT_(task->scopes == scope, PT_LEFT_BY_GOTO_, "PT_WITH_...");
    pt_scopes_pop_(task);
}

/* Leave a block that holds no lock. */
PT_ALWAYS void pt_scope_leave_(struct pt_task *task, struct pt_scope *scope)
{
    if (PT_FAST_)
        pt_scope_unlink_(task, scope);
    else
        pt_held_leave_(task, scope);
}
#endif

#endif
