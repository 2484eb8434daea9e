/* interpreter.h - resume a task, and carry out the opcode that it returns
 * SPDX-License-Identifier: MIT
 *
 * pt_loop_run_task_ resumes the frame on top of a task until the task must wait. pt_loop_carry_out_
 * does what an opcode says (frame.h lists the operands):
 *
 *     DONE            pt_loop_frame_done_   resume the caller, or end the task (unwind.h)
 *     YIELD, PARK     pt_loop_park_         into the ready queue; or nowhere, until a wake
 *     WAIT            pt_loop_sleep_        arm its timer (timer.h); on a port, later (sleepers.h)
 *     SPAWN           pt_spawn (wake.h)     the new task is ready; this one goes on
 *     WAIT_COMPLETE   pt_task_await_        another frame is on top (await.h); resume it
 *
 * A PC does the most frequent of this with fewer calls: fast.h. */
#ifndef PT_INTERPRETER_H
#define PT_INTERPRETER_H

#include "urgent.h"

/* --- an opcode ------------------------------------------------------------------------------ */

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
        return pt_task_resumes_caller_(task);
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
    if (PT_HAS_CLOCK_ && PT_INSPECT)
        pt_node_set_at_(&task->node, pt_loop_now_(loop)); /* since when it is parked */
    state = (uint_fast8_t)(state - op.code);
    task->state = (uint8_t)state;
    if (state & PT_STATE_READY_)
        pt_ready_push_(&loop->ready, &task->node);
}

/* A task is about to wait: an interruption that came while nothing could end its work acts now. */
PT_ALWAYS void pt_task_heed_(struct pt_task *task)
{
    if (PT_HAS_INTERRUPTS_ && PT_UNLIKELY(task->state & PT_STATE_INTERRUPTED_))
        pt_task_interrupt_(task);
}

/* Carry out an opcode. Returns whether the task continues at once. */
PT_COLD bool pt_loop_carry_out_(struct pt_loop *loop, struct pt_task *task, pt_op op)
{
    void *operand = task->node.link.operand;

    if (PT_AWAIT && op.code == PT_OP_WAIT_COMPLETE) /* ifs: a jump table of 5 cases is larger */
        return pt_task_await_(task, (struct pt *)operand);
    if (op.code == PT_OP_SPAWN) {
        pt_status status = pt_spawn(loop, (struct pt_task *)operand);

        if (PT_HAS_ENDS_) /* else it cannot fail */
            pt_task_top_(task)->status = status;
        return true;
    }
    if (op.code >= PT_OP_DONE) /* or PT_OP_LEAVE_ */
        return pt_loop_frame_done_(loop, task, op);
    if (PT_HAS_TIMERS_ && op.code == PT_OP_WAIT)
        pt_loop_sleep_(loop, task);
    else
        pt_loop_park_(loop, task, op);
    pt_task_heed_(task);
    return false;
}

/* --- a task --------------------------------------------------------------------------------- */

/* A step begins: note the time for the body, and for those who inspect the task. */
PT_ALWAYS void pt_task_begin_step_(const struct pt_loop *loop, struct pt_task *task)
{
    PT_IF_(PT_HAS_TIME_IN_NODE_, task->node.at = loop->now;)
    pt_task_set_since_(task, pt_loop_now_(loop));
}

/* Run a task until it must wait. */
PT_ALWAYS void pt_loop_run_task_(struct pt_loop *loop, struct pt_task *task)
{
    pt_op op;

    pt_census_set_current_(loop, task);
    do {
        pt_task_begin_step_(loop, task);
        op = pt_body_resume_(pt_task_top_(task), task);
        if (PT_HAS_ENDS_ && PT_LIKELY(op.code == PT_OP_YIELD)) { /* the most frequent one */
            pt_ready_push_(&loop->ready, &task->node);
            return;
        }
    } while (pt_loop_carry_out_(loop, task, op)); /* pt-bounds: loop steps */
}

/* --- a batch -------------------------------------------------------------------------------- */

/* A paused or interrupted task is next in the batch: hold it, or take the next step of its end.
 * Returns whether it runs in this turn. */
PT_COLD bool pt_loop_admit_(struct pt_loop *loop, struct pt_task *task)
{
    pt_census_set_current_(loop, NULL); /* the task can end here */
    if (!(task->state & PT_STATE_PAUSED_))
        return pt_task_admit_interrupted_(task);
    pt_task_block_(loop, task, PT_STATE_HELD_);
    pt_loop_tell_blocked_(loop, task);
    return false;
}

/* Whether a task that was taken from the batch runs in this turn. */
PT_ALWAYS bool pt_task_runs_(struct pt_loop *loop, struct pt_task *task)
{
    return PT_LIKELY(!(task->state & (PT_STATE_PAUSED_ | PT_STATE_INTERRUPTED_))) ||
           pt_loop_admit_(loop, task);
}

/* Run each task that is ready now, once, in order. */
PT_ALWAYS void pt_loop_run_batch_(struct pt_loop *loop)
{
    struct pt_batch_ batch = pt_ready_begin_(&loop->ready);
    struct pt_node *node;

    while (pt_loop_take_(loop, &batch, &node)) /* pt-bounds: loop ready */
        if (pt_task_runs_(loop, pt_task_of(node)))
            pt_loop_run_task_(loop, pt_task_of(node));
}

#endif
