/* interrupt.h - what ends a task's work from outside, and how its frames are unwound
 * SPDX-License-Identifier: MIT
 *
 *     pt_cancel(&self->worker.task, PT_ECANCELED);
 *     PT_JOIN(&self->worker.task);                 now nothing of it runs any more
 *
 * A cancel ends all of a task, a scope one block. Both only set a bit and, if the task waits,
 * make it ready; the straight path has no check but that bit, in the byte that a turn reads for
 * the sake of pt_pause. When the task's turn comes:
 *
 *     frames that are awaited      leaf    its label becomes PT_FINALLY's; it is resumed, and its
 *     in the block, or all          |      cleanup runs, which may wait as it likes; then the next
 *                                   v
 *     the block's own frame        its label becomes the one behind the block; it is resumed
 *
 * An await is a wait, too: what came meanwhile ends its caller before that goes on. In a cleanup
 * nothing is interrupted but by blocks that the cleanup itself opened. A frame that was never
 * resumed has nothing to clean up and is passed over. */
#ifndef PT_INTERRUPT_H
#define PT_INTERRUPT_H

#include "scope.h"

/* The base frame is complete: turn.h. */
PT_API void pt_loop_end_task_(struct pt_loop *loop, struct pt_task *task);

#if PT_HAS_INTERRUPTS_

/* What ends the task's work now: true, and the block that ends or NULL for all of it. */
PT_COLD bool pt_task_aim_(const struct pt_task *task, struct pt_scope **block)
{
    unsigned depth = pt_depth_(pt_task_top_(task)->cleaning);

    *block = NULL;
#if PT_CANCEL
    if (depth == 0 && (task->flags & PT_TASK_CANCELED_))
        return true;
#endif
#if PT_HAS_SCOPES_
    for (struct pt_scope *scope = task->scopes; scope; scope = scope->outer)
        if ((scope->marks & PT_SCOPE_LATE_) && pt_depth_(scope->depth) == depth)
            *block = scope;
#endif
    return *block != NULL;
}

/* Whether something will end the task's work, now or after a cleanup. */
PT_COLD bool pt_task_threatened_(const struct pt_task *task)
{
#if PT_HAS_SCOPES_
    for (const struct pt_scope *scope = task->scopes; scope; scope = scope->outer)
        if (scope->marks & PT_SCOPE_LATE_)
            return true;
#endif
    return task->flags & PT_TASK_CANCELED_;
}

PT_COLD void pt_task_interrupt_(struct pt_task *task)
{
    const uint8_t queued = PT_TASK_SLEEPING_ | PT_TASK_LISTED_;
    struct pt_scope *block;

    task->state |= PT_TASK_INTERRUPTED_;
    if ((task->state & (queued | PT_TASK_READY_)) == PT_TASK_READY_ || !pt_task_aim_(task, &block))
        return;
#if PT_HAS_WAITS_
    if (task->state & PT_TASK_LISTED_)
        pt_waits_remove(&task->node);
#endif
#if PT_TIMERS != PT_TIMERS_NONE
    if (task->state & PT_TASK_SLEEPING_)
        pt_task_unschedule_(task);
#endif
    if (!(task->state & PT_TASK_READY_))
        task->state++;
    pt_task_unshelve_(task, queued);
}

#if PT_HAS_SCOPES_
#if PT_GROUPS
/* Whether a block is a group with tasks, which it tells to end; TASK is queued up for that: group.h */
PT_COLD bool pt_scope_busy_(struct pt_task *task, struct pt_scope *scope);
#endif

/* Close the blocks of FRAME inside of BLOCK, or all; false: the task waits for tasks of one. */
PT_COLD bool pt_scopes_close_(struct pt_task *task, const struct pt *frame,
                              const struct pt_scope *block)
{
    while (task->scopes && task->scopes != block && task->scopes->frame == frame) {
#if PT_GROUPS
        if (pt_scope_busy_(task, task->scopes))
            return false;
#endif
        pt_scope_unlink_(task, task->scopes);
    }
    return true;
}

