/* task.h - what a body can ask of its loop: to sleep, park, spawn, await and join
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
 *         PT_SPAWN(&self->weather, watch_weather);                  runs beside this task
 *         PT_WAIT_COMPLETE(&self->count, countdown, .from = 3);     runs in this task's place
 *         PT_JOIN(&self->weather.task);
 *     }
 *     PT_END
 *
 * Each macro stores an operand and returns an opcode. An operation that can fail leaves its
 * code in self->pt.status. */
#ifndef PT_TASK_H
#define PT_TASK_H

#include "generator.h"

/* pt_task_alive - whether the task was spawned and is not done; O(1) */
PT_ALWAYS bool pt_task_alive(const struct pt_task *task);

/* pt_task_done - whether the task has ended; false for one that was never spawned; O(1) */
PT_API bool pt_task_done(const struct pt_task *task);

/* pt_task_status - the code that a task has ended with; PT_EINVAL if it is not done; O(1) */
PT_API pt_status pt_task_status(const struct pt_task *task);

/* pt_task_canceled - whether a task, alive or done, was canceled since its spawn; O(1) */
PT_API bool pt_task_canceled(const struct pt_task *task);

/* --- time -------------------------------------------------------------------------------- */

/* PT_NOW() - in a body: the time at which its turn began
 * If pt_loop_run has not read the clock for this turn (PT_TURN_STEPS), the first use of the time in
 * the turn does: PT_NOW, or a delay. */
#define PT_NOW() (PT_IN_BODY_, pt_now_(pt_current_))

/* PT_WAIT(delay) - sleep for at least DELAY ticks (PT_SEC, PT_MS); 0 waits for the next turn
 * A delay over PT_DELAY_MAX ends the function with PT_ERANGE. PT_DEBUG stops at one, and at a
 * negative one; a constant one is a compile error. */
#define PT_WAIT(delay)                                                                        \
    do {                                                                                      \
        PT_IN_BODY_;                                                                          \
        if (!pt_wait_(pt_current_, PT_DELAY_OF_(delay, PT_DELAY_MAX, PT_FUNCTION_, "PT_WAIT", \
                                                "PT_WAIT_DEADLINE")))                         \
            PT_RETURN(PT_ERANGE);                                                             \
        PT_SUSPEND_(PT_OP_WAIT);                                                              \
    } while (0)

/* PT_WAIT_DEADLINE(deadline) - sleep until the clock shows DEADLINE; a past one is due at once
 * DEADLINE is at most PT_DELAY_MAX ahead. One that is PT_DELAY_NEVER ahead ends the function with
 * PT_ERANGE; a stamp beyond that counts as past. A loop that adds a period to its last deadline
 * does not drift. */
#define PT_WAIT_DEADLINE(deadline)                                      \
    do {                                                                \
        PT_IN_BODY_;                                                    \
        if (!pt_wait_(pt_current_, pt_time_until_(PT_NOW(), deadline))) \
            PT_RETURN(PT_ERANGE);                                       \
        PT_SUSPEND_(PT_OP_WAIT);                                        \
    } while (0)

/* --- parking ------------------------------------------------------------------------------- */

/* PT_PARK() - stop until pt_wake; only until the next turn if the wake came first
 * Check the condition in a loop around PT_PARK: a wake means "look again". So does the end of a
 * block around it: a park in a block that is over takes a wake that came first. */
#define PT_PARK() PT_SUSPEND_(PT_OP_PARK)

#if PT_TIMED_PARKS

/* PT_PARK_FOR(delay) - park until pt_wake, but for at most DELAY ticks
 * self->pt.status tells which came first: PT_OK, the wake, or PT_ETIMEDOUT, the time. A wake before
 * the park counts, as with PT_PARK; one after the end of the time is kept for the next park. If one
 * turn notices both, the wake counts if it came before the loop looked at the clock: a post does. A
 * delay that is negative or over PT_DELAY_MAX is as in PT_WAIT.
 *
 *     while (!board_has_input()) {
 *         PT_PARK_FOR(PT_SEC(1));
 *         if (self->pt.status == PT_ETIMEDOUT)
 *             PT_RETURN(PT_ETIMEDOUT);
 *     }
 *
 * Here each wake starts the second again: with PT_PARK_DEADLINE it would not. Cost: a PT_WAIT; the
 * wake also removes the task from the timer queue. */
