/* turn.h - a turn of the loop: carry out the posts, wake the tasks that are due, run one batch
 * SPDX-License-Identifier: MIT
 *
 *     next = pt_loop_turn(&loop, now);
 *
 * loop.h shows this call in its loop. In a turn:
 *
 *     pt_loop_drain_       the posts: the callbacks of remotes run
 *     pt_loop_wake_due_    the timers that are due: sleeps and blocks end
 *     pt_loop_run_ready_   the batch: each task runs until it yields or waits
 *
 * What a user calls (pt_loop_turn, pt_loop_update, pt_loop_slow) is at the end of this file. */
#ifndef PT_TURN_H
#define PT_TURN_H

#include "interpreter.h"

#if PT_INSPECT
/* Tell the observers that a task is about to be resumed (OP is NULL), or has returned OP. */
PT_COLD void pt_loop_tell_(struct pt_loop *loop, struct pt_task *task, const pt_op *op)
{
    for (struct pt_observer *observer = loop->observer, *next; observer; observer = next) {
        next = observer->next; /* it may take itself out */
        if (!op && observer->resumes)
            observer->resumes(observer, task);
        if (op && observer->returned)
            observer->returned(observer, task, (enum pt_opcode)op->code);
    }
}

/* Carry out an opcode of a task that is observed. Returns whether the task continues at once. The
 * observers are told after the task has begun to wait, so that they can end that wait. A DONE can
 * release the task's storage, so they are told before it. If the frame must wait for a group first,
 * they are told of a PARK. */
PT_COLD bool pt_loop_carry_out_watched_(struct pt_loop *loop, struct pt_task *task, pt_op op)
{
    bool goes_on = false;
    struct pt *top = pt_task_top_(task);

    if (op.code == PT_OP_LEAVE_ && !pt_blocks_close_(task, top))
        op = pt_body_resume_(top, task); /* its cleanup is a part of this step */
    if (op.code == PT_OP_LEAVE_ || (op.code == PT_OP_DONE && pt_blocks_close_(task, top))) {
        op = pt_op_of_(PT_OP_PARK);
    } else if (op.code == PT_OP_DONE) {
        pt_loop_tell_(loop, task, &op);
        return pt_loop_carry_out_(loop, task, op);
    } else {
        goes_on = pt_loop_carry_out_(loop, task, op);
    }
    if (!goes_on)
        loop->current = NULL;
    pt_loop_tell_(loop, task, &op);
    return goes_on;
}

/* Let an observer choose the task of the batch that runs next. */
PT_COLD void pt_loop_pick_(struct pt_loop *loop, struct pt_batch_ *batch)
{
    struct pt_observer *observer = loop->observer;
    struct pt_choice choice;

    loop->current = NULL;
    choice.count = pt_ready_left_(&loop->ready, batch);
    choice.ready = &loop->ready;
    choice.batch = batch;
    while (observer && !observer->pick)
        observer = observer->next;
    if (observer && choice.count)
        pt_ready_promote_(&loop->ready, batch, observer->pick(observer, &choice));
}

/* Whether the loop has observers. */
PT_ALWAYS bool pt_loop_watched_(const struct pt_loop *loop)
{
    return PT_UNLIKELY(loop->observer != NULL);
}
#else
#define pt_loop_tell_(loop, task, op) ((void)0)
#define pt_loop_carry_out_watched_(loop, task, op) false
#define pt_loop_pick_(loop, batch) ((void)0)
#define pt_loop_run_watched_(loop) ((void)0)
#define pt_loop_watched_(loop) false
#endif

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

/* From a task's node to the last field that its resume needs: the base frame's label. */
#define PT_HOT_BEHIND_ \
    (sizeof(struct pt_task) + offsetof(struct pt, label) - offsetof(struct pt_task, node))

/* Run a task until it must wait. WATCHED is a constant: whether observers are told. */
PT_ALWAYS void pt_loop_run_task_(struct pt_loop *loop, struct pt_batch_ *batch,
                                 struct pt_task *task, bool watched)
{
    struct pt_node *node = &task->node;
    pt_op op;

    PT_OPAQUE_(node); /* keep it in a register, and do not compute it again */
    pt_loop_runs_(loop, task);
    do {
        PT_IF_(PT_HAS_TIMERS_, task->node.at = loop->now;)
        if (watched)
            pt_loop_tell_(loop, task, NULL);
        op = pt_body_resume_(pt_task_top_(task), task);
        if (PT_HAS_ENDS_ && !watched && PT_LIKELY(op.code == PT_OP_YIELD)) {
            pt_ready_push_(&loop->ready, node);
            return;
        }
        task = pt_loop_resumed_(loop, batch, task, &op);
        node = &task->node;
        if (PT_HOSTED && PT_HAS_WAIT_QUEUES_ && !watched && op.code == PT_OP_PARK &&
            (task->state & (PT_STATE_QUEUED_ | PT_STATE_INTERRUPTED_)) == PT_STATE_QUEUED_)
            return; /* the next most frequent: the task is in its queue already */
    } while (watched ? pt_loop_carry_out_watched_(loop, task, op)
                     : pt_loop_carry_out_(loop, task, op));
    (void)batch;
}

