/* interpreter.h - what the loop does with each of the six opcodes
 * SPDX-License-Identifier: MIT */
#ifndef PT_INTERPRETER_H
#define PT_INTERPRETER_H

#include "remote.h"

#if PT_INSPECT
/* Tell the observers that a task is done. */
PT_COLD void pt_loop_tell_ended_(struct pt_loop *loop, struct pt_task *task)
{
    loop->current = NULL;
    for (struct pt_observer *observer = loop->observer, *next; observer; observer = next) {
        next = observer->next;
        if (observer->ended)
            observer->ended(observer, task);
    }
}
#endif

#if PT_HAS_ENDS_ || PT_CANCEL
/* The base frame is complete, or was never resumed. */
PT_API void pt_loop_end_task_(struct pt_loop *loop, struct pt_task *task)
{
#if PT_JOINS || PT_GROUPS
    pt_status status = pt_task_top_(task)->status;
#endif

    task->state = 0;
    pt_loop_count_(loop, -1);
#if PT_TIMEOUTS
    if (task->flags & PT_TASK_TIMED_)
        pt_task_schedule_(task);
#endif
#if PT_HAS_MEMBERS_
    pt_waits_remove(&task->member);
#endif
#if PT_JOINS
    if (task->joiners.first)
        pt_crowd_serve_(&task->joiners, status, 0);
#endif
#if PT_GROUPS
    if (task->group)
        pt_group_ended_(task->group, task, status);
#endif
#if PT_INSPECT
    if (PT_UNLIKELY(loop->observer != NULL))
        pt_loop_tell_ended_(loop, task);
#endif
#if PT_POOLS
    if (task->owner)
        task->owner->release(task->owner, task);
#endif
}
#endif

#if PT_HAS_ENDS_
/* The frame on top is complete; whether its caller goes on at once. */
PT_API bool pt_loop_complete_(struct pt_loop *loop, struct pt_task *task)
{
#if PT_AWAIT || PT_HAS_SCOPES_
    struct pt *done = pt_task_top_(task);
#endif

#if PT_HAS_SCOPES_
    if (!PT_HOSTED || PT_UNLIKELY(task->scopes != NULL))
        pt_scopes_close_(task, done, NULL);
    if (task->state & PT_TASK_LISTED_) {
        done->cleaning = UINT8_MAX; /* nothing else ends it now */
        return false;
    }
#endif
#if PT_AWAIT
    if (done->caller) {
        task->top = done->caller;
        task->top->status = done->status;
#if PT_HAS_INTERRUPTS_
        if (PT_UNLIKELY(task->state & PT_TASK_INTERRUPTED_) && !(task->flags & PT_TASK_SERVED_))
            return pt_task_unwind_(task);
#endif
        return true;
    }
#endif
    pt_loop_end_task_(loop, task);
    return false;
}

#endif

#if PT_AWAIT
/* A frame runs in the task's place. */
PT_ALWAYS bool pt_task_await_(struct pt_task *task, struct pt *frame)
{
    frame->caller = task->top;
#if PT_HAS_INTERRUPTS_
    frame->cleaning = pt_cleaning_within_(task->top->cleaning);
#endif
    task->top = frame;
    return true;
}
#endif

#if PT_HAS_TIMERS_
/* A task sleeps until the time that its node has. */
PT_ALWAYS void pt_loop_sleep_(struct pt_loop *loop, struct pt_task *task)
{
    task->state |= PT_TASK_SLEEPING_;
#if PT_TIMEOUTS
    (void)loop;
    if (!PT_HOSTED || PT_UNLIKELY(task->scopes != NULL || (task->flags & PT_TASK_TIMED_)))
        pt_task_schedule_(task);
    else /* on a PC a sleep without blocks is quick */
        pt_task_arm_(task, task->node.at);
#else
    pt_timers_add(&loop->timers, pt_task_timer_(task), task->node.at);
#endif
}
#endif

/* A task that yields or parks gives up as many permits as the opcode's number says, and is ready if
 * one is left; in a queue of waiters it keeps them. One that is done, and has nothing to leave, gives
 * up all. */
PT_ALWAYS void pt_loop_charge_(struct pt_loop *loop, struct pt_task *task, pt_op op)
{
    uint_fast8_t state = task->state;

    pt_task_shelve_(loop, task, 0);
    if (state & PT_TASK_LISTED_)
        return;
    if (!PT_HAS_ENDS_ && (op.code & PT_OP_DONE))
        state = (uint_fast8_t)op.code;
    state = (uint_fast8_t)(state - op.code);
    task->state = (uint8_t)state;
    if (state & PT_TASK_READY_)
        pt_ready_push(&loop->ready, &task->node);
}

/* Carry out an opcode; whether the task goes on at once. Where a task has something to leave at its
 * end YIELD, the most frequent, does not come this far, but of a native task that was gone on to. */
PT_COLD bool pt_loop_carry_out_(struct pt_loop *loop, struct pt_task *task, pt_op op)
{
#if PT_AWAIT /* ifs: of five cases a compiler makes a table, which is larger */
    if (op.code == PT_OP_WAIT_COMPLETE)
        return pt_task_await_(task, (struct pt *)task->node.link.operand);
#endif
    if (op.code == PT_OP_SPAWN) {
#if PT_HAS_ENDS_ /* else it cannot fail */
        pt_task_top_(task)->status =
#endif
            pt_spawn(loop, (struct pt_task *)task->node.link.operand);
        return true;
    }
#if PT_HAS_ENDS_
    if (op.code == PT_OP_DONE)
        return pt_loop_complete_(loop, task);
#endif
#if PT_HAS_TIMERS_
    if (op.code == PT_OP_WAIT)
        pt_loop_sleep_(loop, task);
    else
#endif
        pt_loop_charge_(loop, task, op);
#if PT_HAS_INTERRUPTS_
    if (PT_UNLIKELY(task->state & PT_TASK_INTERRUPTED_))
        pt_task_interrupt_(task); /* it came while the task could not be interrupted */
#endif
    return false;
}

#endif