#define PT_PARK_FOR(delay) \
    PT_TIMED_PARK_(        \
        PT_DELAY_OF_(delay, PT_DELAY_MAX, PT_FUNCTION_, "PT_PARK_FOR", "PT_PARK_DEADLINE"))

/* PT_PARK_DEADLINE(deadline) - park until pt_wake, but at most until the clock shows DEADLINE
 * As PT_PARK_FOR. DEADLINE is as in PT_WAIT_DEADLINE: a past one ends the park in the next turn. */
#define PT_PARK_DEADLINE(deadline) PT_TIMED_PARK_(pt_time_until_(PT_NOW(), deadline))

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
    X(SHARED, "waits for a lock to read")

/* PT_WHY_JOIN and so on: the names of the table. */
enum pt_why {
#define PT_WHY_ENUM_(name, text) PT_WHY_##name,
    PT_WHY_TABLE(PT_WHY_ENUM_)
#undef PT_WHY_ENUM_
        PT_WHY_HOST_ = 0x1e, /* it runs a loop, and waits in no queue: run/nest.h */
    PT_WHY_MASK_ = 0x1f      /* these bits; the others are marks of a search: inspect/live.h */
};

/* --- spawning ------------------------------------------------------------------------------ */

/* PT_SPAWN(&storage, rocket, .field = value ...) - start a task beside this one
 * STORAGE is a PT_TASK(rocket) that lives until the task is done; up to 16 fields. The new task
 * runs after those that are ready now; this one continues at once. self->pt.status is PT_OK,
 * PT_EBUSY (the task in that storage still runs: PT_DEBUG stops there) or PT_ENOMEM (the loop is
 * full; if it has no storage at all, the program stops). */
#define PT_SPAWN(storage, ...)                                 \
    do {                                                       \
        PT_IN_BODY_;                                           \
        PT_CHECK_TASK_(storage, __VA_ARGS__);                  \
        PT_NOT_LOCAL_(storage, "the task's storage")           \
        pt_->status = pt_task_claim_(&(storage)->task);        \
        if (pt_->status == PT_OK) {                            \
            PT_TASK_INIT_KEPT_(storage, __VA_ARGS__);          \
            pt_current_->node.link.operand = &(storage)->task; \
            PT_SPAWN_OPERAND_();                               \
        }                                                      \
    } while (0)

/* --- awaiting ------------------------------------------------------------------------------ */

#if PT_AWAIT

/* PT_WAIT_COMPLETE(&frame, read_line, .field = value ...) - run another function here
 * FRAME is a struct read_line, not a task: it takes this function's place in the task until it
 * is done. Then self->pt.status is the code that it ended with, and its fields can be read.
 * Cost: O(1), and a resume costs the same at every depth. */
#define PT_WAIT_COMPLETE(frame, ...)                   \
    do {                                               \
        PT_IN_BODY_;                                   \
        PT_NOT_LOCAL_(frame, "the awaited frame")      \
        PT_INIT_KEPT_(frame, __VA_ARGS__);             \
        pt_current_->node.link.operand = &(frame)->pt; \
        PT_SUSPEND_(PT_OP_WAIT_COMPLETE);              \
    } while (0)

/* PT_TRY(&frame, read_line, ...) - PT_WAIT_COMPLETE, then PT_RETURN its code unless it is PT_OK */
#define PT_TRY(frame, ...)                    \
    do {                                      \
        PT_WAIT_COMPLETE(frame, __VA_ARGS__); \
        if (pt_->status != PT_OK)             \
            PT_RETURN(pt_->status);           \
    } while (0)

#endif

/* --- joining ------------------------------------------------------------------------------- */

/* PT_JOIN(&storage.task) - wait until a task is done; any number of tasks may join it
 * Then self->pt.status is the code that it ended with. Without waiting: PT_EINVAL if it was never
 * spawned, PT_EDEADLK if it is the caller itself. */
