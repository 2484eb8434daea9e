/* task.h - what a body can ask of the loop that runs it
 * SPDX-License-Identifier: MIT
 *
 *     PT_ASYNC(countdown, self)
 *     {
 *         for (; self->from > 0; self->from--)
 *             PT_WAIT(PT_SEC(1));
 *     }
 *     PT_END
 *
 *     PT_ASYNC(launch, self)
 *     {
 *         PT_SPAWN(&self->weather, watch_weather);                  runs beside
 *         PT_WAIT_COMPLETE(&self->count, countdown, .from = 3);     runs instead, for a while
 *         PT_JOIN(&self->weather.task);
 *     }
 *     PT_END
 *
 * Each macro stores an operand and returns an opcode. An operation that can fail leaves its
 * code in self->pt.status. */
#ifndef PT_TASK_H
#define PT_TASK_H

#include "coroutine.h"

/* The life of a task. Its two lowest bits count, from 2: a park takes one and a wake gives one, and
 * whichever of them arrives at 2 makes the task ready. At 1 it is parked; 3, the most, is a wake
 * that came before its park; at 0 it is not alive. The other bits say where it is instead of the
 * ready queue:
 *
 *     idle --spawn--> READY <---------------------------------+
 *                       |  WAIT --> SLEEPING -----------due---+
 *                       |  PARK --> PARKED -------------wake--+
 *                       |  in a queue of waiters: LISTED -----+
 *                       |  paused, and its turn has come: HELD --resume--+
 *                       +--DONE--> 0 --spawn--> ...
 *
 * INTERRUPTED: before its next resume, look whether something ends what it does (interrupt.h). */
enum {
    PT_STATE_PERMIT_ = 1, /* what a wake gives, once, and a park takes */
    PT_STATE_READY_ = 2,  /* not parked */
    PT_STATE_ALIVE_ = 3,  /* spawned and not done: any of the count */
    PT_STATE_INTERRUPTED_ = PT_HAS_INTERRUPTS_ ? 0x04 : 0,
    PT_STATE_HELD_ =
        PT_PAUSE ? 0x08 : 0, /* ready, but taken out of the queue because it is paused */
    PT_STATE_QUEUED_ =
        PT_HAS_WAIT_QUEUES_ ? 0x10 : 0,     /* in a queue of waiters, which alone wakes it */
    PT_STATE_PAUSED_ = PT_PAUSE ? 0x20 : 0, /* pt_pause came, pt_resume did not */
    PT_STATE_SLEEPING_ = PT_NESTING || PT_HAS_INTERRUPTS_ || PT_SELECTS || PT_INSPECT
                             ? 0x40
                             : 0, /* in the timer queue */
    PT_STATE_HAS_OPS_ =
        PT_CHANNELS ? 0x80 : 0, /* LISTED, and its item says how it leaves: pt_wait_ops_ */
    PT_STATE_AWAY_ = PT_STATE_QUEUED_ | PT_STATE_SLEEPING_ | PT_STATE_HAS_OPS_ /* any of these */
};

/* Bits of its flags. */
enum {
    PT_FLAG_GIVEN_ = 0x01,    /* what it waited for is there: it goes on before an interruption */
    PT_FLAG_TIMED_ = 0x02,    /* its timer is in the timer queue, perhaps for nothing any more */
    PT_FLAG_CANCELED_ = 0x04, /* pt_cancel came */
    PT_FLAG_REFUSED_ = 0x08,  /* a block could not be opened */
    PT_FLAG_USES_GIVEN_ =
        0x10 /* it goes on with that, also where it is awaited: to its next wait */
};

/* pt_task_alive - whether the task was spawned and is not done; O(1) */
PT_ALWAYS bool pt_task_alive(const struct pt_task *task)
{
    return task->state & PT_STATE_ALIVE_;
}

/* Whether it waits for a wake. */
PT_ALWAYS bool pt_task_parked_(const struct pt_task *task)
{
    return (task->state & PT_STATE_ALIVE_) == PT_STATE_READY_ - PT_STATE_PERMIT_;
}

/* Whether it waits for nothing. */
PT_ALWAYS bool pt_task_ready_(const struct pt_task *task)
{
    return (task->state & (PT_STATE_AWAY_ | PT_STATE_READY_)) == PT_STATE_READY_;
}

/* The frame that the task resumes; NULL before its first spawn. */
PT_ALWAYS struct pt *pt_task_top_(const struct pt_task *task)
{
    PT_IF_(PT_AWAIT, return task->top;)
    PT_IF_(PT_NOT_(PT_AWAIT), return (struct pt *)(uintptr_t)task;)
}

/* pt_task_done - whether the task has ended; false for one that was never spawned; O(1) */
PT_API bool pt_task_done(const struct pt_task *task)
{
    return !pt_task_alive(task) && pt_task_top_(task) &&
           pt_task_top_(task)->label == PT_LABEL_DONE_;
}

