/* wake.h - how others put a task into the ready queue: spawn, wake, resume
 * SPDX-License-Identifier: MIT
 *
 * The task's own opcodes are in interpreter.h; what ends its work is in interrupt.h. */
#ifndef PT_WAKE_H
#define PT_WAKE_H

#include "storage.h"

PT_SHARED void pt_wake(struct pt_task *task);

/* Put a task into the ready queue. */
PT_API void pt_loop_push_(struct pt_loop *loop, struct pt_task *task);

/* Arm the task's one timer for the earlier of its sleep and its blocks' deadlines, or disarm it. A
 * sleep is armed now. For a block, an earlier entry stays in the queue; the turn that finds it idle
 * arms it anew. */
#if PT_TIMEOUTS
PT_SHARED void pt_task_schedule_(struct pt_task *task);
#else
#define pt_task_schedule_(task) ((void)(task))
#endif

#define PT_HAS_FORCED_WAKE_ (PT_NESTING || PT_HAS_INTERRUPTS_ || PT_SELECTS)
#if PT_HAS_FORCED_WAKE_
/* Wake a task, whatever it waits for. */
PT_COLD void pt_task_force_wake_(struct pt_task *task);
#endif

/* Wake the task that runs this loop in another one, if there is one. */
PT_ALWAYS void pt_host_wake_(struct pt_loop *loop)
{
    (void)loop;
    PT_IF_(PT_NESTING, if (PT_UNLIKELY(loop->host != NULL)) pt_task_force_wake_(loop->host);)
}

PT_API void pt_loop_push_(struct pt_loop *loop, struct pt_task *task)
{
    pt_ready_push_(&loop->ready, &task->node);
    pt_host_wake_(loop); /* the task that runs this loop has work */
}

/* The loop of a task that is in none of the loop's queues. */
PT_ALWAYS struct pt_loop *pt_task_loop_(const struct pt_task *task)
{
    PT_IF_(PT_HAS_LOOP_, return task->loop;)
    PT_IF_(PT_NOT_(PT_HAS_LOOP_), return (struct pt_loop *)task->node.link.operand;)
}

/* Note that a task has left the ready queue; STATE says why. */
PT_ALWAYS void pt_task_block_(struct pt_loop *loop, struct pt_task *task, uint8_t state)
{
    (void)loop;
    task->state |= state;
    PT_IF_(PT_NOT_(PT_HAS_LOOP_), task->node.link.operand = loop;)
}

PT_ALWAYS void pt_task_unblock_(struct pt_task *task, uint8_t states)
{
    struct pt_loop *loop = pt_task_loop_(task);

    task->state &= (uint8_t)~states;
    pt_loop_push_(loop, task);
}

#if PT_CHANNELS
/* If the task's wait has wait operations, cancel it through them; whether it has. */
PT_ALWAYS bool pt_wait_cancel_(struct pt_task *task)
{
    struct pt_wait_ops_ *ops = (struct pt_wait_ops_ *)task->waiter.item;

    if (!(task->state & PT_STATE_HAS_OPS_))
        return false;
    ops->cancel(ops, task);
    return true;
}
#else
#define pt_wait_cancel_(task) false
#endif

#if PT_HAS_LEAVERS_
/* Take a task out of its wait queue or wait list before its wait is complete. */
PT_API void pt_task_leave_(struct pt_task *task)
{
    if (!pt_wait_cancel_(task))
        pt_wait_remove_(&task->node);
}
#else
#define pt_task_leave_(task) ((void)(task))
#endif

#if PT_TIMEOUTS || PT_SELECTS
/* A task's sleep, or the sleep of its select, is over. */
PT_API void pt_task_awake_(struct pt_task *task)
{
    if (PT_SELECTS && (task->state & PT_STATE_QUEUED_))
        pt_task_leave_(task);
    pt_task_unblock_(task, PT_STATE_AWAY_);
}
#endif

#if PT_HAS_FORCED_WAKE_
/* Whether a task's timer is used for sleeps only. */
#define PT_HAS_SLEEPS_ PT_AND_(PT_HAS_TIMERS_, PT_NOT_(PT_TIMEOUTS))

