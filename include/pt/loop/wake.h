/* wake.h - start, wake, pause and resume a task
 * SPDX-License-Identifier: MIT
 *
 *     if (PT_START(&loop, &storage, blink, .period = PT_MS(500)) != PT_OK) ...
 *     pt_wake(&storage.task);              it is parked: it runs in the next turn
 *     pt_pause(&storage.task);             it does not run until pt_resume
 *
 * The task's own opcodes are in interpreter.h; what ends its work is in cancel.h. The files that
 * follow share the steps of the implementation: block and unblock a task, leave a wait, force a
 * wake. */
#ifndef PT_WAKE_H
#define PT_WAKE_H

#include "observer.h"
#include "reading.h"
#include "sleepers.h"

/* --- start and wake ------------------------------------------------------------------------ */

/* PT_START(&loop, &storage, rocket, .field = value ...) - spawn from outside of any task
 * An expression: PT_OK or an error code. Check it: nothing else reports a task that did not start.
 * C++: if the value of a field throws, no task starts; storage of a pool or the heap is given back.
 * Otherwise as PT_SPAWN. */
#define PT_START(loop, storage, ...)                                         \
    ((pt_status)(PT_CHECK_TASK_(storage, __VA_ARGS__),                       \
                 pt_task_claim_(&(storage)->task, PT_START_OF_(__VA_ARGS__)) \
                     ? (pt_status)PT_EBUSY                                   \
                     : (PT_CHECK_START_(loop, storage, __VA_ARGS__)          \
                            PT_TASK_INIT_(storage, __VA_ARGS__),             \
                        pt_spawn(PT_STARTED_IN_(loop, storage), &(storage)->task))))

/* pt_spawn - start a task in storage that PT_PREPARE has filled in; O(1)
 * The task runs after those that are ready now. PT_START and PT_SPAWN call this after they have
 * checked that the task is not alive. Returns PT_OK, or PT_ENOMEM if the loop's storage is full. */
PT_SHARED pt_status pt_spawn(struct pt_loop *loop, struct pt_task *task);

/* pt_wake - end a task's PT_PARK, or the next one if it is not parked; O(1)
 * A PT_PARK_FOR, too: that costs a removal from the timer queue. No effect on a task that is not
 * alive. A task in any other wait, such as PT_WAIT or PT_JOIN, keeps waiting. */
PT_SHARED void pt_wake(struct pt_task *task);

/* --- pause --------------------------------------------------------------------------------- */

#if PT_PAUSE
/* pt_pause - keep a task from running until pt_resume, whatever it waits for; O(1)
 * Its wait continues, and a delay goes on (doc/recipes.md: one that stands still); the functions
 * that it awaits are paused with it. A task that pauses itself runs until it yields, waits or
 * parks. No effect on a task that is paused or not alive. */
PT_API void pt_pause(struct pt_task *task);

/* pt_resume - let a paused task run again; if its wait is over, it is ready; O(1)
 * No effect on a task that is not paused. */
PT_API void pt_resume(struct pt_task *task);

/* pt_task_paused - whether the task cannot run: it is paused, or it is not alive; O(1) */
PT_ALWAYS bool pt_task_paused(const struct pt_task *task);
#endif

/* --- implementation ------------------------------------------------------------------------ */

/* A check before a start writes the frame; the loop of the start. See run/overwritten.h. */
#define PT_CHECK_START_(loop, storage, ...) /* before another expression */
#define PT_STARTED_IN_(loop, storage) loop

PT_COLD void pt_task_force_wake_(struct pt_task *task);

/* Wake the task that runs this loop in another one, if there is one. */
PT_ALWAYS void pt_host_wake_(struct pt_loop *loop)
{
    if (PT_UNLIKELY(pt_loop_host_(loop) != NULL))
        pt_task_force_wake_(pt_loop_host_(loop));
}

/* The last task in the ready queue has become ready: tell the observers, and wake the task that
 * runs this loop in another one. One parameter: callers need no register for another. */
PT_COLD void pt_loop_report_(struct pt_loop *loop)
{
    pt_loop_tell_woken_(loop, pt_task_of(pt_ready_last_(&loop->ready)), false);
    pt_host_wake_(loop);
}