/* A task's entry for the time AT has left the timer queue. False if this only ends a sleep: then
 * the caller makes the task ready. Otherwise everything is done here. */
#if PT_TIMEOUTS
PT_ALWAYS bool pt_loop_expired_(const struct pt_loop *loop, struct pt_task *task, pt_time at)
{
    task->flags &= (uint8_t)~PT_FLAG_TIMED_;
    if (PT_HOSTED &&
        PT_LIKELY(!task->scopes && !pt_time_before(loop->now, task->node.at) &&
                  (task->state & (PT_STATE_SLEEPING_ | PT_STATE_QUEUED_)) == PT_STATE_SLEEPING_))
        return false;
    pt_task_expire_(task, at);
    return true;
}
#elif PT_SELECTS
PT_ALWAYS bool pt_loop_expired_(const struct pt_loop *loop, struct pt_task *task, pt_time at)
{
    (void)loop;
    (void)at;
    if (PT_LIKELY(!(task->state & PT_STATE_QUEUED_)))
        return false;
    pt_task_awake_(task);
    return true;
}
#else
#define pt_loop_expired_(loop, task, at) false
#endif

#if PT_HAS_TIMERS_
/* Move all tasks that are due to the ready queue. A sleep that they begin in this turn ends in a
 * later one. */
PT_COLD void pt_loop_expire_(struct pt_loop *loop)
{
    pt_timer_ *first;

    while ((first = pt_timers_first_(&loop->timers)) != NULL) {
        struct pt_task *task = pt_task_of_timer_(first);
        pt_time at = pt_timers_at_(&loop->timers, first);

        if (pt_time_before(loop->now, at))
            break;
        pt_timers_pop_(&loop->timers);
        if (pt_loop_expired_(loop, task, at))
            continue;
        task->state &= (uint8_t)~PT_STATE_SLEEPING_;
        pt_ready_push_(&loop->ready, &task->node);
    }
    pt_timers_rebase_(&loop->timers, loop->now);
}

/* Make ready the tasks that are due at the time of the turn. */
PT_ALWAYS void pt_loop_wake_due_(struct pt_loop *loop)
{
    if (!PT_HOSTED || pt_timers_first_(&loop->timers)) /* faster on a PC, smaller elsewhere */
        pt_loop_expire_(loop);
    else
        pt_timers_rebase_(&loop->timers, loop->now); /* a nested loop's epoch can be later */
}

/* When the next turn has work: now, at a deadline, or "never". */
PT_SHORT pt_time pt_loop_next_(const struct pt_loop *loop)
{
    const pt_timer_ *first = pt_timers_first_(&loop->timers);
    pt_time next = loop->now;

    if (pt_loop_idle(loop))
        next = first ? pt_timers_at_(&loop->timers, first) : (pt_time)(next + PT_DELAY_NEVER);
    return next;
}
#define pt_loop_next_from_(loop, now) pt_loop_next_(loop)
#else
#define pt_loop_wake_due_(loop) ((void)0)
#define pt_loop_next_from_(loop, now) \
    (pt_loop_idle(loop) ? (pt_time)((now) + PT_DELAY_NEVER) : (now))
#endif

/* Slow motion. pt_loop_slows_: whether the delay after the last turn still runs.
 * pt_loop_slowed_: the time of the next turn; without slow motion, NEXT. */
#if PT_SLOWMO
PT_ALWAYS bool pt_loop_slows_(struct pt_loop *loop)
{
    if (PT_LIKELY(loop->slow == 0))
        return false;
    /* The end is ahead by at most the delay; if it seems further ahead, it is long past. */
    if ((pt_time)(loop->slow_until - loop->now - 1) < loop->slow)
        return true;
    loop->slow_until = loop->now + loop->slow;
    return false;
}

PT_ALWAYS pt_time pt_loop_slowed_(const struct pt_loop *loop, pt_time next)
{
    if (PT_UNLIKELY(loop->slow != 0) && pt_time_before(loop->now, loop->slow_until) &&
        pt_time_before(next, loop->slow_until))
        next = loop->slow_until; /* unless pt_loop_update has moved the time past it */
    return next;
}
#else
#define pt_loop_slowed_(loop, next) (next)
#endif

/* A paused or interrupted task is next in the batch: hold it, or take the next step of its end.
 * Returns whether it runs in this turn. */
#if PT_PAUSE || PT_HAS_INTERRUPTS_
PT_COLD bool pt_loop_admit_(struct pt_loop *loop, struct pt_task *task)
{
    pt_loop_runs_(loop, NULL); /* the task can end here */
    if (!(task->state & PT_STATE_PAUSED_))
        return pt_task_divert_(task);
    pt_task_block_(loop, task, PT_STATE_HELD_);
    return false;
}
#else
#define pt_loop_admit_(loop, task) true
#endif

