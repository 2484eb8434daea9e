/* fast.h - the shortcuts of a PC, which take the place of plain forms
 * SPDX-License-Identifier: MIT
 *
 *     pt_body_spawns_       PT_SPAWN by a call, without a return to the loop
 *     pt_fast_run_task_     pt_loop_run_task_ (interpreter.h), which does the usual opcodes itself
 *     pt_fast_end_task_     pt_loop_end_task_ (unwind.h), with one joiner at most
 *     pt_fast_run_batch_    pt_loop_run_batch_ (interpreter.h), which can prefetch
 *     pt_fast_turn_         pt_loop_turn (turn.h), with further batches at the same time (run.h)
 *
 * Values are passed without a call in sync/transfer.h, and native tasks switch to one another in
 * stack/native_body.h. Without this file (PT_FAST_ 0) a PC runs the plain forms, as a part does.
 *
 * To read the clock costs as much as several short steps. So pt_loop_run goes on with the next
 * batch on the same reading while nothing is posted or due (pt_loop_may_batch_), for at most
 * PT_TURN_STEPS steps, and only if those of the last reading were short. This is invisible to a
 * body: the first one that uses the time in such a batch renews the reading (reading.h), and a
 * delay counts from a reading after its step (sleepers.h). */
#ifndef PT_FAST_H
#define PT_FAST_H

#include "turn.h"
#include "update.h"

#if PT_FAST_

/* --- a spawn -------------------------------------------------------------------------------- */

/* A body starts a task by a call, without a return to the loop. It returns SPAWN only where that is
 * looked at: by an observer, or by a scheduler of one's own, whose tasks are zero and so have no
 * loop; and with PT_DEBUG, which overwrites the dead stack. */
#if PT_HAS_LOOP_ && PT_CENSUS && !PT_DEBUG
#undef PT_SPAWN_OPERAND_
#define PT_SPAWN_OPERAND_()                                  \
    do {                                                     \
        if (PT_UNLIKELY(!pt_body_spawns_(pt_current_, pt_))) \
            PT_SUSPEND_(PT_OP_SPAWN);                        \
    } while (0)

/* Spawn the operand of TASK, whose FRAME runs. Returns false if that is not done. */
PT_ALWAYS bool pt_body_spawns_(struct pt_task *task, struct pt *frame)
{
    struct pt_loop *loop = task->loop;

    if (!loop || loop->current != task || pt_loop_observer_(loop))
        return false;
    frame->status = pt_spawn(loop, (struct pt_task *)task->node.link.operand);
    return true;
}
#endif

/* --- a task --------------------------------------------------------------------------------- */

#if PT_JOINS
PT_COLD void pt_fast_wake_all_(struct pt_task *task)
{
    pt_wait_list_complete_all_(&task->joiners, pt_task_top_(task)->status, 0);
}

/* The joiners of a task that has ended go on. Mostly there is one; all calls come last, so that for
 * that one no register is saved. */
PT_NOINLINE void pt_fast_wake_joiners_(struct pt_task *task)
{
    struct pt_node *joiner = task->joiners.first;
    pt_status status = pt_task_top_(task)->status;

    if (joiner->link.next || pt_waiter_selects_(joiner)) {
        pt_fast_wake_all_(task);
        return;
    }
    task->joiners.first = NULL;
    if (status != PT_OK)
        pt_task_top_(pt_task_of(joiner))->status = status;
    pt_task_complete_(pt_task_of(joiner), 0);
}

/* End a task; one without a timer, a group and an owner in fewer instructions. */
PT_ALWAYS void pt_fast_end_task_(struct pt_loop *loop, struct pt_task *task)
{
    if (pt_task_flags_(task) & (PT_FLAG_TIMED_ | PT_FLAG_MEMBER_ | PT_FLAG_OWNED_)) {
        pt_loop_end_task_(loop, task);
        return;
    }
    task->state = 0;
    pt_census_set_live_(loop, pt_census_live_(loop) - 1);
    pt_task_unlist_(task);
    if (task->joiners.first)
        pt_fast_wake_joiners_(task);
    pt_observers_ended_(loop, task);
}
#else
#define pt_fast_end_task_(loop, task) pt_loop_end_task_(loop, task)
#endif

/* Carry out the usual awaits and ends, of a task without blocks or interruptions; and AGAIN_.
 * Returns whether OP is one of these; then *MORE tells whether the task continues at once. */
PT_ALWAYS bool pt_fast_carry_out_(struct pt_loop *loop, struct pt_task *task, pt_op op, bool *more)
{
    if (op.code == PT_OP_WAIT_COMPLETE) {
        *more = pt_task_await_(task, (struct pt *)task->node.link.operand);
        return true;
    }
    if (op.code != PT_OP_DONE || (task->state & PT_STATE_INTERRUPTED_) || pt_task_scopes_(task)) {
        *more = op.code == PT_OP_AGAIN_;
        return *more;
    }
    *more = pt_task_return_(task, pt_task_top_(task));
    if (!*more)
        pt_fast_end_task_(loop, task);
    return true;
}

PT_ALWAYS void pt_fast_run_task_(struct pt_loop *loop, struct pt_batch_ *batch,
                                 struct pt_task *task)
{
    struct pt_node *node = &task->node;
    bool more = false;
    pt_op op;