PT_COLD void pt_loop_report_new_(struct pt_loop *loop)
{
    pt_loop_tell_woken_(loop, pt_task_of(pt_ready_last_(&loop->ready)), true);
    pt_host_wake_(loop);
}

PT_ALWAYS void pt_loop_check_level_(const struct pt_loop *loop)
{
    PT_ASSERT_(pt_loop_level_(loop) == PT_LEVEL_HERE_(),
               "an interrupt has made a task ready: it may only post to a waker, remote, "
               "mailbox or ring",
               "PT_LEVEL");
}

/* A task has joined the ready queue: tell the observers and the host. SPAWNED is a constant. */
PT_ALWAYS void pt_loop_pushed_(struct pt_loop *loop, bool spawned)
{
    pt_loop_check_level_(loop);
    if (!PT_TRACE)
        pt_host_wake_(loop);
    else if (PT_UNLIKELY(pt_loop_reports_(loop)))
        (spawned ? pt_loop_report_new_ : pt_loop_report_)(loop);
}

#if PT_HAS_URGENT_
/* An urgent task is ready: it runs before the others, as run/urgent.h says. False if it is none. */
PT_API bool pt_loop_push_urgent_(struct pt_loop *loop, struct pt_task *task)
{
    if (PT_LIKELY(!task->urgent))
        return false;
    pt_fifo_push(&loop->ready.urgent.fifo, &task->node);
    pt_loop_check_level_(loop);
    if (pt_loop_reports_(loop))
        pt_loop_tell_woken_(loop, task, false);
    pt_host_wake_(loop);
    return true;
}
#else
#define pt_loop_push_urgent_(loop, task) false
#endif

/* Put a task into the ready queue. */
PT_API void pt_loop_push_(struct pt_loop *loop, struct pt_task *task)
{
    if (pt_loop_push_urgent_(loop, task))
        return;
    pt_ready_push_(&loop->ready, &task->node);
    pt_loop_pushed_(loop, false);
}

/* Note that a task has left the ready queue; STATE: the bits to add to its state. */
PT_ALWAYS void pt_task_block_(struct pt_loop *loop, struct pt_task *task, uint8_t state)
{
    task->state |= state;
    if (!PT_HAS_LOOP_)
        task->node.link.operand = loop;
}

/* The wait or pause of a task is over: take these bits off its state; it is ready. */
PT_ALWAYS void pt_task_unblock_(struct pt_task *task, uint8_t states)
{
    struct pt_loop *loop = pt_task_loop_(task);

    task->state &= (uint8_t)~states;
    pt_loop_push_(loop, task);
}

#if PT_CHANNELS
/* If the task's wait has wait operations, cancel it through them. Returns whether it has them. */
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

/* Take a task out of its wait queue or wait list before its wait is complete. */
PT_API void pt_task_leave_(struct pt_task *task)
{
    PT_IF_(PT_HAS_LEAVERS_, if (!pt_wait_cancel_(task)) pt_wait_remove_(&task->node);)
}

/* Something wakes a task that waits in a queue, or ends what it does: the task leaves the queue.
 * Returns false if it waits again: behind a PT_WAIT_CONDITION it must have its lock first, and
 * nothing ends that wait. What ends the task takes effect when the task has the lock. */
PT_COLD bool pt_task_leave_or_relock_(struct pt_task *task)
{
    pt_task_leave_(task);
    if (!PT_CHANNELS || !(pt_task_flags_(task) & PT_FLAG_GIVEN_))
        return true;
    pt_task_set_flags_(task, pt_task_flags_(task) | PT_FLAG_RELOCKS_);
    return false;
}

/* A wake ends a park. If the park has a time, the task's timer is for its blocks again. */
PT_ALWAYS void pt_task_unpark_(struct pt_task *task)
{
    if (!PT_TIMED_PARKS || PT_LIKELY(!(task->state & PT_STATE_SLEEPING_)))
        return;
    pt_task_end_sleep_(task);
    task->state &= (uint8_t)~PT_STATE_SLEEPING_;
    pt_task_schedule_(task);
}

