/* interrupt.h - what ends a task's work from outside, and how its frames are unwound
 * SPDX-License-Identifier: MIT
 *
 *     pt_cancel(&self->worker.task, PT_ECANCELED);
 *     PT_JOIN(&self->worker.task);                 now nothing of it runs any more
 *
 * A cancel ends a whole task; a scope ends one block. Both only set a bit and, if the task waits,
 * make it ready. The straight path checks nothing but that bit, in a byte that a turn reads anyway
 * for pt_pause. When the task's turn comes:
 *
 *     frames that are awaited      leaf    its label becomes PT_FINALLY's; it is resumed and runs
 *     in the block, or all          |      its cleanup, which may wait as it likes; then the next
 *                                   v
 *     the block's own frame        its label becomes the one after the block; it is resumed
 *
 * An await is a wait, too: an interruption during it ends the caller before the caller continues.
 * In a cleanup only blocks that the cleanup itself opened can be ended. A frame that was never
 * resumed has nothing to clean up and is skipped.
 *
 *     bit           set by                                    cleared
 *     INTERRUPTED   a cancel, a deadline, a group's decision  when nothing is left to end
 *     CANCELED      a cancel                                  at the next spawn
 *     LATE          a block's deadline, a group's decision    when it ends, or has more time
 *     GIVEN         what completes the wait, or certainly     at the resume with it
 *                   will; a wait that was over in time
 *     USES_GIVEN    that resume                               at the next wait, or interruption */
#ifndef PT_INTERRUPT_H
#define PT_INTERRUPT_H

#include "scope.h"

#if PT_HAS_INTERRUPTS_

/* End a task, since its base frame is complete: interpreter.h. */
PT_API void pt_loop_end_task_(struct pt_loop *loop, struct pt_task *task);

#if PT_HAS_SCOPES_
/* The outermost late block of a task that no cleanup protects, or NULL. */
PT_ALWAYS const void *pt_scopes_late_(const struct pt_task *task, uint_fast8_t depth)
{
    const struct pt_scope *late = NULL;

    for (const struct pt_scope *scope = task->scopes; scope; scope = scope->outer)
        if ((scope->marks & PT_SCOPE_LATE_) && scope->depth == depth)
            late = scope;
    return late;
}
#else
#define pt_scopes_late_(task, depth) NULL
#endif

/* What ends the task's work now: one of its blocks, the task itself (all of it), or NULL. */
PT_COLD const void *pt_task_aim_(const struct pt_task *task)
{
    uint_fast8_t depth = pt_depth_(pt_task_top_(task)->cleaning);
    const void *aim = pt_scopes_late_(task, depth);

    if (PT_CANCEL && depth == 0 && (task->flags & PT_FLAG_CANCELED_))
        aim = task;
    return aim;
}

PT_COLD void pt_task_interrupt_(struct pt_task *task)
{
    task->state |= PT_STATE_INTERRUPTED_;
    task->flags &= (uint8_t)~PT_FLAG_USES_GIVEN_; /* it protects only from what came before */
    if (PT_CHANNELS && (task->flags & PT_FLAG_GIVEN_))
        return; /* it has what it waits for, or will certainly get it: a condition's lock */
    if (pt_task_aim_(task))
        pt_task_force_wake_(task);
}

#if PT_HAS_SCOPES_
/* Whether a block is a group with tasks: if so, cancel them, and let TASK wait for their end. */
#if PT_GROUPS
PT_COLD bool pt_scope_busy_(struct pt_task *task, struct pt_scope *scope);
#else
#define pt_scope_busy_(task, scope) ((void)(task), (void)(scope), false)
#endif

/* Close FRAME's blocks inside BLOCK, or all if BLOCK is not one of them. If a group still has
 * tasks, stop there: then the task is QUEUED, and waits for them. */
PT_COLD void pt_scopes_close_(struct pt_task *task, const struct pt *frame, const void *block)
{
    while (task->scopes && task->scopes != block && task->scopes->frame == frame &&
           !pt_scope_busy_(task, task->scopes))
        pt_scope_unlink_(task, task->scopes);
}

/* PT_RETURN leaves the blocks of a frame; whether the task must wait for the tasks of one. */
PT_COLD bool pt_scopes_busy_(struct pt_task *task, const struct pt *frame)
{
    pt_scopes_close_(task, frame, NULL);
    if (!(task->state & PT_STATE_QUEUED_))
        return false;
    task->state |= PT_STATE_INTERRUPTED_; /* there can be another block: look again */
    return true;
}