    PT_OPAQUE_(node); /* keep it in a register, and do not compute it again */
    pt_census_set_current_(loop, task);
    do {
        pt_task_begin_step_(loop, task);
        op = pt_body_resume_(pt_task_top_(task), task);
        if (PT_LIKELY(op.code == PT_OP_YIELD)) {
            pt_ready_push_(&loop->ready, node);
            return;
        }
        if (PT_HAS_WAIT_QUEUES_ && op.code == PT_OP_PARK &&
            (task->state & (PT_STATE_QUEUED_ | PT_STATE_INTERRUPTED_)) == PT_STATE_QUEUED_)
            return; /* the next most frequent: the task is in its queue already */
        if (op.code >= PT_OP_WAIT_COMPLETE) { /* smaller: it has no PT_OP_OF_CURRENT_ */
            if (pt_fast_carry_out_(loop, task, op, &more))
                continue;
            task = pt_loop_resumed_(loop, batch, task, &op);
            node = &task->node;
        }
        more = pt_loop_carry_out_(loop, task, op);
    } while (more);
}

/* --- a batch -------------------------------------------------------------------------------- */

/* From a task's node to the end of what its resume needs: the base frame, and the first field of
 * the user. On a PC these are less than 72 bytes, so that no line between the two is missed. */
#define PT_HOT_BEHIND_                                                 \
    (sizeof(struct pt_task) + sizeof(struct pt) + sizeof(void *) - 1 - \
     offsetof(struct pt_task, node))

#define PT_CACHED_TASKS_ 2048 /* a batch with more prefetches */

/* BEHIND is a constant: how far to prefetch behind a node, or 0. */
PT_ALWAYS void pt_fast_run_batch_(struct pt_loop *loop, size_t behind)
{
    struct pt_batch_ batch = pt_ready_begin_(&loop->ready);
    struct pt_node *node;

    while (pt_ready_take_(&loop->ready, &batch, &node, behind))
        if (pt_task_runs_(loop, pt_task_of(node)))
            pt_fast_run_task_(loop, &batch, pt_task_of(node));
}

PT_NOINLINE void pt_fast_run_many_(struct pt_loop *loop)
{
    pt_fast_run_batch_(loop, PT_HOT_BEHIND_);
}

/* The first batch of a turn: note how many of STEPS it leaves for further ones. One that prefetches
 * leaves none. */
PT_ALWAYS void pt_fast_run_first_(struct pt_loop *loop, unsigned steps)
{
    unsigned most = PT_READY_STORAGE_ ? PT_CACHED_TASKS_ : steps;
    unsigned ready = most ? pt_ready_few_(&loop->ready, most) : 0;

    if (PT_READY_STORAGE_ && PT_UNLIKELY(!ready)) {
        pt_fast_run_many_(loop);
        return;
    }
    PT_IF_(PT_HAS_CLOCK_, loop->clock.steps = ready && ready < steps ? steps - ready : 0;)
    pt_fast_run_batch_(loop, 0);
}

/* --- a turn --------------------------------------------------------------------------------- */

#if PT_HAS_CLOCK_
/* Whether the next batch may run on the same reading of the clock: it has at most loop->clock.steps
 * tasks, which it takes off, and a turn would find no other work. */
PT_ALWAYS bool pt_loop_may_batch_(struct pt_loop *loop)
{
    uint64_t other = (uintptr_t)pt_loop_observer_(loop); /* what only a turn looks at: one test */
    const pt_timer_ *first;
    unsigned ready;

    other |= pt_slowmo_slow_(loop);
    other |= (uintptr_t)pt_loop_last_post_(loop);
    other |= loop->sleepers.room ^ loop->sleepers.most;
    if (PT_UNLIKELY(other != 0) || pt_loop_has_mark_(loop))
        return false;
    ready = pt_ready_few_(&loop->ready, loop->clock.steps);
    first = pt_timers_first_(&loop->timers);
    if (PT_UNLIKELY(!ready) ||
        (first && !pt_time_before(loop->now, pt_timers_first_at_(&loop->timers))))
        return false;
    PT_KNOWN_(!pt_ready_empty_(&loop->ready));
    loop->clock.steps -= ready;
    loop->clock.renew = pt_loop_renew_;
    return true;
}
#else
#define pt_loop_may_batch_(loop) false
#endif

#if PT_HAS_TIMERS_
/* Wake the tasks that are due at the time of the turn. */
PT_ALWAYS void pt_fast_wake_due_(struct pt_loop *loop)
{
    if (pt_timers_first_(&loop->timers)) /* faster on a PC, larger on a part */
        pt_loop_expire_(loop);
    else
        pt_timers_rebase_(&loop->timers, loop->now); /* a nested loop's epoch can be later */
}
#else
#define pt_fast_wake_due_(loop) ((void)0)
#endif

/* Further batches at the time of the turn. Inlined, they would have few registers. */
PT_NOINLINE void pt_fast_run_more_(struct pt_loop *loop)
{
    while (PT_LIKELY(pt_loop_may_batch_(loop)))
        pt_fast_run_batch_(loop, 0);
}

/* One turn; then further batches at the same time, of up to STEPS tasks in all. */
PT_ALWAYS pt_time pt_fast_turn_(struct pt_loop *loop, pt_time now, unsigned steps)
{
    pt_loop_begin_turn_(loop, now);
    if (pt_loop_slows_(loop))
        return pt_slowmo_slow_until_(loop);
    pt_fast_wake_due_(loop);
    if (PT_UNLIKELY(pt_loop_observer_(loop) != NULL)) {
        pt_loop_run_batch_watched_(loop);
    } else {
        pt_fast_run_first_(loop, steps);
        if (steps)
            pt_fast_run_more_(loop);
    }
    return pt_loop_end_turn_(loop, now);
}

PT_API pt_time pt_loop_turn(struct pt_loop *loop, pt_time now)
{
    return pt_fast_turn_(loop, now, 0);
}

#endif
#endif
