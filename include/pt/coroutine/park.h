/* park.h - to stop: until a wake, until a time, or in a queue
 * SPDX-License-Identifier: MIT */
#ifndef PT_PARK_H
#define PT_PARK_H

#include "clock.h"
#include "state.h"

/* PT_PARK() - stop until pt_wake; only until the next turn if the wake came first
 * Check the condition in a loop around PT_PARK: a wake means "look again". After the end of a block
 * around a PT_PARK look again, too: the park can have taken the permit of a wake. */
#define PT_PARK() PT_SUSPEND_(PT_OP_PARK)

#if PT_TIMED_PARKS

/* PT_PARK_FOR(delay) - park until pt_wake, or until DELAY ticks have passed
 * self->pt.status tells which came first: PT_OK, the wake, or PT_ETIMEDOUT, the time. A wake before
 * the park counts, as with PT_PARK; one after the end of the time is kept for the next park. If one
 * turn notices both, a wake counts that came before the turn's timers, as that of a post does. The
 * delay counts as in PT_WAIT, and one that is negative or over PT_DELAY_MAX is as there.
 *
 *     while (!board_has_input()) {
 *         PT_PARK_FOR(PT_SEC(1));
 *         if (self->pt.status == PT_ETIMEDOUT)
 *             PT_RETURN(PT_ETIMEDOUT);
 *     }
 *
 * Here each wake starts the second again: with PT_PARK_DEADLINE it would not. Cost: a PT_WAIT; the
 * wake also removes the task from the timer queue. */
#define PT_PARK_FOR(delay)                                                                   \
    PT_TIMED_PARK_(pt_finite_(PT_DELAY_OF_(delay, PT_DELAY_MAX, PT_FUNCTION_, "PT_PARK_FOR", \
                                           "PT_PARK_DEADLINE")),                             \
                   true)

/* PT_PARK_DEADLINE(deadline) - park until pt_wake, or until the clock shows DEADLINE
 * As PT_PARK_FOR. A past DEADLINE ends the park in the next turn; with one that is PT_DELAY_NEVER
 * ahead this is a PT_PARK. */
#define PT_PARK_DEADLINE(deadline) PT_TIMED_PARK_(pt_time_until_(PT_NOW(), deadline), false)

#endif

/* PT_WAIT_UNTIL(condition) - refused by the compiler: nothing tells the loop when to look again
 * Whatever makes the condition true sets an event (PT_WAIT_EVENT), or wakes the task (pt_wake) out
 * of `while (!condition) PT_PARK();`. If nothing can do that, poll:
 * `while (!condition) PT_WAIT(PT_MS(10));`. Until a time: PT_WAIT_DEADLINE. */
#define PT_WAIT_UNTIL(...) PT_NO_SUCH_(PT_NO_UNTIL_)

/* What a task in a wait queue or wait list waits for. */
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
    X(IO, "waits for a descriptor")       \
    X(SHARED, "waits for a lock to read") \
    X(FOREIGN, "waits for foreign code")

/* PT_WHY_JOIN and so on: the names of the table. */
enum pt_why {
#define PT_WHY_ENUM_(name, text) PT_WHY_##name,
    PT_WHY_TABLE(PT_WHY_ENUM_)
#undef PT_WHY_ENUM_
        PT_WHY_HOST_ = 0x1e, /* it runs a loop, and waits in no queue: run/nest.h */
    PT_WHY_MASK_ = 0x1f      /* these bits; the others are marks of a search: inspect/live.h */
};

/* --- implementation ------------------------------------------------------------------------ */

/* Park if WAIT returns true: a call like pt_event_must_wait_, which begins the operation. If it
 * returns true, it has put the task where something wakes it. */
#define PT_PARK_IF_(wait)            \
    do {                             \
        PT_IN_BODY_;                 \
        if (wait)                    \
            PT_SUSPEND_(PT_OP_PARK); \
    } while (0)