/* Take a sleeping task out of the timer queue; with timeouts, pt_task_schedule_ does it. */
PT_ALWAYS void pt_task_disarm_(struct pt_task *task)
{
    (void)task;
    PT_IF_(PT_HAS_SLEEPS_, if (task->state & PT_STATE_SLEEPING_)
                               pt_timers_remove_(&task->loop->timers, pt_task_timer_(task));)
}

PT_COLD void pt_task_force_wake_(struct pt_task *task)
{
    if (!(task->state & PT_STATE_READY_)) {
        pt_wake(task);
    } else if (task->state & PT_STATE_AWAY_) {
        if (task->state & PT_STATE_QUEUED_)
            pt_task_leave_(task);
        pt_task_disarm_(task);
        pt_task_unblock_(task, PT_STATE_AWAY_);
    } else {
        return;
    }
    pt_task_schedule_(task);
}
#endif

#if PT_HAS_WAIT_QUEUES_

#if PT_SELECTS
/* The value of a select's case; complete the wait of a case: select.h. */
PT_COLD void *pt_case_item_(const struct pt_waiter_ *waiter);
PT_COLD struct pt_task *pt_case_complete_(struct pt_waiter_ *waiter, uint8_t flags);
#endif

#if PT_CHANNELS
/* The item of a waiter: what it waits with; itself, if it is a case of a select. */
PT_ALWAYS void *pt_waiter_item_(struct pt_node *node)
{
    return ((struct pt_waiter_ *)(void *)node)->item; /* its first member */
}
#endif

/* FLAGS: PT_FLAG_GIVEN_ if the task now holds something that an interruption must not lose; or 0 */
PT_ALWAYS void pt_task_give_(struct pt_task *task, uint8_t flags)
{
    (void)task;
    (void)flags;
    PT_IF_(PT_HAS_INTERRUPTS_, task->flags |= flags;)
}

/* Complete the wait of a task, which has left its queue: the task becomes ready. */
PT_ALWAYS void pt_task_complete_(struct pt_task *task, uint8_t flags)
{
    pt_task_give_(task, flags);
    pt_task_unblock_(task, PT_STATE_QUEUED_ | PT_STATE_HAS_OPS_);
}

/* Whether a waiter is a case of a select: then its item points to itself. */
PT_ALWAYS bool pt_waiter_selects_(struct pt_node *node)
{
    (void)node;
    PT_IF_(PT_SELECTS, return PT_UNLIKELY(pt_waiter_item_(node) == (void *)node);)
    return false;
}

/* Complete the wait of a waiter; SELECTS: it is a case of a select. Returns the task. */
PT_API struct pt_task *pt_waiter_complete_as_(struct pt_node *node, bool selects, uint8_t flags)
{
    struct pt_task *task = pt_task_of(node);

    (void)selects;
    PT_IF_(PT_SELECTS,
           if (selects) return pt_case_complete_((struct pt_waiter_ *)(void *)node, flags);)
    pt_task_complete_(task, flags);
    return task;
}

PT_API struct pt_task *pt_waiter_complete_(struct pt_node *node, uint8_t flags)
{
    return pt_waiter_complete_as_(node, pt_waiter_selects_(node), flags);
}

/* Complete the first wait of a queue that is not empty; returns the task. */
PT_API struct pt_task *pt_wait_queue_complete_(struct pt_wait_queue_ *queue, uint8_t flags)
{
    return pt_waiter_complete_(pt_wait_queue_pop_(queue), flags);
}

/* Complete all waits of a queue, with STATUS. */
PT_API void pt_wait_queue_complete_all_(struct pt_wait_queue_ *queue, pt_status status)
{
    while (!pt_wait_queue_empty_(queue))
        pt_task_top_(pt_wait_queue_complete_(queue, 0))->status = status;
}

/* Complete all waits of a list, in order of arrival. The tasks get STATUS; if it is PT_OK, they
 * keep their own statuses. */
PT_API void pt_wait_list_complete_(struct pt_wait_list_ *list, pt_status status, uint8_t flags)
{
    struct pt_wait_list_ all;

    pt_wait_list_init_(&all);
    pt_wait_list_reverse_(list, &all);
    while (all.first) {
        struct pt_task *task = pt_waiter_complete_(pt_wait_list_pop_(&all), flags);

        if (status != PT_OK)
            pt_task_top_(task)->status = status;
    }
}
#endif