/* Run all tasks that are ready. */
PT_ALWAYS void pt_loop_run_ready_(struct pt_loop *loop, bool watched)
{
    struct pt_batch_ batch = pt_ready_begin_(&loop->ready);
    struct pt_node *node;

    for (;;) {
        struct pt_task *task;

        if (watched)
            pt_loop_pick_(loop, &batch);
        if (!pt_ready_take_(&loop->ready, &batch, &node, PT_HOT_BEHIND_))
            break;
        task = pt_task_of(node);
        if (PT_UNLIKELY(task->state & (PT_STATE_PAUSED_ | PT_STATE_INTERRUPTED_)) &&
            !pt_loop_admit_(loop, task))
            continue;
        pt_loop_run_task_(loop, &batch, task, watched);
    }
}

#if PT_INSPECT
PT_COLD void pt_loop_run_watched_(struct pt_loop *loop)
{
    pt_loop_run_ready_(loop, true);
    for (struct pt_observer *observer = loop->observer, *next; observer; observer = next) {
        next = observer->next;
        if (observer->turned)
            observer->turned(observer, loop);
    }
}
#endif

/* Carry out the posts. */
#if PT_REMOTE
PT_ALWAYS void pt_loop_drain_(struct pt_loop *loop)
{
    if (PT_LIKELY(!pt_loop_posted(loop)))
        return;
    PT_IF_(PT_NESTING,
           PT_ASSERT_(!loop->host, "a remote of a nested loop: open it for the outermost loop",
                      "pt_remote_open");)
    pt_loop_receive_(loop);
}
#else
#define pt_loop_drain_(loop) ((void)0)
#endif

/* pt_loop_turn - run what is ready and what is due at NOW, each task once, in order
 * Returns when to call it again, at the latest: NOW while a task is ready; else the next deadline;
 * or NOW + PT_DELAY_NEVER if only a wake can make a task ready. If pt_loop_update moved the time,
 * the result counts from loop->now. NOW must never go back. Do not call this in a task of the same
 * loop. Cost: O(1) for each task, and a pop from the timer queue for each task that is due. Without
 * timers, NOW is only what the result counts from. */
PT_API pt_time pt_loop_turn(struct pt_loop *loop, pt_time now)
{
    PT_IF_(PT_CENSUS,
           PT_ASSERT_(!loop->current, "called from a task of the same loop", "pt_loop_turn");)
    PT_IF_(PT_HAS_TIMERS_, loop->now = now;)
    pt_loop_drain_(loop); /* also between two slow turns: a loop that has posts does not sleep */
    PT_IF_(PT_SLOWMO, if (pt_loop_slows_(loop)) return loop->slow_until;)
    pt_loop_wake_due_(loop);
    if (pt_loop_watched_(loop))
        pt_loop_run_watched_(loop);
    else
        pt_loop_run_ready_(loop, false);
    pt_loop_runs_(loop, NULL);
    return pt_loop_slowed_(loop, pt_loop_next_from_(loop, now));
}

#if PT_HAS_TIMERS_ && PT_CENSUS
/* The loop in which a nested loop runs, or NULL. */
PT_ALWAYS struct pt_loop *pt_loop_outer_(const struct pt_loop *loop)
{
    (void)loop;
    PT_IF_(PT_NESTING, if (loop->host) return loop->host->loop;)
    return NULL;
}

PT_API void pt_loop_move_on_(struct pt_loop *loop, pt_time now)
{
    if (!pt_time_before(loop->now, now))
        return;
    loop->now = now;
    if (loop->current)
        loop->current->node.at = now;
    pt_loop_expire_(loop); /* due timers leave the queue before a task arms a new one */
}

/* pt_loop_update - in a task, after a step that took long: set the loop's time to NOW
 * A delay counts from the time at which the turn began. Without this call after a long step, the
 * next PT_WAIT of the task, and of the tasks after it, would end too early. Tasks that are due by
 * NOW become ready for the next turn. No effect if NOW is not later than the loop's time. A
 * remote's callback and an observer may call it too. The loops around a nested loop get the same
 * time; the loops inside it get theirs at their next turns. */
PT_API void pt_loop_update(struct pt_loop *loop, pt_time now)
{
    for (; loop; loop = pt_loop_outer_(loop))
        pt_loop_move_on_(loop, now);
}
#endif

#if PT_SLOWMO
/* pt_loop_slow - let DELAY ticks pass after each turn, to watch a program; 0: full speed
 * A DELAY over PT_DELAY_MAX counts as PT_DELAY_MAX. */
PT_API void pt_loop_slow(struct pt_loop *loop, uint64_t delay)
{
    pt_time ticks = delay > PT_DELAY_MAX ? PT_DELAY_MAX : (pt_time)delay;

    if (!loop->slow)
        loop->slow_until = loop->now; /* an old value can be half the range away */
    if (pt_time_before((pt_time)(loop->now + ticks), loop->slow_until))
        loop->slow_until = (pt_time)(loop->now + ticks); /* it was for a longer delay */
    loop->slow = ticks;
    pt_host_wake_(loop);
}
#endif

#endif