/* pt_task_status - what a task that is done ended with; PT_EINVAL before; O(1) */
PT_API pt_status pt_task_status(const struct pt_task *task)
{
    return pt_task_done(task) ? pt_task_top_(task)->status : (pt_status)PT_EINVAL;
}

#if PT_CANCEL
/* pt_task_canceled - whether pt_cancel came to a task, alive or done, since its spawn; O(1) */
PT_API bool pt_task_canceled(const struct pt_task *task)
{
    return task->flags & PT_FLAG_CANCELED_;
}
#endif

/* --- time -------------------------------------------------------------------------------- */

#if PT_HAS_TIMERS_

/* PT_NOW() - in a body: the time at which its turn began */
#define PT_NOW() ((pt_time)pt_current_->node.at)

/* PT_WAIT(delay) - sleep for DELAY ticks (PT_SEC, PT_MS), never less; 0 waits for a turn
 * A delay over PT_DELAY_MAX ends the function with PT_ERANGE. */
#define PT_WAIT(delay)                                \
    do {                                              \
        if (!pt_wait_(pt_current_, pt_delay_(delay))) \
            PT_RETURN(PT_ERANGE);                     \
        PT_SUSPEND_(PT_OP_WAIT);                      \
    } while (0)

/* PT_WAIT_UNTIL(deadline) - sleep until the clock shows DEADLINE; what is past is due at once
 * DEADLINE is at most PT_DELAY_MAX ahead: one that is PT_DELAY_NEVER ahead ends the function with
 * PT_ERANGE, and a stamp beyond that is past. A step that adds a period to its last deadline keeps it
 * without drift. */
#define PT_WAIT_UNTIL(deadline) PT_WAIT(pt_time_until_(PT_NOW(), deadline))

PT_ALWAYS bool pt_wait_(struct pt_task *task, pt_time delay)
{
    if (delay > PT_DELAY_MAX)
        return false;
    task->node.at += delay;
    return true;
}

#endif

/* --- parking ------------------------------------------------------------------------------- */

/* PT_PARK() - stop until pt_wake; returns at once, after a turn, if the wake came first
 * Whoever parks checks what it waits for in a loop: a wake says "look again". */
#define PT_PARK() PT_SUSPEND_(PT_OP_PARK)

#if PT_HAS_WAIT_QUEUES_

/* What a task in a queue of waiters waits for. */
#define PT_WHY_TABLE(X)                   \
    X(JOIN, "joins a task")               \
    X(POOL, "waits for room in a pool")   \
    X(GROUP, "waits for its group")       \
    X(EVENT, "waits for an event")        \
    X(FLAGS, "waits for flags")           \
    X(LOCK, "waits for a lock")           \
    X(SEMAPHORE, "waits for a semaphore") \
    X(CONDITION, "waits for a condition") \
    X(BARRIER, "waits at a barrier")      \
    X(SEND, "sends to a channel")         \
    X(RECEIVE, "receives from a channel") \
    X(PUSH, "pushes to a full queue")     \
    X(POP, "pops from an empty queue")    \
    X(BROADCAST, "waits for a broadcast") \
    X(SELECT, "selects")                  \
    X(IO, "waits for a descriptor")

/* PT_WHY_JOIN and so on: the names of the table. */
enum pt_why {
#define PT_WHY_ENUM_(name, text) PT_WHY_##name,
    PT_WHY_TABLE(PT_WHY_ENUM_)
#undef PT_WHY_ENUM_
};

/* A task is about to wait in a queue or a crowd, with or for ITEM, or NULL. */
PT_API void pt_task_begin_wait_(struct pt_task *task, enum pt_why why, void *item)
{
    (void)why;
    (void)item;
    task->state |= PT_STATE_QUEUED_;
    PT_IF_(PT_INSPECT, task->why = (uint8_t)why;)
    PT_IF_(PT_CHANNELS, task->waiter.item = item;)
}

#if PT_CHANNELS
/* The same; STAY says how it leaves the wait. */
PT_API void pt_task_wait_by_ops_(struct pt_task *task, enum pt_why why, struct pt_wait_ops_ *ops)
{
    pt_task_begin_wait_(task, why, ops);
    task->state |= PT_STATE_HAS_OPS_;
}
#endif

/* A task that is about to park joins a queue of waiters. */
PT_API void pt_task_wait_in_queue_(struct pt_task *task, struct pt_wait_queue_ *queue,
                                   enum pt_why why, void *item)
{
    pt_task_begin_wait_(task, why, item);
    pt_wait_queue_push_(queue, &task->node);
}

