/* interpreter.h - resume a task, and carry out the opcode that it returns
 * SPDX-License-Identifier: MIT
 *
 * pt_loop_run_task_, at the end of this file, resumes the frame on top of a task until the task
 * must wait. pt_loop_carry_out_ does what an opcode says (opcode.h lists the operands):
 *
 *     DONE            pt_loop_frame_done_   resume the caller, or end the task (unwind.h)
 *     YIELD, PARK     pt_loop_park_         into the ready queue; or nowhere, until a wake
 *     WAIT            pt_loop_sleep_        arm the task's timer (timer.h)
 *     SPAWN           pt_spawn (wake.h)     the new task is ready; this one goes on
 *     WAIT_COMPLETE   pt_task_await_        another frame is on top; resume it */
#ifndef PT_INTERPRETER_H
#define PT_INTERPRETER_H

#include "remote.h"

#if PT_AWAIT && PT_DEBUG && PT_HAS_MEMBERS_
/* How many tasks of a list to look at, and how many frames of each. To find the list of a
 * member's group takes O(its joiners). */
enum { PT_AWAIT_LOOKS_ = 64 };

/* Whether FRAME is one of the task's frames. */
PT_API bool pt_task_has_frame_(const struct pt_task *task, const struct pt *frame)
{
    const struct pt *at = pt_task_top_(task);

    for (int i = 0; at && at != frame && i < PT_AWAIT_LOOKS_; i++)
        at = pt_caller_of_(at);
    return at == frame;
}

PT_API void pt_await_check_in_(const struct pt_wait_queue_ *tasks, const struct pt *frame)
{
    struct pt_node *node = pt_wait_queue_first_(tasks);

    for (int i = 0; node && i < PT_AWAIT_LOOKS_; i++, node = pt_wait_queue_next_(tasks, node))
        PT_ASSERT_(!pt_task_has_frame_(pt_task_of_member_(node), frame),
                   "the frame runs already, for another task: give each task, and each level of a "
                   "recursion, a frame of its own",
                   "PT_WAIT_COMPLETE");
}

/* TASK awaits FRAME: stop if the frame is one of a task's already. */
PT_API void pt_await_check_(const struct pt_loop *loop, const struct pt_task *task,
                            const struct pt *frame)
{
    PT_ASSERT_(!pt_task_has_frame_(task, frame),
               "the frame runs already, and awaits itself: give each level of a recursion a frame "
               "of its own",
               "PT_WAIT_COMPLETE");
    pt_await_check_in_(&loop->tasks, frame);
    PT_IF_(PT_GROUPS, if (task->flags & PT_FLAG_MEMBER_)
                          pt_await_check_in_(&pt_task_group_(task)->members, frame);)
}
#else
#define pt_await_check_(loop, task, frame) ((void)0)
#endif

#if PT_AWAIT
/* DONE is complete: put the frame that awaits it on top again; false if there is none. */
PT_ALWAYS bool pt_task_return_(struct pt_task *task, const struct pt *done)
{
    struct pt *caller = pt_caller_of_(done);

    if (!caller)
        return false;
    task->top = caller;
    task->top->status = done->status;
    return true;
}

/* Let FRAME run in place of the frame on top. */
PT_ALWAYS bool pt_task_await_(struct pt_task *task, struct pt *frame)
{
    if (!pt_nests_(task->top)) {
        task->top->status = PT_ERANGE;
        return true;
    }
    frame->caller = task->top;
    pt_frame_set_cleaning_(frame, pt_cleaning_within_(task->top));
    task->top = frame;
    return true;
}
#else
#define pt_task_return_(task, done) ((void)(done), false)
#define pt_task_await_(task, frame) ((void)(task), true)
#endif

/* A function is done, and its caller is about to continue. If an interruption came while the task
 * could not be interrupted, it acts now. Returns whether to resume the frame on top now. */
PT_ALWAYS bool pt_task_goes_on_(struct pt_task *task)
{
    if (PT_HAS_INTERRUPTS_ && PT_UNLIKELY(task->state & PT_STATE_INTERRUPTED_) &&
        !(pt_task_flags_(task) & PT_FLAG_USES_GIVEN_))
        return pt_task_unwind_(task);
    return true;
}

/* The frame on top is complete, or a PT_RETURN leaves its blocks. Returns whether the task
 * continues at once: in the frame's PT_FINALLY or in its caller. */
