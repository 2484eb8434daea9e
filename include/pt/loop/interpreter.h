/* interpreter.h - what the loop does with each of the six opcodes
 * SPDX-License-Identifier: MIT
 *
 * A turn resumes the frame on top of a task and passes the opcode that it returns to
 * pt_loop_carry_out_, at the end of this file. If that returns true, the task continues at once:
 * the turn resumes the frame that is on top now. opcode.h lists the opcodes and their operands. */
#ifndef PT_INTERPRETER_H
#define PT_INTERPRETER_H

#include "remote.h"

#if PT_HAS_SCOPES_
/* Close the blocks of a frame that is complete, or that a PT_RETURN leaves. Returns whether the
 * task must first wait for the tasks of a group. */
PT_ALWAYS bool pt_blocks_close_(struct pt_task *task, struct pt *frame)
{
    if (!PT_HOSTED || PT_UNLIKELY(task->scopes != NULL))
        pt_scopes_close_(task, frame, NULL);
    if (!PT_GROUPS || !(task->state & PT_STATE_QUEUED_))
        return false;
    task->state |= PT_STATE_INTERRUPTED_; /* there can be another block: look again */
    frame->cleaning |= 1;                 /* nothing else ends it now */
    if (frame->label == PT_LABEL_DONE_)
        frame->cleaning = UINT8_MAX;
    return true;
}
#else
#define pt_blocks_close_(task, frame) ((void)(frame), false)
#endif

#if PT_AWAIT
/* DONE is complete: put the frame that awaits it on top again; false if there is none. */
PT_ALWAYS bool pt_task_return_(struct pt_task *task, const struct pt *done)
{
    if (!done->caller)
        return false;
    task->top = done->caller;
    task->top->status = done->status;
    return true;
}
#else
#define pt_task_return_(task, done) ((void)(done), false)
#endif

/* A function is done, and its caller is about to continue. If an interruption came while the task
 * could not be interrupted, it acts now. Returns whether to resume the frame on top now. */
PT_ALWAYS bool pt_task_goes_on_(struct pt_task *task)
{
    (void)task;
    PT_IF_(PT_HAS_INTERRUPTS_,
           if (PT_UNLIKELY(task->state & PT_STATE_INTERRUPTED_) &&
               !(task->flags & PT_FLAG_USES_GIVEN_)) return pt_task_unwind_(task);)
    return true;
}

#if PT_HAS_ENDS_
/* The frame on top is complete, or a PT_RETURN leaves its blocks. Returns whether the task
 * continues at once: in the frame's PT_FINALLY or in its caller. */
PT_API bool pt_loop_complete_(struct pt_loop *loop, struct pt_task *task, pt_op op)
{
    struct pt *done = pt_task_top_(task);

    if (pt_blocks_close_(task, done))
        return false;
    if (PT_HAS_SCOPES_ && op.code != PT_OP_DONE)
        return true;
    if (pt_task_return_(task, done))
        return pt_task_goes_on_(task);
    pt_loop_end_task_(loop, task);
    return false;
}
#else
#define pt_loop_complete_(loop, task, op) false
#endif

/* Let FRAME run in place of the frame on top. */
#if PT_AWAIT
PT_ALWAYS bool pt_task_await_(struct pt_task *task, struct pt *frame)
{
    frame->caller = task->top;
    PT_IF_(PT_HAS_INTERRUPTS_, frame->cleaning = pt_cleaning_within_(task->top->cleaning);)
    task->top = frame;
    return true;
}
#else
#define pt_task_await_(task, frame) ((void)(task), true)
#endif

/* A task that yields or parks loses as many permits as the opcode's number (0 or 1), and is ready
 * if at least 2 are left. In a wait queue or wait list it keeps its permits. DONE gets here only
 * without PT_HAS_ENDS_: then the task loses all permits. */
PT_ALWAYS void pt_loop_park_(struct pt_loop *loop, struct pt_task *task, pt_op op)
{
    uint_fast8_t state = task->state;

    pt_task_block_(loop, task, 0);
    if (state & PT_STATE_QUEUED_)
        return;
    if (!PT_HAS_ENDS_ && (op.code & PT_OP_DONE))
        state = (uint_fast8_t)op.code;
    state = (uint_fast8_t)(state - op.code);
    task->state = (uint8_t)state;
    if (state & PT_STATE_READY_)
        pt_ready_push_(&loop->ready, &task->node);
}

/* A task is about to wait: check whether something ends its work. */
PT_ALWAYS void pt_task_look_(struct pt_task *task)
{
    (void)task;
    PT_IF_(PT_HAS_INTERRUPTS_,
           if (PT_UNLIKELY(task->state & PT_STATE_INTERRUPTED_)) pt_task_interrupt_(task);)
}

/* Carry out an opcode. Returns whether the task continues at once. YIELD, the most frequent, gets
 * here only in minimal builds, with observers, or from a native task that was switched to
 * directly. */
PT_COLD bool pt_loop_carry_out_(struct pt_loop *loop, struct pt_task *task, pt_op op)
{
    void *operand = task->node.link.operand;

    if (PT_AWAIT && op.code == PT_OP_WAIT_COMPLETE) /* ifs: a jump table of five cases is larger */
        return pt_task_await_(task, (struct pt *)operand);
    if (op.code == PT_OP_SPAWN) {
        pt_status status = pt_spawn(loop, (struct pt_task *)operand);

        if (PT_HAS_ENDS_) /* else it cannot fail */
            pt_task_top_(task)->status = status;
        return true;
    }
    if (PT_HAS_ENDS_ && (op.code & PT_OP_DONE)) /* or PT_OP_LEAVE_ */
        return pt_loop_complete_(loop, task, op);
    if (PT_HAS_TIMERS_ && op.code == PT_OP_WAIT)
        pt_loop_sleep_(loop, task);
    else
        pt_loop_park_(loop, task, op);
    pt_task_look_(task); /* for what came while the task could not be interrupted */
    return false;
}

#endif