/* If AIM is a block of FRAME, let FRAME continue after it; whether it is. */
PT_API bool pt_scope_ends_(const struct pt_task *task, struct pt *frame, const void *aim)
{
    struct pt_scope *block = (struct pt_scope *)(uintptr_t)aim;

    if (aim == task || block->frame != frame)
        return false;
    block->marks ^= PT_SCOPE_LATE_ | PT_SCOPE_FIRED_;
    frame->label = block->label;
    if (block->marks & PT_SCOPE_GROUP_)
        block->state = PT_SCOPE_LEAVING_;
    else
        frame->status = PT_ETIMEDOUT;
    return true;
}
#else
#define pt_scopes_close_(task, frame, block) ((void)(task))
#define pt_scope_ends_(task, frame, aim) false
#endif

/* The status of a function that AIM ends. */
PT_ALWAYS pt_status pt_task_reason_(const struct pt_task *task, const void *aim)
{
    (void)task;
    (void)aim;
    PT_IF_(PT_CANCEL, if (aim == task) return task->reason;)
    PT_IF_(PT_GROUPS,
           if (((const struct pt_scope *)aim)->marks & PT_SCOPE_GROUP_) return PT_ECANCELED;)
    return PT_ETIMEDOUT;
}

/* Take the next step of an unwinding; whether to resume the frame on top now. */
PT_COLD bool pt_task_unwind_(struct pt_task *task)
{
    const void *aim = pt_task_aim_(task);
    struct pt *top = pt_task_top_(task);

    if (aim) {
        pt_scopes_close_(task, top, aim);
        if (PT_HAS_SCOPES_ && (task->state & PT_STATE_QUEUED_))
            return false;
        if (!pt_scope_ends_(task, top, aim)) {
            top->result = pt_task_reason_(task, aim);
            if (top->label != PT_LABEL_START_) {
                top->label = PT_LABEL_FINALLY_;
                return true;
            }
            pt_end_(top); /* a task that never ran */
            pt_loop_end_task_(task->loop, task);
            return false;
        }
    }
    if (!top->cleaning) /* else something can be due after the cleanup */
        task->state &= (uint8_t)~PT_STATE_INTERRUPTED_;
    return true;
}

/* The turn of an INTERRUPTED task has come; whether to resume it now. */
PT_COLD bool pt_task_divert_(struct pt_task *task)
{
    bool handed = task->flags & PT_FLAG_GIVEN_;

    task->flags &= (uint8_t) ~(PT_FLAG_GIVEN_ | PT_FLAG_USES_GIVEN_);
    if (handed)
        task->flags |= PT_FLAG_USES_GIVEN_;
    if (PT_GROUPS && pt_task_top_(task)->label == PT_LABEL_FINALLY_) {
        pt_scopes_close_(task, pt_task_top_(task), NULL);
        if (task->state & PT_STATE_QUEUED_)
            return false;
    }
    return handed || pt_task_unwind_(task);
}

#else
#define pt_task_divert_(task) ((void)(task), true)
#endif

#if PT_CANCEL

/* pt_cancel - make a task end, with the code REASON; O(1), or as a removal from the timer queue
 * A task that waits ends at that wait; a task that is ready ends where it last waited; a task that
 * runs ends at its next wait. Each of its functions runs its PT_FINALLY, the innermost first, and
 * the tasks that join it get REASON: PT_ECANCELED, or a code of the program, -128 to -64. A task in
 * a cleanup ends after the cleanup. A paused task is resumed, so that it ends; a later pause holds
 * it until pt_resume. A task that has not started never starts. A task still gets what it was
 * given. Its storage is in use until it is done: PT_JOIN waits for that. No effect on a task that
 * is not alive, or was cancelled before. */
PT_API void pt_cancel(struct pt_task *task, pt_code_ reason)
{
    pt_status code = pt_status_of_(reason, "pt_cancel");

    if (!pt_task_alive(task) || pt_task_canceled(task))
        return;
    task->flags |= PT_FLAG_CANCELED_;
    task->reason = code;
    PT_IF_(PT_PAUSE, pt_resume(task);)
    pt_task_interrupt_(task);
}

#if PT_HAS_MEMBERS_
/* pt_loop_cancel - cancel every task of a loop; O(tasks)
 * The tasks of a group end with its block. All have ended when pt_loop_live returns 0. */
PT_API void pt_loop_cancel(struct pt_loop *loop, pt_code_ reason)
{
    for (struct pt_node *member = pt_wait_queue_first_(&loop->tasks); member;
         member = pt_wait_queue_next_(&loop->tasks, member))
        pt_cancel(pt_task_of_member_(member), reason);
}
#endif

#endif
#endif
