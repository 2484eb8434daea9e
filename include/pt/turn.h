/* turn.h - the interpreter of the six opcodes, and the turn of the loop
 * SPDX-License-Identifier: MIT */
#ifndef PT_TURN_H
#define PT_TURN_H

#include "wake.h"

#if PT_JOINS
/* Tell everybody who joined, first come, first told: the stack has them the other way round. */
PT_API void pt_loop_wake_joiners_(struct pt_task *task)
{
    struct pt_list order;

    pt_list_init(&order);
    while (task->joiners.first)
        pt_list_push(&order, pt_list_pop(&task->joiners));
    while (order.first) {
        struct pt_task *joiner = pt_task_of(pt_list_pop(&order));

        pt_task_top_(joiner)->status = pt_task_top_(task)->status;
        pt_task_unshelve_(joiner, PT_TASK_LISTED_);
    }
}
#endif

/* The base frame is complete. */
PT_API void pt_loop_end_task_(struct pt_loop *loop, struct pt_task *task)
{
    task->state = 0;
    pt_loop_count_(loop, -1);
#if PT_JOINS
    pt_loop_wake_joiners_(task);
#endif
#if PT_POOLS
    if (task->owner)
        task->owner->release(task->owner, task);
#endif
}

/* Carry out an opcode; whether the task goes on at once. YIELD, the most frequent, does not come
 * this far. */
PT_COLD bool pt_loop_carry_out_(struct pt_loop *loop, struct pt_task *task, pt_op op)
{
    switch (op.code) {
    case PT_OP_DONE: {
#if PT_AWAIT
        struct pt *done = task->top;

        if (done->caller) {
            task->top = done->caller;
            task->top->status = done->status;
            return true;
        }
#endif
        pt_loop_end_task_(loop, task);
        return false;
    }
#if PT_TIMERS != PT_TIMERS_NONE
    case PT_OP_WAIT:
        task->state |= PT_TASK_SLEEPING_;
        pt_timers_add(&loop->timers, &task->node);
        return false;
#endif
    case PT_OP_SPAWN:
        pt_task_top_(task)->status = pt_spawn(loop, (struct pt_task *)task->node.link.operand);
        return true;
#if PT_AWAIT
    case PT_OP_WAIT_COMPLETE: {
        struct pt *frame = (struct pt *)task->node.link.operand;

        frame->caller = task->top;
        task->top = frame;
        return true;
    }
#endif
    default: /* PT_OP_PARK */
        pt_task_shelve_(loop, task, 0);
        if (!(task->state & PT_TASK_LISTED_))
            pt_task_meet_(task, PT_TASK_PARKED_);
        return false;
    }
}

/* From a task's node to the last byte that its resume needs: the base frame's label. */
#define PT_HOT_BEHIND_ \
    (sizeof(struct pt_task) + offsetof(struct pt, label) - offsetof(struct pt_task, node))

/* Run a task to where it has to wait. */
PT_ALWAYS void pt_loop_run_task_(struct pt_loop *loop, struct pt_task *task, pt_time now)
{
    pt_op op;

    (void)now;
#if PT_CENSUS
    loop->current = task;
#endif
    do {
#if PT_TIMERS != PT_TIMERS_NONE
        task->node.at = PT_HOSTED ? now : loop->now; /* a small part has few registers */
#endif
        op = pt_resume_(pt_task_top_(task), task);
        if (PT_LIKELY(op.code == PT_OP_YIELD)) {
            pt_ready_push(&loop->ready, &task->node);
            return;
        }
    } while (pt_loop_carry_out_(loop, task, op));
}

#if PT_TIMERS != PT_TIMERS_NONE
/* Move everybody who is due to the ready queue. What they arm in this turn comes later. */
PT_COLD void pt_loop_expire_(struct pt_loop *loop)
{
    struct pt_node *node;

    while ((node = pt_timers_first(&loop->timers)) && !pt_time_before(loop->now, node->at)) {
        struct pt_task *task = pt_task_of(pt_timers_pop(&loop->timers));

        task->state &= (uint8_t)~PT_TASK_SLEEPING_;
        pt_ready_push(&loop->ready, &task->node);
    }
    pt_timers_rebase(&loop->timers, loop->now);
}

/* When the next turn has something to do: now, at a deadline, or "never". */
PT_SHORT pt_time pt_loop_next_(const struct pt_loop *loop)
{
    const struct pt_node *first = pt_timers_first(&loop->timers);
    pt_time next = loop->now;

    if (pt_loop_idle(loop))
        next = first ? first->at : (pt_time)(next + PT_DELAY_NEVER);
    return next;
}
#endif

/* pt_loop_turn - run what is ready and what is due at NOW, each task once, in order
 * Returns when to call again: NOW itself while somebody is ready; the next deadline; or NOW +
 * PT_DELAY_NEVER when only a wake can help. To be called by then, and not from a task of the
 * same loop. NOW never goes back. Cost: O(1) a task, and a pop from the timer queue for each
 * that is due. Without timers it returns NOW: ask pt_loop_idle. */
PT_API pt_time pt_loop_turn(struct pt_loop *loop, pt_time now)
{
    struct pt_batch batch;
    struct pt_node *node;

#if PT_CENSUS
    PT_ASSERT_(!loop->current, "called from a task of the same loop", "pt_loop_turn");
#endif
#if PT_SLOWMO
    if (PT_UNLIKELY(loop->slow != 0)) {
        if (pt_time_before(now, loop->slow_until))
            return loop->slow_until;
        loop->slow_until = now + loop->slow;
    }
#endif
#if PT_TIMERS != PT_TIMERS_NONE
    loop->now = now;
    if (!PT_HOSTED || pt_timers_first(&loop->timers)) /* a PC saves time, a small part room */
        pt_loop_expire_(loop);
#endif
    batch = pt_ready_begin(&loop->ready);
    while (pt_ready_take(&loop->ready, &batch, &node, PT_HOT_BEHIND_)) {
        struct pt_task *task = pt_task_of(node);

#if PT_PAUSE
        if (PT_UNLIKELY(task->state & PT_TASK_PAUSED_)) {
            pt_task_shelve_(loop, task, PT_TASK_HELD_);
            continue;
        }
#endif
        pt_loop_run_task_(loop, task, now);
    }
#if PT_CENSUS
    loop->current = NULL;
#endif
#if PT_TIMERS == PT_TIMERS_NONE
    return now;
#else
    now = pt_loop_next_(loop);
#if PT_SLOWMO
    if (PT_UNLIKELY(loop->slow != 0) && pt_time_before(now, loop->slow_until))
        now = loop->slow_until;
#endif
    return now;
#endif
}

#if PT_SLOWMO
/* pt_loop_slow - let DELAY ticks pass after each turn, to watch a program; 0: full speed */
PT_API void pt_loop_slow(struct pt_loop *loop, pt_time delay)
{
    if (!loop->slow)
        loop->slow_until = loop->now; /* that of an earlier time may be half the range away */
    loop->slow = delay;
#if PT_NESTING
    if (loop->host)
        pt_loop_rouse_(loop->host);
#endif
}
#endif

#endif