/* Wake a task, whatever it waits for. */
PT_COLD void pt_task_force_wake_(struct pt_task *task)
{
    if (pt_task_ready_(task) ||
        ((task->state & PT_STATE_QUEUED_) && !pt_task_leave_or_relock_(task)))
        return;
    pt_task_end_sleep_(task);
    if (!(task->state & PT_STATE_READY_))
        task->state++; /* the permit that a wake gives */
    pt_task_unblock_(task, PT_STATE_AWAY_);
    pt_task_schedule_(task);
}

#if PT_HAS_MEMBERS_
/* The task that contains MEMBER, its link in the list of its loop or group. */
PT_ALWAYS struct pt_task *pt_task_of_member_(struct pt_node *member)
{
    return (struct pt_task *)(void *)((char *)member - offsetof(struct pt_task, member));
}

/* A task joins its loop's list of tasks; it leaves that list, or its group's. */
PT_ALWAYS void pt_loop_enlist_(struct pt_loop *loop, struct pt_task *task)
{
    pt_wait_queue_push_(&loop->tasks, &task->member);
}

PT_ALWAYS void pt_task_unlist_(struct pt_task *task)
{
    pt_wait_remove_(&task->member);
}
#else
#define pt_loop_enlist_(loop, task) ((void)0)
#define pt_task_unlist_(task) ((void)0)
#endif

PT_SHARED pt_status pt_spawn(struct pt_loop *loop, struct pt_task *task)
{
    PT_ASSERT_(!pt_task_alive(task), "the task still runs", "pt_spawn");
    PT_ASSERT_(pt_task_top_(task) && pt_task_top_(task)->fn,
               "the task was not prepared: call PT_PREPARE", "pt_spawn");
    if (!pt_loop_reserve_(loop)) {
        pt_task_release_(task);
        return PT_ENOMEM;
    }
    task->state = PT_STATE_READY_;
    pt_task_set_loop_(task, loop);
    PT_IF_(PT_OR_(PT_JOINS, PT_GROUPS), pt_wait_list_init_(&task->joiners);)
    pt_loop_enlist_(loop, task);
    pt_task_set_scopes_(task, NULL);
    pt_task_mark_set_urgent_(task, false);
    pt_task_set_flags_(task, PT_POOLS ? pt_task_flags_(task) & PT_FLAG_OWNED_ : 0);
    pt_task_set_since_(task, pt_loop_now_(loop));
    pt_census_set_live_(loop, pt_census_live_(loop) + 1);
    if (!PT_TRACE) {
        pt_loop_push_(loop, task);
    } else {
        pt_ready_push_(&loop->ready, &task->node);
        pt_loop_pushed_(loop, true);
    }
    return PT_OK;
}

/* Give a task a permit; returns whether it was parked, and so must become ready. */
PT_ALWAYS bool pt_task_permit_(struct pt_task *task)
{
    uint_fast8_t state = (uint_fast8_t)(task->state + PT_STATE_PERMIT_);

    if (!(state & PT_STATE_READY_)) /* it was 0, not alive, or 3, the maximum */
        return false;
    task->state = (uint8_t)state;
    if (state & PT_STATE_PERMIT_)
        return false;
    pt_task_unpark_(task);
    return true;
}

PT_SHARED void pt_wake(struct pt_task *task)
{
    if (pt_task_permit_(task))
        pt_loop_push_(pt_task_loop_(task), task);
}

#if PT_PAUSE

PT_API void pt_pause(struct pt_task *task)
{
    if (pt_task_alive(task))
        task->state |= PT_STATE_PAUSED_;
}

PT_API void pt_resume(struct pt_task *task)
{
    if (task->state & PT_STATE_HELD_)
        pt_task_unblock_(task, PT_STATE_HELD_ | PT_STATE_PAUSED_);
    else
        task->state &= (uint8_t)~PT_STATE_PAUSED_;
}

PT_ALWAYS bool pt_task_paused(const struct pt_task *task)
{
    return !pt_task_alive(task) || (task->state & PT_STATE_PAUSED_);
}

#endif
#endif
