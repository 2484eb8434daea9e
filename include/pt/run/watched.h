/* watched.h - the batch of a turn that observers see
 * SPDX-License-Identifier: MIT
 *
 * As in interpreter.h; before each task an observer can choose which one it is, and before and
 * after each step the observers are told (observer.h). */
#ifndef PT_WATCHED_H
#define PT_WATCHED_H

#include "interpreter.h"

/* Resume a body to the end of its step. */
PT_ALWAYS pt_op pt_body_finish_step_(struct pt *pt, struct pt_task *task)
{
    pt_op op;

    do
        op = pt_body_resume_(pt, task);
    while (op.code == PT_OP_AGAIN_); /* pt-bounds: loop blocks */
    return op;
}

/* A flag in an opcode: it is the opcode of the current task, not of the one that was resumed. The
 * resumed task has switched to the current one directly: native_body.h. */
enum { PT_OP_OF_CURRENT_ = 0x80 };

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

#if PT_INSPECT

/* Carry out an opcode of a task that is observed. Returns whether the task continues at once. The
 * observers are told after the task has begun to wait, so that they can end that wait. A DONE can
 * release the task's storage, so they are told before it. If the frame must wait for a group first,
 * they are told of a PARK. */
PT_COLD bool pt_loop_carry_out_watched_(struct pt_loop *loop, struct pt_task *task, pt_op op)
{
    bool more = false;
    struct pt *top = pt_task_top_(task);

    if (op.code == PT_OP_AGAIN_)
        op = pt_body_finish_step_(top, task);
    if (op.code == PT_OP_LEAVE_ && !pt_scopes_close_all_(task, top))
        op = pt_body_finish_step_(top, task); /* its cleanup is a part of this step */
    if (op.code == PT_OP_LEAVE_ || (op.code == PT_OP_DONE && pt_scopes_close_all_(task, top))) {
        op = pt_op_of_(PT_OP_PARK);
    } else if (op.code == PT_OP_DONE) {
        pt_loop_tell_(loop, task, &op);
        return pt_loop_carry_out_(loop, task, op);
    } else {
        more = pt_loop_carry_out_(loop, task, op);
    }
    if (!more)
        pt_census_set_current_(loop, NULL);
    pt_loop_tell_(loop, task, &op);
    return more;
}

/* pt_loop_run_task_, and tell the observers of each step. */
PT_ALWAYS void pt_loop_run_task_watched_(struct pt_loop *loop, struct pt_batch_ *batch,
                                         struct pt_task *task)
{
    pt_op op;

    pt_census_set_current_(loop, task);
    do {
        pt_loop_tell_(loop, task, NULL); /* metrics.h keeps a time in node.at until here */
        pt_task_begin_step_(loop, task);
        op = pt_body_resume_(pt_task_top_(task), task);
        task = pt_loop_resumed_(loop, batch, task, &op);
    } while (pt_loop_carry_out_watched_(loop, task, op)); /* pt-bounds: loop steps */
}

/* pt_loop_run_batch_, and let an observer choose each task. */
PT_COLD void pt_loop_run_batch_watched_(struct pt_loop *loop)
{
    struct pt_batch_ batch = pt_ready_begin_(&loop->ready);
    struct pt_node *node;

    pt_loop_pick_(loop, &batch);
    /* pt-bounds: loop ready */
    for (; pt_loop_take_(loop, &batch, &node); pt_loop_pick_(loop, &batch))
        if (pt_task_runs_(loop, pt_task_of(node)))
            pt_loop_run_task_watched_(loop, &batch, pt_task_of(node));
    pt_loop_tell_turned_(loop);
}

#else
#define pt_loop_run_batch_watched_(loop) ((void)0)
#endif
#endif