/* The task has taken what it was given. */
PT_ALWAYS void pt_task_take_(struct pt_task *task)
{
    (void)task;
    PT_IF_(PT_HAS_INTERRUPTS_, task->flags &= (uint8_t)~PT_FLAG_GIVEN_;)
}

/* Give a task's storage back to its owner, if it has one. */
PT_ALWAYS void pt_task_release_(struct pt_task *task)
{
    (void)task;
    PT_IF_(PT_POOLS, if (task->owner) task->owner->release(task->owner, task);)
}

/* pt_spawn - start a task in storage that PT_INIT and the like have filled in; O(1)
 * The task runs after those that are ready now. PT_START and PT_SPAWN call this after they have
 * checked that the task is not alive. Returns PT_OK, or PT_ENOMEM if the loop's storage is full. */
PT_SHARED pt_status pt_spawn(struct pt_loop *loop, struct pt_task *task)
{
    PT_ASSERT_(!pt_task_alive(task), "the task still runs", "pt_spawn");
    if (!pt_loop_reserve_(loop)) {
        pt_task_release_(task);
        return PT_ENOMEM;
    }
    task->state = PT_STATE_READY_;
    PT_IF_(PT_HAS_LOOP_, task->loop = loop;)
    PT_IF_(PT_JOINS, pt_wait_list_init_(&task->joiners);)
    PT_IF_(PT_GROUPS, task->group = NULL;)
    PT_IF_(PT_HAS_MEMBERS_, pt_wait_queue_push_(&loop->tasks, &task->member);)
    PT_IF_(PT_HAS_SCOPES_, task->scopes = NULL;)
    PT_IF_(PT_HAS_FLAGS_, task->flags = 0;)
    pt_loop_count_(loop, 1);
    pt_loop_push_(loop, task);
    return PT_OK;
}

/* PT_START(&loop, &storage, rocket, .field = value ...) - spawn from outside of any task
 * An expression: PT_OK or an error code. Check it: nothing else reports a task that did not start.
 * Otherwise as PT_SPAWN. */
#define PT_START(loop, storage, ...)              \
    ((pt_status)(pt_task_claim_(&(storage)->task) \
                     ? (pt_status)PT_EBUSY        \
                     : (PT_TASK_INIT_(storage, __VA_ARGS__), pt_spawn(loop, &(storage)->task))))

/* pt_wake - end a task's PT_PARK, or the next one if it is not parked; O(1)
 * No effect on a task that is not alive. A task that waits in PT_JOIN keeps waiting. */
PT_SHARED void pt_wake(struct pt_task *task)
{
    uint_fast8_t state = (uint_fast8_t)(task->state + PT_STATE_PERMIT_);

    if (!(state & PT_STATE_READY_)) /* it was 0, not alive, or 3, the maximum */
        return;
    task->state = (uint8_t)state;
    if (!(state & PT_STATE_PERMIT_))
        pt_loop_push_(pt_task_loop_(task), task);
}

#if PT_PAUSE

/* pt_pause - keep a task from running until pt_resume, whatever it does; O(1)
 * Its wait continues, and the functions that it awaits stop with it. A task that pauses itself runs
 * until it yields, waits or parks. No effect on a task that is paused or not alive. */
PT_API void pt_pause(struct pt_task *task)
{
    if (pt_task_alive(task))
        task->state |= PT_STATE_PAUSED_;
}

/* pt_resume - let a paused task run again, at once if its wait is over; O(1)
 * No effect on a task that is not paused. */
PT_API void pt_resume(struct pt_task *task)
{
    if (task->state & PT_STATE_HELD_)
        pt_task_unblock_(task, PT_STATE_HELD_ | PT_STATE_PAUSED_);
    else
        task->state &= (uint8_t)~PT_STATE_PAUSED_;
}

/* pt_task_paused - whether the task cannot run: it is paused, or it is not alive; O(1) */
PT_ALWAYS bool pt_task_paused(const struct pt_task *task)
{
    return !pt_task_alive(task) || (task->state & PT_STATE_PAUSED_);
}

#endif

#endif
