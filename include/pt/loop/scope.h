/* scope.h - scopes: blocks of a body that something else can end; and the one timer of a task
 * SPDX-License-Identifier: MIT
 *
 * The open scopes of a task form a chain, innermost first. They nest within a function, and across
 * the functions that it awaits:
 *
 *     task --> [limit of read_line] --> [limit of fetch] --> NULL
 *
 * Each scope knows its frame, the label at which the frame continues when the block is ended, and
 * whether it was ended. timeout.h and group.h open scopes, cancel.h chooses the one to end, and
 * unwind.h ends it.
 *
 * A task has only one timer, for its sleep and the deadlines of its blocks: for the earliest. A
 * PT_WAIT arms it in interpreter.h (pt_loop_sleep_); what changes its blocks, or wakes it, calls
 * pt_task_schedule_, below. */
#ifndef PT_SCOPE_H
#define PT_SCOPE_H

#include "storage.h"

/* --- implementation ------------------------------------------------------------------------ */

/*  CLOSED --open--> OPENED --enter--> ENTERED --its end, break, time over--> CLOSED
 *    a group:                            +--> LEFT, LEAVING: waits for its tasks --^ */
enum { PT_SCOPE_CLOSED_, PT_SCOPE_OPENED_, PT_SCOPE_ENTERED_, PT_SCOPE_LEFT_, PT_SCOPE_LEAVING_ };
enum {
    PT_SCOPE_LATE_ = 0x01,  /* it must be ended as soon as the task can be interrupted */
    PT_SCOPE_FIRED_ = 0x02, /* it was ended */
    PT_SCOPE_TIMED_ = 0x04, /* it has a deadline that has not expired yet */
    PT_SCOPE_GROUP_ = PT_GROUPS ? 0x08 : 0, /* it is the first member of a struct pt_group */
    PT_SCOPE_LOCAL_ = 0x10                  /* it is a struct pt_local's: nothing ends it */
};

/* The innermost open block of a task, or NULL. */
PT_ALWAYS struct pt_scope *pt_scopes_(const struct pt_task *task)
{
    PT_IF_(PT_HAS_SCOPES_, return task->scopes;)
    return NULL;
}

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
#define PT_REFUSE_() return pt_scope_refuse_(pt_current_, pt_);

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
#endif

/* --- the timer of a task ------------------------------------------------------------------- */

#if PT_TIMEOUTS
/* The block with the earliest deadline, or NULL. */
PT_SHARED struct pt_scope *pt_scopes_first_(const struct pt_task *task)
{
    struct pt_scope *first = NULL;

    for (struct pt_scope *scope = task->scopes; scope; scope = scope->outer)
        if ((scope->marks & PT_SCOPE_TIMED_) &&
            (!first || pt_time_before(scope->deadline, first->deadline)))
            first = scope;
    return first;
}

/* Put the task's timer into the timer queue. */
PT_ALWAYS void pt_task_arm_(struct pt_task *task, pt_time at)
{
    task->flags |= PT_FLAG_TIMED_;
    pt_timers_add_(&task->loop->timers, &task->timer, at);
}

/* Arm the task's one timer for the earlier of its sleep and its blocks' deadlines, or disarm it. A
 * sleep is armed at once. For a block, an earlier entry stays in the queue; when that expires, the
 * timer is armed for the block. */
PT_SHARED void pt_task_schedule_(struct pt_task *task)
{
    const struct pt_scope *first = pt_scopes_first_(task);
    bool wanted = task->state & PT_STATE_SLEEPING_, timed = task->flags & PT_FLAG_TIMED_;
    pt_time at = task->node.at;

    if (first && (!wanted || pt_time_before(first->deadline, at))) {
        at = first->deadline;
        if (timed && !pt_time_before(at, pt_timers_at_(&task->loop->timers, &task->timer)))
            return;
        wanted = true;
    }
    if (timed) {
        pt_timers_remove_(&task->loop->timers, &task->timer);
        task->flags &= (uint8_t)~PT_FLAG_TIMED_;
    }
    if (wanted)
        pt_task_arm_(task, at);
}
#else
#define pt_task_schedule_(task) ((void)(task))
#endif

/* Whether pt_task_schedule_ arms a sleep, because the timer can be needed for a block, too. With
 * timeouts it arms every sleep on a small part; on a PC, a sleep without blocks has a faster way. */
PT_ALWAYS bool pt_task_shares_timer_(const struct pt_task *task)
{
    PT_IF_(PT_TIMEOUTS, return !PT_HOSTED || task->scopes || (task->flags & PT_FLAG_TIMED_);)
    return false;
}

#endif
