/* unwind.h - how a task's work ends: blocks are closed, cleanups run, and others are told
 * SPDX-License-Identifier: MIT
 *
 * An interrupted task (cancel.h) is the next one in the batch:
 *
 *     frames awaited in the        leaf    its label becomes PT_FINALLY's; it is resumed and runs
 *     block (a cancel: all)         |      its cleanup, which can wait; then the next frame
 *                                   v
 *     the block's own frame        its label becomes the one after the block; it is resumed
 *
 * A body without a PT_FINALLY has no case for its label: the frame is complete
 * (pt_label_without_case_).
 * An await is a wait, too: an interruption during it ends the caller before the caller continues.
 * In a cleanup only blocks that the cleanup itself opened can be ended. A task that has not run yet
 * runs to its first wait before anything ends it: it owns what it was given at its start, and its
 * cleanup gives that back. */
#ifndef PT_UNWIND_H
#define PT_UNWIND_H

#include "tree.h"

/* A task has ended with STATUS: its joiners go on, and its group is told. */
PT_ALWAYS void pt_joiners_wake_(struct pt_task *task, pt_status status)
{
    struct pt_group *group = pt_task_leaves_group_(task);

    PT_IF_(PT_JOINS, if (!PT_FAST_ || task->joiners.first)
                         pt_wait_list_complete_all_(&task->joiners, status, 0);)
    if (group)
        pt_group_ended_(group, task, status);
}

PT_ALWAYS void pt_observers_ended_(struct pt_loop *loop, struct pt_task *task)
{
    if (PT_UNLIKELY(pt_loop_observer_(loop) != NULL))
        pt_loop_tell_ended_(loop, task);
}

/* End a task: its base frame is complete. */
PT_API void pt_loop_end_task_(struct pt_loop *loop, struct pt_task *task)
{
    pt_status status = pt_task_top_(task)->status;

    task->state = 0;
    pt_census_set_live_(loop, pt_census_live_(loop) - 1);
    pt_task_retire_timer_(task);
    pt_task_unlist_(task);
    pt_joiners_wake_(task, status);
    pt_observers_ended_(loop, task);
    pt_task_release_(task);
}

#if PT_HAS_SCOPES_
/* Close FRAME's blocks inside BLOCK, or all if BLOCK is not one of them. If a group still has
 * tasks, stop there: then the task is QUEUED, and waits for them. */
PT_COLD void pt_scopes_close_(struct pt_task *task, const struct pt *frame, const void *block)
{
    while (task->scopes && task->scopes != block && task->scopes->frame == frame &&
           !pt_scope_awaits_tasks_(task, task->scopes))
        pt_scopes_pop_(task); /* pt-bounds: loop blocks */
}

/* Close the blocks of a frame that is complete, or in which PT_RETURN was called. Returns whether
 * the task must first wait for the tasks of a group. */
PT_ALWAYS bool pt_scopes_close_all_(struct pt_task *task, struct pt *frame)
{
    if (!PT_FAST_ || PT_UNLIKELY(task->scopes != NULL))
        pt_scopes_close_(task, frame, NULL);
    if (!PT_GROUPS || !(task->state & PT_STATE_QUEUED_))
        return false;
    task->state |= PT_STATE_INTERRUPTED_; /* there can be another block: look again */
    frame->cleaning |= 1;                 /* nothing else ends it now */
    if (frame->label == PT_LABEL_DONE_)
        frame->cleaning |= PT_CLEANING_MOST_;
    return true;
}

/* pt_scopes_close_, for the next task in the batch. Returns whether the task waits for a group, and
 * so has no step. */
PT_COLD bool pt_scopes_hold_(struct pt_task *task, const struct pt *frame, const void *block)
{
    pt_scopes_close_(task, frame, block);
    if (!PT_GROUPS || !(task->state & PT_STATE_QUEUED_))
        return false;
    pt_loop_tell_blocked_(task->loop, task);
    return true;
}

/* If ENDING is a block of FRAME, let FRAME continue after it. Returns whether it is. */
PT_API bool pt_scope_ends_(const struct pt_task *task, struct pt *frame, const void *ending)
{
    struct pt_scope *block = (struct pt_scope *)(uintptr_t)ending;

    if (ending == task || block->frame != frame)
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
#define pt_scopes_hold_(task, frame, block) ((void)(task), false)
#define pt_scopes_close_all_(task, frame) ((void)(frame), false)
#define pt_scope_ends_(task, frame, ending) false
#endif

#if PT_HAS_INTERRUPTS_

/* The status of a function that ENDING ends. */
PT_ALWAYS pt_status pt_task_ends_with_(const struct pt_task *task, const void *ending)
{
    if (PT_CANCEL && ending == task)
        return pt_task_reason_(task);
    if (PT_GROUPS && (((const struct pt_scope *)ending)->marks & PT_SCOPE_GROUP_))
        return PT_ECANCELED;
    return PT_ETIMEDOUT;
}

/* Take the next step of an unwinding. Returns whether to resume the frame on top now. */
PT_COLD bool pt_task_unwind_(struct pt_task *task)
{
    const void *ending = pt_task_must_end_(task);
    struct pt *top = pt_task_top_(task);

    if (ending) {
        if (pt_scopes_hold_(task, top, ending))
            return false;
        if (top->label == PT_LABEL_START_)
            return true; /* it ends at its first wait */
        if (!pt_scope_ends_(task, top, ending)) {
            top->result = pt_task_ends_with_(task, ending);
            top->label = PT_LABEL_FINALLY_;
            return true;
        }
    }
    if (!pt_cleaning_of_(top)) /* else something can be due after the cleanup */
        task->state &= (uint8_t)~PT_STATE_INTERRUPTED_;
    return true;
}

/* An INTERRUPTED task is the next one in the batch. Returns whether to resume it now. */
PT_COLD bool pt_task_admit_interrupted_(struct pt_task *task)
{
    bool given = (task->flags & (PT_FLAG_GIVEN_ | PT_FLAG_RELOCKS_)) == PT_FLAG_GIVEN_;

    task->flags &= (uint8_t) ~(PT_FLAG_GIVEN_ | PT_FLAG_USES_GIVEN_ | PT_FLAG_RELOCKS_);
    if (PT_GROUPS && pt_task_top_(task)->label == PT_LABEL_FINALLY_ &&
        pt_scopes_hold_(task, pt_task_top_(task), NULL))
        return false;
    if (given) {
        pt_task_spare_(task);
        return true;
    }
    return pt_task_unwind_(task);
}

#else
#define pt_task_admit_interrupted_(task) ((void)(task), true)
#define pt_task_unwind_(task) true
#endif

#endif