PT_API bool pt_loop_frame_done_(struct pt_loop *loop, struct pt_task *task, pt_op op)
{
    struct pt *done = pt_task_top_(task);

    if (pt_scopes_close_all_(task, done))
        return false;
    if (PT_HAS_SCOPES_ && op.code != PT_OP_DONE)
        return true;
    if (pt_task_return_(task, done))
        return pt_task_goes_on_(task);
    pt_loop_end_task_(loop, task);
    return false;
}

/* YIELD, PARK: the task loses as many permits as the opcode's number (0 or 1), and is ready if at
 * least 2 are left. In a wait queue or wait list it keeps its permits. */
PT_ALWAYS void pt_loop_park_(struct pt_loop *loop, struct pt_task *task, pt_op op)
{
    uint_fast8_t state = task->state;

    pt_task_block_(loop, task, 0);
    if (state & PT_STATE_QUEUED_)
        return;
    if (PT_HAS_READINGS_ && PT_INSPECT)
        pt_node_set_at_(&task->node, pt_loop_now_(loop)); /* since when it is parked */
    state = (uint_fast8_t)(state - op.code);
    task->state = (uint8_t)state;
    if (state & PT_STATE_READY_)
        pt_ready_push_(&loop->ready, &task->node);
}

/* A task is about to wait: check whether something ends its work. */
PT_ALWAYS void pt_task_look_(struct pt_task *task)
{
    if (PT_HAS_INTERRUPTS_ && PT_UNLIKELY(task->state & PT_STATE_INTERRUPTED_))
        pt_task_interrupt_(task);
}

#if PT_HAS_READINGS_
/* A WAIT in a turn that has an old reading of the clock: the delay counts from a new one. */
PT_COLD bool pt_loop_sleep_anew_(struct pt_loop *loop, struct pt_task *task)
{
    pt_time delay = task->node.at - loop->now;

    loop->clock.renew(loop);
    task->node.at = loop->now + delay;
    pt_loop_sleep_(loop, task);
    pt_task_look_(task);
    return false;
}
#endif

/* Carry out an opcode. Returns whether the task continues at once. YIELD, the most frequent, gets
 * here only in minimal builds, with observers, or from a native task that was switched to
 * directly. */
PT_COLD bool pt_loop_carry_out_(struct pt_loop *loop, struct pt_task *task, pt_op op)
{
    void *operand = task->node.link.operand;

    if (PT_AWAIT && op.code == PT_OP_WAIT_COMPLETE) { /* ifs: a jump table of 5 cases is larger */
        pt_await_check_(loop, task, (struct pt *)operand);
        return pt_task_await_(task, (struct pt *)operand);
    }
    if (op.code == PT_OP_SPAWN) {
        pt_status status = pt_spawn(loop, (struct pt_task *)operand);

        if (PT_HAS_ENDS_) /* else it cannot fail */
            pt_task_top_(task)->status = status;
        return true;
    }
    PT_IF_(PT_HAS_READINGS_,
           if (op.code == PT_OP_WAIT &&
               PT_UNLIKELY(loop->clock.renew != NULL)) return pt_loop_sleep_anew_(loop, task);)
    if (op.code >= PT_OP_DONE) /* or PT_OP_LEAVE_ */
        return pt_loop_frame_done_(loop, task, op);
    if (PT_HAS_TIMERS_ && op.code == PT_OP_WAIT)
        pt_loop_sleep_(loop, task);
    else
        pt_loop_park_(loop, task, op);
    pt_task_look_(task); /* for what came while the task could not be interrupted */
    return false;
}

/* --- with observers ------------------------------------------------------------------------ */

/* Resume a body to the end of its step. */
PT_ALWAYS pt_op pt_body_go_on_(struct pt *pt, struct pt_task *task)
{
    pt_op op;

    do
        op = pt_body_resume_(pt, task);
    while (op.code == PT_OP_AGAIN_);
    return op;
}

/* Carry out an opcode of a task that is observed. Returns whether the task continues at once. The
 * observers are told after the task has begun to wait, so that they can end that wait. A DONE can
 * release the task's storage, so they are told before it. If the frame must wait for a group first,
 * they are told of a PARK. */