/* PT_RETURN leaves the blocks of a frame. */
PT_COLD bool pt_scopes_busy_(struct pt_task *task, const struct pt *frame)
{
    if (pt_scopes_close_(task, frame, NULL))
        return false;
    task->state |= PT_TASK_INTERRUPTED_; /* there may be another block: look again */
    return true;
}

/* The frame on top goes on behind its BLOCK. */
PT_API void pt_scope_end_(struct pt_task *task, struct pt_scope *block)
{
    struct pt *frame = pt_task_top_(task);

    block->marks = (uint8_t)((block->marks & ~PT_SCOPE_LATE_) | PT_SCOPE_FIRED_);
    frame->label = block->label;
    if (block->marks & PT_SCOPE_GROUP_)
        block->state = PT_SCOPE_LEAVING_;
    else
        frame->status = PT_ETIMEDOUT;
}
#endif

/* Take the next step of an unwinding; whether the frame on top is to be resumed now. */
PT_COLD bool pt_task_unwind_(struct pt_task *task)
{
    struct pt_scope *block;

    while (pt_task_aim_(task, &block)) {
        struct pt *top = pt_task_top_(task);

#if PT_HAS_SCOPES_
        if (!pt_scopes_close_(task, top, block))
            return false;
        if (block && block->frame == top) {
            pt_scope_end_(task, block);
            break;
        }
#endif
        top->result = PT_ETIMEDOUT;
#if PT_CANCEL
        if (!block)
            top->result = task->reason;
#endif
#if PT_GROUPS
        if (block && (block->marks & PT_SCOPE_GROUP_))
            top->result = PT_ECANCELED;
#endif
        if (top->label != PT_LABEL_START_) {
            top->label = PT_LABEL_FINALLY_;
            return true;
        }
        pt_end_(top);
#if PT_AWAIT
        if (top->caller) {
            task->top = top->caller;
            task->top->status = top->status;
            continue;
        }
#endif
        pt_loop_end_task_(task->loop, task);
        return false;
    }
    if (!pt_task_threatened_(task))
        task->state &= (uint8_t)~PT_TASK_INTERRUPTED_;
    return true;
}

/* The turn of a task with that bit has come; whether it is to be resumed now. */
PT_COLD bool pt_task_divert_(struct pt_task *task)
{
    bool handed = task->flags & PT_TASK_HANDED_;

    task->flags &= (uint8_t) ~(PT_TASK_HANDED_ | PT_TASK_SERVED_);
    if (handed && pt_task_threatened_(task))
        task->flags |= PT_TASK_SERVED_;
#if PT_HAS_SCOPES_
    if (pt_task_top_(task)->label == PT_LABEL_FINALLY_ &&
        !pt_scopes_close_(task, pt_task_top_(task), NULL))
        return false;
#endif
    return handed || pt_task_unwind_(task);
}

#endif

#if PT_CANCEL

/* pt_cancel - make a task end, with the code REASON; O(1), or as a removal from the timer queue
 * It ends where it waits; where it last waited, if it is ready; at its next wait, if it runs. Each
 * of its functions runs its PT_FINALLY, the innermost first, and whoever joins it gets REASON:
 * PT_ECANCELED, or a code of the program's own. In a cleanup it ends after it; paused it goes on, to
 * end; not started it never starts. What it has been handed, it still gets. Its storage is in use
 * until it is done: PT_JOIN says when.
 * A second cancel, and one of a task that is not alive, have no effect. */
PT_API void pt_cancel(struct pt_task *task, pt_status reason)
{
    if (!pt_task_alive(task) || pt_task_canceled(task))
        return;
    task->flags |= PT_TASK_CANCELED_;
    task->reason = reason;
#if PT_PAUSE
    pt_resume(task);
#endif
    pt_task_interrupt_(task);
}

#if PT_HAS_MEMBERS_
/* pt_loop_cancel - cancel every task of a loop; O(tasks)
 * Those of a group end with its block. It is over when pt_loop_live says 0. */
PT_API void pt_loop_cancel(struct pt_loop *loop, pt_status reason)
{
    for (struct pt_node *member = pt_waits_first(&loop->tasks); member;
         member = pt_waits_next(&loop->tasks, member))
        pt_cancel(pt_task_of_member_(member), reason);
}
#endif

#endif
#endif