#define PT_JOIN(task) PT_PARK_IF_((PT_CHECK_JOINED_(task), pt_join_(pt_current_, pt_, task)))

/* --- implementation ------------------------------------------------------------------------ */

/* A compile error if STORAGE is a frame, and not a task. */
#define PT_CHECK_TASK_(storage, ...) PT_CHECK_TASK_OF_(storage, PT_FIRST_(__VA_ARGS__))
#define PT_CHECK_TASK_OF_(storage, name) PT_CHECK_NAMED_(storage, name)
#define PT_CHECK_NAMED_(storage, name) PT_NO_FRAME_(storage, struct name)

/* A compile error if TASK does not point to a task; evaluates nothing. */
#define PT_CHECK_JOINED_(task) \
    PT_POINTS_TO_(task, struct pt_task, "PT_JOIN takes the task of the storage: &storage.task")

#define PT_TIMED_PARK_(delay)                          \
    do {                                               \
        PT_IN_BODY_;                                   \
        if (!pt_wait_from_now_(pt_current_, delay))    \
            PT_RETURN(PT_ERANGE);                      \
        PT_SUSPEND_(pt_park_timed_(pt_current_, pt_)); \
    } while (0)

#define PT_NO_UNTIL_                                                                             \
    "PT_WAIT_UNTIL: for a condition use PT_WAIT_EVENT, or PT_PARK in a loop and pt_wake; for a " \
    "time use PT_WAIT_DEADLINE"

/* In a body: start the task to which node.link.operand points. wake.h has a faster way on a PC. */
#define PT_SPAWN_OPERAND_() PT_SUSPEND_(PT_OP_SPAWN)

/* The life of a task. The two lowest bits of its state count permits: 2 at the spawn. A park takes
 * one and a wake gives one:
 *
 *     0   the task is not alive
 *     1   it is parked; a wake makes it ready
 *     2   it is not parked
 *     3   the same, and a wake came before its next park; the maximum
 *
 * The other bits tell where the task is when it is not in the ready queue:
 *
 *     idle --spawn--> READY <---------------------------------+
 *                       |  WAIT --> SLEEPING -----------due---+
 *                       |  PARK --> PARKED -------------wake--+
 *                       |  timed PARK: both --------wake, due-+
 *                       |  PARK in a queue or list: QUEUED ---+
 *                       |  paused, and its turn has come: HELD --resume--+
 *                       +--DONE--> 0 --spawn--> ...
 *
 * INTERRUPTED: before the next resume, check whether something ends what it does (cancel.h). */
enum {
    PT_STATE_PERMIT_ = 1, /* a wake gives one, a park takes one */
    PT_STATE_READY_ = 2,  /* not parked */
    PT_STATE_ALIVE_ = 3,  /* spawned and not done: either bit of the count */
    PT_STATE_INTERRUPTED_ = PT_HAS_INTERRUPTS_ ? 0x04 : 0,
    PT_STATE_HELD_ =
        PT_PAUSE ? 0x08 : 0, /* ready, but taken out of the queue because it is paused */
    PT_STATE_QUEUED_ =
        PT_HAS_WAIT_QUEUES_ ? 0x10 : 0,     /* in a wait queue or list; pt_wake does not end that */
    PT_STATE_PAUSED_ = PT_PAUSE ? 0x20 : 0, /* after pt_pause, before pt_resume */
    PT_STATE_SLEEPING_ =
        PT_NESTING || PT_HAS_INTERRUPTS_ || PT_SELECTS || PT_INSPECT || PT_TIMED_PARKS
            ? 0x40
            : 0, /* in the timer queue */
    PT_STATE_HAS_OPS_ =
        PT_CHANNELS ? 0x80 : 0, /* QUEUED, and its item is the pt_wait_ops_ to leave by */
    PT_STATE_AWAY_ = PT_STATE_QUEUED_ | PT_STATE_SLEEPING_ | PT_STATE_HAS_OPS_ /* any of these */
};