PT_COLD bool pt_loop_carry_out_watched_(struct pt_loop *loop, struct pt_task *task, pt_op op)
{
    bool goes_on = false;
    struct pt *top = pt_task_top_(task);

    if (op.code == PT_OP_AGAIN_)
        op = pt_body_go_on_(top, task);
    if (op.code == PT_OP_LEAVE_ && !pt_scopes_close_all_(task, top))
        op = pt_body_go_on_(top, task); /* its cleanup is a part of this step */
    if (op.code == PT_OP_LEAVE_ || (op.code == PT_OP_DONE && pt_scopes_close_all_(task, top))) {
        op = pt_op_of_(PT_OP_PARK);
    } else if (op.code == PT_OP_DONE) {
        pt_loop_tell_(loop, task, &op);
        return pt_loop_carry_out_(loop, task, op);
    } else {
        goes_on = pt_loop_carry_out_(loop, task, op);
    }
    if (!goes_on)
        pt_loop_runs_(loop, NULL);
    pt_loop_tell_(loop, task, &op);
    return goes_on;
}

/* --- a resume ------------------------------------------------------------------------------ */

/* The task that returned the opcode: a native task can switch to another one (native_body.h). */
#if PT_HAS_DIRECT_
PT_ALWAYS struct pt_task *pt_loop_resumed_(struct pt_loop *loop, struct pt_batch_ *batch,
                                           struct pt_task *task, pt_op *op)
{
    if (PT_LIKELY(!(op->code & PT_OP_OF_CURRENT_)))
        return task;
    op->code ^= PT_OP_OF_CURRENT_;
    *batch = pt_ready_tail_(&loop->ready);
    return loop->current;
}
#else
#define pt_loop_resumed_(loop, batch, task, op) (task)
#endif

#if PT_HOSTED && PT_AWAIT
/* The usual awaits and ends, without a call: of a task that has no blocks and is not
 * interrupted; and AGAIN_. Returns whether it is one; then *MORE tells whether the task
 * continues at once. */
PT_ALWAYS bool pt_loop_calls_(struct pt_loop *loop, struct pt_task *task, pt_op op, bool *more)
{
    if (op.code == PT_OP_WAIT_COMPLETE) {
        pt_await_check_(loop, task, (struct pt *)task->node.link.operand);
        *more = pt_task_await_(task, (struct pt *)task->node.link.operand);
        return true;
    }
    if (op.code != PT_OP_DONE || (task->state & PT_STATE_INTERRUPTED_) || pt_task_scopes_(task)) {
        *more = op.code == PT_OP_AGAIN_;
        return *more;
    }
    *more = pt_task_return_(task, task->top);
    if (!*more)
        pt_loop_end_task_(loop, task);
    return true;
}
#else
#define pt_loop_calls_(loop, task, op, more) ((void)(more), false)
#endif

/* From a task's node to the end of what its resume needs: the base frame, and the first field of
 * the user. On a PC these are less than 72 bytes, so that no line between the two is missed. */
#define PT_HOT_BEHIND_                                                 \
    (sizeof(struct pt_task) + sizeof(struct pt) + sizeof(void *) - 1 - \
     offsetof(struct pt_task, node))

/* Run a task until it must wait. WATCHED is a constant: whether observers are told. */
PT_ALWAYS void pt_loop_run_task_(struct pt_loop *loop, struct pt_batch_ *batch,
                                 struct pt_task *task, bool watched)
{
    struct pt_node *node = &task->node;
    bool more = false;
    pt_op op;

    PT_OPAQUE_(node); /* keep it in a register, and do not compute it again */
    pt_loop_runs_(loop, task);
    do {
        if (watched) /* metrics.h keeps a time in node.at until here */
            pt_loop_tell_(loop, task, NULL);
        PT_IF_(PT_HAS_TIME_IN_NODE_, task->node.at = loop->now;)
        pt_task_set_since_(task, pt_loop_now_(loop));
        op = pt_body_resume_(pt_task_top_(task), task);
        if (PT_HAS_ENDS_ && !watched && PT_LIKELY(op.code == PT_OP_YIELD)) {
            pt_ready_push_(&loop->ready, node);
            return;
        }
        if (PT_HOSTED && PT_HAS_WAIT_QUEUES_ && !watched && op.code == PT_OP_PARK &&
            (task->state & (PT_STATE_QUEUED_ | PT_STATE_INTERRUPTED_)) == PT_STATE_QUEUED_)
            return; /* the next most frequent: the task is in its queue already */
        if (watched || op.code >= PT_OP_WAIT_COMPLETE) { /* else it is not of another task */
            if (!watched && pt_loop_calls_(loop, task, op, &more))
                continue;
            task = pt_loop_resumed_(loop, batch, task, &op);
            node = &task->node;
        }
        more = watched ? pt_loop_carry_out_watched_(loop, task, op)
                       : pt_loop_carry_out_(loop, task, op);
    } while (more);
}

#endif