/* The same with a crowd. */
PT_API void pt_task_wait_in_list_(struct pt_task *task, struct pt_wait_list_ *list, enum pt_why why)
{
    pt_task_begin_wait_(task, why, NULL);
    pt_wait_list_push_(list, &task->node);
}

#endif

/* --- spawning ------------------------------------------------------------------------------ */

/* PT_SPAWN(&storage, rocket, .field = value ...) - start a task beside this one
 * STORAGE is a PT_TASK(rocket) that lives until the task is done; up to 16 fields. The new
 * task runs behind those that are ready now; this one goes on at once. self->pt.status is
 * PT_OK, PT_EBUSY (the task in that storage still runs: PT_DEBUG stops there) or PT_ENOMEM (the
 * loop is full; where it has no storage at all, PT_DEBUG stops). */
#define PT_SPAWN(storage, ...)                                 \
    do {                                                       \
        pt_->status = pt_task_claim_(&(storage)->task);        \
        if (pt_->status == PT_OK) {                            \
            PT_TASK_INIT_(storage, __VA_ARGS__);               \
            pt_current_->node.link.operand = &(storage)->task; \
            PT_SUSPEND_(PT_OP_SPAWN);                          \
        }                                                      \
    } while (0)

/* Make task and base frame ready for pt_spawn: an expression. */
#define PT_TASK_INIT_(storage, ...)                        \
    (PT_INIT(&(storage)->frame, __VA_ARGS__),              \
     pt_task_init_(&(storage)->task, &(storage)->frame.pt, \
                   PT_WHERE_(PT_TASK_NAME_(PT_FIRST_(__VA_ARGS__)))))
#define PT_TASK_NAME_(name) PT_TEXT(name)

PT_ALWAYS void pt_task_init_(struct pt_task *task, struct pt *frame, const char *name)
{
    (void)task;
    (void)frame;
    (void)name;
    PT_IF_(PT_AWAIT, task->top = frame;)
    PT_IF_(PT_POOLS, task->owner = NULL;)
    PT_IF_(PT_INSPECT, task->name = name;)
}

/* Whether the storage is free to take a new task: PT_OK, or PT_EBUSY. */
PT_ALWAYS pt_status pt_task_claim_(const struct pt_task *task)
{
    PT_ASSERT_(!pt_task_alive(task), "the task in this storage still runs", "spawn");
    return pt_task_alive(task) ? (pt_status)PT_EBUSY : (pt_status)PT_OK;
}

/* --- awaiting ------------------------------------------------------------------------------ */

#if PT_AWAIT

/* PT_WAIT_COMPLETE(&frame, read_line, .field = value ...) - run another function here
 * FRAME is a struct read_line, not a task: it takes this function's place in the task until it
 * is done. Then self->pt.status is what it ended with, and its fields are there to read.
 * Cost: O(1), and a resume costs the same at every depth. */
#define PT_WAIT_COMPLETE(frame, ...)                   \
    do {                                               \
        PT_INIT(frame, __VA_ARGS__);                   \
        pt_current_->node.link.operand = &(frame)->pt; \
        PT_SUSPEND_(PT_OP_WAIT_COMPLETE);              \
    } while (0)

/* PT_TRY(&frame, read_line, ...) - PT_WAIT_COMPLETE, and return its code unless it is PT_OK */
#define PT_TRY(frame, ...)                    \
    do {                                      \
        PT_WAIT_COMPLETE(frame, __VA_ARGS__); \
        if (pt_->status != PT_OK)             \
            PT_RETURN(pt_->status);           \
    } while (0)

#endif

/* --- joining ------------------------------------------------------------------------------- */

#if PT_JOINS

/* PT_JOIN(&storage.task) - wait until a task is done; any number of tasks may
 * self->pt.status is then what the task ended with; without waiting: PT_EINVAL if it was
 * never spawned, PT_EDEADLK if it is the caller itself. */
#define PT_JOIN(task)                         \
    do {                                      \
        if (pt_join_(pt_current_, pt_, task)) \
            PT_SUSPEND_(PT_OP_PARK);          \
    } while (0)

/* The status of a task that is done, or the code of a join that cannot be: whether there is one. */
PT_API bool pt_join_at_once_(const struct pt_task *task, struct pt *frame,
                             const struct pt_task *target)
{
    frame->status = PT_OK;
    if (pt_task_alive(target) && target != task)
        return false;
    frame->status = target == task ? (pt_status)PT_EDEADLK : pt_task_status(target);
    return true;
}

/* Come to the target's other joiners; false with a code when there is no wait. */
PT_API bool pt_join_(struct pt_task *task, struct pt *frame, struct pt_task *target)
{
    if (pt_join_at_once_(task, frame, target))
        return false;
    pt_task_wait_in_list_(task, &target->joiners, PT_WHY_JOIN);
    return true;
}

#endif

#endif
