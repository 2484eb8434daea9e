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

/* A task has ended: disarm its timer; wake its joiners; tell its group and the observers. */
PT_ALWAYS void pt_task_unschedule_(struct pt_task *task)
{
    (void)task;
    PT_IF_(PT_TIMEOUTS, if (task->flags & PT_FLAG_TIMED_) pt_task_schedule_(task);)
}

PT_ALWAYS void pt_joiners_wake_(struct pt_task *task, pt_status status)
{
    (void)task;
    (void)status;
    PT_IF_(PT_JOINS, if (task->joiners.first) pt_wait_list_complete_(&task->joiners, status, 0);)
}

PT_ALWAYS void pt_member_ended_(struct pt_task *task, pt_status status)
{
    (void)task;
    (void)status;
    PT_IF_(PT_GROUPS, if (task->group) pt_group_ended_(task->group, task, status);)
}

PT_ALWAYS void pt_observers_ended_(struct pt_loop *loop, struct pt_task *task)
{
    (void)loop;
    (void)task;
    PT_IF_(PT_INSPECT, if (PT_UNLIKELY(loop->observer != NULL)) pt_loop_tell_ended_(loop, task);)
}

#if PT_HAS_ENDS_ || PT_CANCEL
/* End a task: its base frame is complete, or was never resumed. */
PT_API void pt_loop_end_task_(struct pt_loop *loop, struct pt_task *task)
{
    pt_status status = pt_task_top_(task)->status;

    task->state = 0;
    pt_loop_count_(loop, -1);
    pt_task_unschedule_(task);
    PT_IF_(PT_HAS_MEMBERS_, pt_wait_remove_(&task->member);)
    pt_joiners_wake_(task, status);
    pt_member_ended_(task, status);
    pt_observers_ended_(loop, task);
    pt_task_release_(task);
}
#endif

#if PT_HAS_SCOPES_
/* Close the blocks of a complete frame; whether it must wait for the tasks of one. */
PT_ALWAYS bool pt_blocks_close_(struct pt_task *task, struct pt *done)
{
    if (!PT_HOSTED || PT_UNLIKELY(task->scopes != NULL))
        pt_scopes_close_(task, done, NULL);
    if (!(task->state & PT_STATE_QUEUED_))
        return false;
    done->cleaning = UINT8_MAX; /* nothing else ends it now */
    return true;
}
#else
#define pt_blocks_close_(task, done) ((void)(done), false)
#endif

#if PT_AWAIT
/* Put the frame that awaits a complete one on top again; false if there is none. */
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

/* Before the caller of a function continues, let it be ended by an interruption that came while the
 * task could not be interrupted; whether to resume the frame on top now. */
PT_ALWAYS bool pt_task_goes_on_(struct pt_task *task)
{
    (void)task;
    PT_IF_(PT_HAS_INTERRUPTS_,
           if (PT_UNLIKELY(task->state & PT_STATE_INTERRUPTED_) &&
               !(task->flags & PT_FLAG_USES_GIVEN_)) return pt_task_unwind_(task);)
    return true;
}

#if PT_HAS_ENDS_
/* The frame on top is complete; whether its caller continues at once. */
PT_API bool pt_loop_complete_(struct pt_loop *loop, struct pt_task *task)
{
    struct pt *done = pt_task_top_(task);

    if (pt_blocks_close_(task, done))
        return false;
    if (pt_task_return_(task, done))
        return pt_task_goes_on_(task);
    pt_loop_end_task_(loop, task);
    return false;
}
#else
#define pt_loop_complete_(loop, task) false
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

/* Let a task sleep until the time in its node. */
#if PT_TIMEOUTS
PT_ALWAYS void pt_loop_sleep_(struct pt_loop *loop, struct pt_task *task)
{
    (void)loop;
    task->state |= PT_STATE_SLEEPING_;
    if (!PT_HOSTED || PT_UNLIKELY(task->scopes != NULL || (task->flags & PT_FLAG_TIMED_)))
        pt_task_schedule_(task);
    else /* a short cut on a PC: a sleep without blocks */
        pt_task_arm_(task, task->node.at);
}
#elif PT_HAS_TIMERS_
PT_ALWAYS void pt_loop_sleep_(struct pt_loop *loop, struct pt_task *task)
{
    task->state |= PT_STATE_SLEEPING_;
    pt_timers_add_(&loop->timers, pt_task_timer_(task), task->node.at);
}
#else
#define pt_loop_sleep_(loop, task) ((void)(task))
#endif

/* A task that yields or parks loses as many permits as the opcode's number (0 or 1), and is ready
 * if its count is still at least READY. In a wait queue or wait list it keeps its permits. A task
 * that is done, in a build where the end of a task needs no more, loses all. */
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

/* Carry out an opcode; whether the task continues at once. YIELD, the most frequent, gets here only
 * in minimal builds, with observers, or from a native task that was switched to directly. */
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
    if (PT_HAS_ENDS_ && op.code == PT_OP_DONE)
        return pt_loop_complete_(loop, task);
    if (PT_HAS_TIMERS_ && op.code == PT_OP_WAIT)
        pt_loop_sleep_(loop, task);
    else
        pt_loop_park_(loop, task, op);
    pt_task_look_(task); /* for what came while the task could not be interrupted */
    return false;
}

#endif