/* Bits of its flags. */
enum {
    PT_FLAG_GIVEN_ = 0x01,      /* it has what it waited for: it runs before an interruption */
    PT_FLAG_TIMED_ = 0x02,      /* its timer is in the timer queue, perhaps no longer needed */
    PT_FLAG_CANCELED_ = 0x04,   /* pt_cancel was called */
    PT_FLAG_REFUSED_ = 0x08,    /* a block could not be opened */
    PT_FLAG_USES_GIVEN_ = 0x10, /* it and its callers run with that until its next wait */
    PT_FLAG_OWNED_ = 0x20,      /* a pointer to its owner is behind it; from its init on */
    PT_FLAG_MEMBER_ = 0x40,     /* it is in a group: the last node of its joiners leads there */
    PT_FLAG_REPEATS_ = 0x80     /* it is in no loop, and a transfer resumes it: sync/transfer.h */
};

PT_ALWAYS bool pt_task_alive(const struct pt_task *task)
{
    return task->state & PT_STATE_ALIVE_;
}

/* Whether the task waits for a wake. */
PT_ALWAYS bool pt_task_parked_(const struct pt_task *task)
{
    return (task->state & PT_STATE_ALIVE_) == PT_STATE_READY_ - PT_STATE_PERMIT_;
}

/* Whether the task waits for nothing. */
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

PT_API bool pt_task_done(const struct pt_task *task)
{
    return !pt_task_alive(task) && pt_task_top_(task) &&
           pt_task_top_(task)->label == PT_LABEL_DONE_;
}

PT_API pt_status pt_task_status(const struct pt_task *task)
{
    return pt_task_done(task) ? pt_task_top_(task)->status : (pt_status)PT_EINVAL;
}

PT_API bool pt_task_canceled(const struct pt_task *task)
{
    return PT_CHOOSE_(PT_CANCEL, task->flags & PT_FLAG_CANCELED_, false);
}

#if PT_HAS_TIMERS_
/* The time of the turn, perhaps by an old reading of the clock. A generator has no loop. */
PT_ALWAYS pt_time pt_turn_time_(const struct pt_task *task)
{
    PT_IF_(PT_HAS_READINGS_, if (PT_LIKELY(task->loop != NULL)) return (
                                 (const struct pt_clock_ *)(const void *)task->loop)
                                 ->now;)
    return task->node.at;
}

/* The time of the turn, by a new reading. */
PT_ALWAYS pt_time pt_now_(const struct pt_task *task)
{
    PT_IF_(PT_HAS_READINGS_,
           const struct pt_clock_ *clock = (const struct pt_clock_ *)(const void *)task->loop;)

    PT_IF_(PT_HAS_READINGS_, if (clock && PT_UNLIKELY(clock->renew)) clock->renew(task->loop);)
    return pt_turn_time_(task);
}

/* The operand of a WAIT. The loop renews the time, if the turn has an old one. */
PT_ALWAYS bool pt_wait_(struct pt_task *task, pt_time delay)
{
    if (delay > PT_DELAY_MAX)
        return false;
    task->node.at = pt_turn_time_(task) + delay;
    return true;
}

/* The same for an operation that changes the task's state before the loop gets its opcode. */
PT_ALWAYS bool pt_wait_from_now_(struct pt_task *task, pt_time delay)
{
    (void)pt_now_(task);
    return pt_wait_(task, delay);
}
#endif

#if PT_TIMED_PARKS
/* The opcode of a park until node.at. It is a sleep without a permit, so that a wake ends it, too;
 * after a wake that came first it is a plain park. If the time ends it, the loop
 * stores PT_ETIMEDOUT. */
PT_API unsigned char pt_park_timed_(struct pt_task *task, struct pt *frame)
{
    frame->status = PT_OK;
    if (task->state & PT_STATE_PERMIT_)
        return PT_OP_PARK;
    task->state--;
    return PT_OP_WAIT;
}
#endif

#if PT_HAS_WAIT_QUEUES_