#define PT_TIMED_PARK_(delay, is_delay)                         \
    do {                                                        \
        PT_IN_BODY_;                                            \
        if (!pt_park_timed_(pt_current_, pt_, delay, is_delay)) \
            PT_RETURN(PT_ERANGE);                               \
        PT_SUSPEND_(pt_park_opcode_(pt_current_));              \
    } while (0)

#define PT_NO_UNTIL_                                                                             \
    "PT_WAIT_UNTIL: for a condition use PT_WAIT_EVENT, or PT_PARK in a loop and pt_wake; for a " \
    "time use PT_WAIT_DEADLINE"

/* The delay of an operation that cannot wait for ever, as one until a deadline can: PT_DELAY_NEVER,
 * which PT_MS makes of a negative number, becomes a delay that is out of range. */
PT_ALWAYS pt_time pt_finite_(pt_time delay)
{
    return delay > PT_DELAY_MAX ? PT_TIME_LAST_ : delay;
}

#if PT_TIMED_PARKS
/* Prepare a park until node.at: a sleep with 1 permit (state.h), which a wake ends. After a wake
 * that came first, or with a time that never comes, it is a plain park. If the time ends it, the
 * loop stores PT_ETIMEDOUT. Returns false if the time is too far ahead. */
PT_API bool pt_park_timed_(struct pt_task *task, struct pt *frame, pt_time delay, bool is_delay)
{
    bool timed = pt_wait_by_(task, delay, is_delay);

    if (delay > PT_DELAY_NEVER)
        return false;
    frame->status = PT_OK;
    if (timed && !(task->state & PT_STATE_PERMIT_))
        task->state = (uint8_t)((task->state | PT_STATE_ALIVE_) ^ PT_STATE_READY_);
    return true;
}

PT_ALWAYS unsigned char pt_park_opcode_(const struct pt_task *task)
{
    return task->state & PT_STATE_READY_ ? PT_OP_PARK : PT_OP_WAIT;
}
#endif

/* How a task leaves a wait that is more than a place in one queue. The item of the waiter points
 * here. */
struct pt_wait_ops_ {
    /* TASK leaves the wait before it is complete. */
    void (*cancel)(struct pt_wait_ops_ *self, struct pt_task *task);
};

#if PT_HAS_WAIT_QUEUES_

PT_ALWAYS void pt_task_set_item_(struct pt_task *task, void *item)
{
    PT_IF_(PT_CHANNELS, task->waiter.item = item;)
}

/* A task is about to join a wait queue or wait list. ITEM: what it waits with or for, or NULL. */
PT_API void pt_task_begin_wait_(struct pt_task *task, enum pt_why why, void *item)
{
    task->state |= PT_STATE_QUEUED_;
    pt_task_set_why_(task, (uint8_t)why);
    pt_task_set_item_(task, item);
}

/* As pt_task_begin_wait_, for a wait that the task leaves through OPS. */
PT_API void pt_task_wait_by_ops_(struct pt_task *task, enum pt_why why, struct pt_wait_ops_ *ops)
{
    pt_task_begin_wait_(task, why, ops);
    task->state |= PT_STATE_HAS_OPS_;
}

/* What alone can end the wait that a task has begun: the task that it joins, its group. A search
 * for deadlocks looks there. */
PT_ALWAYS void pt_task_set_waits_for_(struct pt_task *task, void *what)
{
    if (PT_HAS_STUCK_)
        pt_task_set_item_(task, what);
}
#define PT_WAITS_FOR_(what) PT_CHOOSE_(PT_HAS_STUCK_, what, NULL) /* for pt_task_begin_wait_ */

/* A task that is about to park joins a wait queue. */
PT_API void pt_task_wait_in_queue_(struct pt_task *task, struct pt_wait_queue_ *queue,
                                   enum pt_why why, void *item)
{
    pt_task_begin_wait_(task, why, item);
    pt_wait_queue_push_(queue, &task->node);
}

/* A task that is about to park joins a wait list. */
PT_API void pt_task_wait_in_list_(struct pt_task *task, struct pt_wait_list_ *list, enum pt_why why)
{
    pt_task_begin_wait_(task, why, NULL);
    pt_wait_list_push_(list, &task->node);
}

#endif

#endif