/* A task is about to join a wait queue or wait list. ITEM: what it waits with or for, or NULL. */
PT_API void pt_task_begin_wait_(struct pt_task *task, enum pt_why why, void *item)
{
    task->state |= PT_STATE_QUEUED_;
    pt_task_set_why_(task, (uint8_t)why);
    PT_IF_(PT_CHANNELS, task->waiter.item = item;)
}

/* The same, for a wait that the task leaves through OPS. */
PT_API void pt_task_wait_by_ops_(struct pt_task *task, enum pt_why why, struct pt_wait_ops_ *ops)
{
    pt_task_begin_wait_(task, why, ops);
    task->state |= PT_STATE_HAS_OPS_;
}

/* What alone can end the wait that a task has begun: the task that it joins, its group. A search
 * for deadlocks looks there. */
PT_ALWAYS void pt_task_waits_for_(struct pt_task *task, void *what)
{
    PT_IF_(PT_HAS_STUCK_, task->waiter.item = what;)
}
#define PT_WAITS_FOR_(what) \
    PT_CHOOSE_(PT_HAS_STUCK_, what, NULL) /* the same, as the item of a wait */

/* A task that is about to park joins a wait queue. */
PT_API void pt_task_wait_in_queue_(struct pt_task *task, struct pt_wait_queue_ *queue,
                                   enum pt_why why, void *item)
{
    pt_task_begin_wait_(task, why, item);
    pt_wait_queue_push_(queue, &task->node);
}

/* The same with a wait list. */
PT_API void pt_task_wait_in_list_(struct pt_task *task, struct pt_wait_list_ *list, enum pt_why why)
{
    pt_task_begin_wait_(task, why, NULL);
    pt_wait_list_push_(list, &task->node);
}

#endif

/* Prepare a task and its base frame for pt_spawn: an expression. */
#define PT_TASK_INIT_(storage, ...) PT_TASK_INIT_BY_(PT_INIT, storage, __VA_ARGS__)
#define PT_TASK_INIT_KEPT_(storage, ...) PT_TASK_INIT_BY_(PT_INIT_KEPT_, storage, __VA_ARGS__)
#define PT_TASK_INIT_BY_(init, storage, ...)               \
    (init(&(storage)->frame, __VA_ARGS__),                 \
     pt_task_init_(&(storage)->task, &(storage)->frame.pt, \
                   PT_WHERE_(PT_TASK_NAME_(PT_FIRST_(__VA_ARGS__)))))
#define PT_TASK_NAME_(name) PT_TEXT(name)

PT_ALWAYS void pt_task_init_(struct pt_task *task, struct pt *frame, const char *name)
{
    PT_IF_(PT_AWAIT, task->top = frame;)
    PT_IF_(PT_HAS_NAME_, task->name = name;)
    PT_IF_(PT_NAME_FITS_, frame->task_name = name; frame->cleaning = PT_CLEANING_BASE_;)
}

/* PT_OK if the storage is free for a new task, else PT_EBUSY. */
PT_ALWAYS pt_status pt_task_claim_(const struct pt_task *task)
{
    PT_ASSERT_(!pt_task_alive(task),
               "the task in this storage still runs: join it first; or the storage was never "
               "zeroed: make it static, or clear it",
               "spawn");
    return pt_task_alive(task) ? (pt_status)PT_EBUSY : (pt_status)PT_OK;
}

#if PT_JOINS

/* Whether there is nothing to wait for: TARGET is not alive, or is TASK. Sets the status. */
PT_API bool pt_join_at_once_(const struct pt_task *task, struct pt *frame,
                             const struct pt_task *target)
{
    frame->status = PT_OK;
    if (pt_task_alive(target) && target != task)
        return false;
    frame->status = target == task ? (pt_status)PT_EDEADLK : pt_task_status(target);
    return true;
}

/* Join TARGET's wait list; returns false, with the status set, if there is nothing to wait for. */
PT_API bool pt_join_(struct pt_task *task, struct pt *frame, struct pt_task *target)
{
    if (pt_join_at_once_(task, frame, target))
        return false;
    pt_task_wait_in_list_(task, &target->joiners, PT_WHY_JOIN);
    pt_task_waits_for_(task, target);
    return true;
}

#endif

#endif
