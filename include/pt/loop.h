/* loop.h - the event loop: a ready queue, a timer queue, and an interpreter of six opcodes
 * SPDX-License-Identifier: MIT
 *
 *     static struct pt_loop loop;
 *     static PT_LOOP_STORAGE(4) storage;
 *     static PT_TASK(blink) led;
 *
 *     pt_loop_init(&loop, clock());
 *     pt_loop_use(&loop, &storage);
 *     PT_START(&loop, &led, blink, .period = PT_MS(500));
 *     for (;;)
 *         sleep_until(pt_loop_turn(&loop, clock()));
 *
 * Time is an argument, and the loop says when it wants to be called again: it neither reads a
 * clock nor sleeps. A turn runs every task that was ready when it began once, in order; what
 * becomes ready meanwhile waits for the next turn, so that nobody starves. */
#ifndef PT_LOOP_H
#define PT_LOOP_H

#include "port.h"
#include "ready.h"
#include "task.h"

#define PT_LOOP_HAS_STORAGE_ (PT_READY_STORAGE || PT_TIMERS_STORAGE)

#if PT_POOLS
/* Whoever owns the storage of a task. release gets the task when it is done, its joiners are
 * woken, and the loop will not touch it again. */
struct pt_owner {
    void (*release)(struct pt_owner *owner, struct pt_task *task);
};
#endif

struct pt_loop {
    struct pt_ready ready; /* who runs next */
#if PT_TIMERS != PT_TIMERS_NONE
    struct pt_timers timers; /* who sleeps, earliest first */
    pt_time now;             /* the time of the turn; read it, do not write it */
#endif
#if PT_CENSUS
    struct pt_task *current; /* who runs, or NULL */
#endif
#if PT_CENSUS || PT_LOOP_HAS_STORAGE_
    unsigned live; /* tasks spawned and not done */
#endif
#if PT_LOOP_HAS_STORAGE_
    unsigned capacity; /* tasks there is room for */
#endif
#if PT_NESTING
    struct pt_task *host; /* the task that runs this loop in another one, or NULL */
#endif
#if PT_SLOWMO
    pt_time slow;       /* the delay after each turn, 0: none */
    pt_time slow_until; /* no turn before this */
#endif
#if PT_PORT
    const struct pt_port *port; /* clock, idle, memory; NULL: the program's own */
#if PT_POOLS
    struct pt_owner heap;  /* owns the tasks of PT_SPAWN_NEW */
    struct pt_task *fresh; /* the last task that it gave out */
#endif
#endif
};

/* Keep count of the live tasks, where somebody wants to know. */
PT_ALWAYS void pt_loop_count_(struct pt_loop *loop, int change)
{
#if PT_CENSUS || PT_LOOP_HAS_STORAGE_
    loop->live += (unsigned)change;
#else
    (void)loop;
    (void)change;
#endif
}

/* pt_loop_init - an empty loop without storage; NOW: the clock, as for pt_loop_turn; O(1) */
PT_API void pt_loop_init(struct pt_loop *loop, pt_time now)
{
    pt_ready_init(&loop->ready);
#if PT_TIMERS != PT_TIMERS_NONE
    pt_timers_init(&loop->timers, now);
    loop->now = now;
#else
    (void)now;
#endif
#if PT_CENSUS
    loop->current = NULL;
#endif
#if PT_CENSUS || PT_LOOP_HAS_STORAGE_
    loop->live = 0;
#endif
#if PT_LOOP_HAS_STORAGE_
    loop->capacity = 0;
#endif
#if PT_NESTING
    loop->host = NULL;
#endif
#if PT_SLOWMO
    loop->slow = 0;
    loop->slow_until = now;
#endif
#if PT_PORT
    loop->port = NULL;
#endif
}

/* pt_loop_idle - whether nobody is ready; between turns; O(1) */
PT_ALWAYS bool pt_loop_idle(const struct pt_loop *loop)
{
    return pt_ready_empty(&loop->ready);
}

#if PT_CENSUS

/* pt_loop_ready - tasks in the ready queue: within a task, the others that could run
 * O(1) for a ring, O(n) for a list. */
PT_ALWAYS size_t pt_loop_ready(const struct pt_loop *loop)
{
    return pt_ready_count(&loop->ready);
}

/* pt_loop_live - tasks that were spawned and are not done, whatever they wait for; O(1) */
PT_ALWAYS unsigned pt_loop_live(const struct pt_loop *loop)
{
    return loop->live;
}

/* pt_loop_current - the task that runs, or NULL between turns; O(1) */
PT_ALWAYS struct pt_task *pt_loop_current(const struct pt_loop *loop)
{
    return loop->current;
}

#endif

PT_ALWAYS struct pt_task *pt_task_of_(struct pt_node *node)
{
    return (struct pt_task *)(void *)((char *)node - offsetof(struct pt_task, node));
}

/* --- storage: room for every task in every queue, reserved at its spawn ------------------- */

#if PT_LOOP_HAS_STORAGE_

/* PT_LOOP_STORAGE(n) - the type of static storage for a loop of up to N tasks */
#if PT_TIMERS_STORAGE && PT_READY_STORAGE
#define PT_LOOP_STORAGE(n)                           \
    struct {                                         \
        struct pt_heap_entry timers[n];              \
        struct pt_node *ready[PT_POWER_OF_TWO_(n) + PT_READY_AHEAD_];  \
    }
#define pt_loop_use(loop, storage)                                                              \
    (pt_ready_storage(&(loop)->ready, (storage)->ready,                                         \
                      sizeof((storage)->ready) / sizeof((storage)->ready[0]) - PT_READY_AHEAD_), \
     pt_loop_use_timers_(loop, storage))
#elif PT_READY_STORAGE
#define PT_LOOP_STORAGE(n)                           \
    struct {                                         \
        struct pt_node *ready[PT_POWER_OF_TWO_(n) + PT_READY_AHEAD_];  \
    }
#define pt_loop_use(loop, storage)                                                       \
    ((loop)->capacity = sizeof((storage)->ready) / sizeof((storage)->ready[0]) - PT_READY_AHEAD_, \
     pt_ready_storage(&(loop)->ready, (storage)->ready, (loop)->capacity))
#else
#define PT_LOOP_STORAGE(n)              \
    struct {                            \
        struct pt_heap_entry timers[n]; \
    }
/* pt_loop_use(&loop, &storage) - run with this storage; before the first spawn */
#define pt_loop_use(loop, storage) pt_loop_use_timers_(loop, storage)
#endif

#define pt_loop_use_timers_(loop, storage)                                            \
    ((loop)->capacity = sizeof((storage)->timers) / sizeof((storage)->timers[0]),     \
     pt_heap_storage(&(loop)->timers.heap, (storage)->timers, (pt_heap_index)(loop)->capacity))

/* N rounded up to a power of two, up to 2^16; a constant. */
#define PT_POWER_OF_TWO_(n) (PT_FILL_8_((n) - 1u) + 1u)
#define PT_FILL_8_(n) (PT_FILL_4_(n) | PT_FILL_4_(n) >> 8)
#define PT_FILL_4_(n) (PT_FILL_2_(n) | PT_FILL_2_(n) >> 4)
#define PT_FILL_2_(n) (PT_FILL_1_(n) | PT_FILL_1_(n) >> 2)
#define PT_FILL_1_(n) ((n) | (n) >> 1)

#else

/* Nothing to store: every queue is linked through the tasks. */
#define PT_LOOP_STORAGE(n)     \
    struct {                   \
        unsigned char none;    \
    }
#define pt_loop_use(loop, storage) ((void)(loop), (void)(storage))

#endif

#if PT_PORT && PT_LOOP_HAS_STORAGE_

/* A larger block in place of BLOCK; NULL, and all as it was, when there is none. */
PT_API void *pt_loop_resize_(const struct pt_loop *loop, void *block, unsigned n, size_t each)
{
    return n > SIZE_MAX / each ? NULL
                               : loop->port->resize(loop->port->context, block, n * each);
}

/* Double the room. What was bought before a failure is kept for the next try. */
PT_NOINLINE pt_status pt_loop_grow_(struct pt_loop *loop)
{
    unsigned room = loop->capacity ? loop->capacity * 2 : 16;

    if (!loop->port || !loop->port->resize || room < loop->capacity)
        return PT_ENOMEM;
#if PT_TIMERS_STORAGE
    {
        struct pt_heap_entry *entries = (struct pt_heap_entry *)pt_loop_resize_(
            loop, loop->timers.heap.entries, room, sizeof *entries);

        if (!entries)
            return PT_ENOMEM;
        pt_heap_storage(&loop->timers.heap, entries, room);
    }
#endif
#if PT_READY_STORAGE
    {
        struct pt_node **old = loop->ready.ring;
        struct pt_node **ring =
            (struct pt_node **)pt_loop_resize_(loop, NULL, room + PT_READY_AHEAD_, sizeof *ring);

        if (!ring)
            return PT_ENOMEM;
        pt_ready_storage(&loop->ready, ring, room);
        if (old)
            loop->port->resize(loop->port->context, old, 0);
    }
#endif
    loop->capacity = room;
    return PT_OK;
}

#elif PT_LOOP_HAS_STORAGE_

#define pt_loop_grow_(loop) ((pt_status)PT_ENOMEM)

#endif

/* --- states: every change of a task's queue is here ---------------------------------------- */

/* Put a task into the ready queue. */
PT_API void pt_loop_push_(struct pt_loop *loop, struct pt_task *task);

#if PT_NESTING
/* A nested loop has work: wake the task that runs it, wherever that sleeps. */
PT_COLD void pt_loop_rouse_(struct pt_task *host)
{
    struct pt_loop *outer = host->loop;

    if (host->state & PT_TASK_SLEEPING_)
        pt_timers_remove(&outer->timers, &host->node);
    else if (!(host->state & PT_TASK_PARKED_))
        return;
    host->state &= (uint8_t)~(PT_TASK_SLEEPING_ | PT_TASK_PARKED_);
    pt_loop_push_(outer, host);
}
#endif

PT_API void pt_loop_push_(struct pt_loop *loop, struct pt_task *task)
{
    pt_ready_push(&loop->ready, &task->node);
#if PT_NESTING
    if (PT_UNLIKELY(loop->host != NULL))
        pt_loop_rouse_(loop->host);
#endif
}

/* The loop of a task that stands in none of its queues. */
PT_ALWAYS struct pt_loop *pt_task_loop_(const struct pt_task *task)
{
#if PT_HAS_LOOP_
    return task->loop;
#else
    return (struct pt_loop *)task->node.link.operand;
#endif
}

/* Take a task out of all queues; STATE says why. */
PT_ALWAYS void pt_task_shelve_(struct pt_loop *loop, struct pt_task *task, uint8_t state)
{
    task->state |= state;
#if PT_HAS_LOOP_
    (void)loop;
#else
    task->node.link.operand = loop;
#endif
}

PT_ALWAYS void pt_task_unshelve_(struct pt_task *task, uint8_t states)
{
    struct pt_loop *loop = pt_task_loop_(task);

    task->state &= (uint8_t)~states;
    pt_loop_push_(loop, task);
}

/* pt_spawn - start a task whose storage PT_INIT and the like have filled in; O(1)
 * It runs behind those that are ready now. PT_START and PT_SPAWN call this; they have seen to it
 * that the task is not alive. Returns PT_OK, or PT_ENOMEM when the loop's storage is full. */
PT_SHARED pt_status pt_spawn(struct pt_loop *loop, struct pt_task *task)
{
    PT_ASSERT_(!pt_task_alive(task), "the task still runs", "pt_spawn");
#if PT_LOOP_HAS_STORAGE_
    if (loop->live >= loop->capacity && pt_loop_grow_(loop) != PT_OK) {
#if PT_POOLS
        if (task->owner)
            task->owner->release(task->owner, task);
#endif
        return PT_ENOMEM;
    }
#endif
    task->state = PT_TASK_ALIVE_;
#if PT_HAS_LOOP_
    task->loop = loop;
#endif
#if PT_JOINS
    pt_list_init(&task->joiners);
#endif
    pt_loop_count_(loop, 1);
    pt_loop_push_(loop, task);
    return PT_OK;
}

/* PT_START(&loop, &storage, rocket, .field = value ...) - spawn from outside of any task
 * An expression, PT_OK or the code of the failure; as PT_SPAWN in all else. */
#define PT_START(loop, storage, ...)                                                   \
    ((pt_status)(pt_task_claim_(&(storage)->task)                                      \
                     ? (PT_TASK_INIT_(storage, __VA_ARGS__), pt_spawn(loop, &(storage)->task)) \
                     : (pt_status)PT_EBUSY))

/* A park and a wake meet, each with its bit, and whichever comes second makes the task ready.
 * The two bits are the highest: both are there when the state is no less than their sum. */
PT_SHARED void pt_task_meet_(struct pt_task *task, uint8_t bit)
{
    task->state |= bit;
    if (task->state >= (PT_TASK_PARKED_ | PT_TASK_PERMIT_))
        pt_task_unshelve_(task, PT_TASK_PARKED_ | PT_TASK_PERMIT_);
}

/* pt_wake - end a task's PT_PARK, or the next one if it is not parked; O(1)
 * No effect on a task that is not alive. A task that waits in PT_JOIN keeps waiting. */
PT_ALWAYS void pt_wake(struct pt_task *task)
{
    pt_task_meet_(task, PT_TASK_PERMIT_); /* a task that is not alive forgets it at its spawn */
}

#if PT_PAUSE

/* pt_pause - keep a task from running until pt_resume, whatever it does; O(1)
 * It keeps what it waits for, and its awaited functions stop with it. A task that pauses
 * itself runs on to its next opcode. No effect on a task that is paused or not alive. */
PT_API void pt_pause(struct pt_task *task)
{
    if (pt_task_alive(task))
        task->state |= PT_TASK_PAUSED_;
}

/* pt_resume - let a paused task run again, at once if its wait is over; O(1)
 * No effect on a task that is not paused. */
PT_API void pt_resume(struct pt_task *task)
{
    if (task->state & PT_TASK_HELD_)
        pt_task_unshelve_(task, PT_TASK_HELD_ | PT_TASK_PAUSED_);
    else
        task->state &= (uint8_t)~PT_TASK_PAUSED_;
}

/* pt_task_paused - whether the task may not run: paused, or not alive in any loop; O(1) */
PT_ALWAYS bool pt_task_paused(const struct pt_task *task)
{
    return !pt_task_alive(task) || (task->state & PT_TASK_PAUSED_);
}

#endif

/* --- the interpreter ------------------------------------------------------------------------ */

#if PT_JOINS
/* Tell everybody who joined, first come, first told: the stack has them the other way round. */
PT_API void pt_loop_wake_joiners_(struct pt_task *task)
{
    struct pt_list order;

    pt_list_init(&order);
    while (task->joiners.first)
        pt_list_push(&order, pt_list_pop(&task->joiners));
    while (order.first) {
        struct pt_task *joiner = pt_task_of_(pt_list_pop(&order));

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
        pt_task_top_(task)->status =
            pt_spawn(loop, (struct pt_task *)task->node.link.operand);
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
        struct pt_task *task = pt_task_of_(pt_timers_pop(&loop->timers));

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
    if (loop->slow && pt_time_before(now, loop->slow_until))
        return loop->slow_until;
    loop->slow_until = now + loop->slow;
#endif
#if PT_TIMERS != PT_TIMERS_NONE
    loop->now = now;
    if (!PT_HOSTED || pt_timers_first(&loop->timers)) /* a PC saves time, a small part room */
        pt_loop_expire_(loop);
#endif
    batch = pt_ready_begin(&loop->ready);
    while (pt_ready_take(&loop->ready, &batch, &node, PT_HOT_BEHIND_)) {
        struct pt_task *task = pt_task_of_(node);

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
    if (loop->slow && pt_time_before(now, loop->slow_until))
        now = loop->slow_until;
#endif
    return now;
#endif
}

#if PT_SLOWMO
/* pt_loop_slow - let DELAY ticks pass after each turn, to watch a program; 0: full speed */
PT_API void pt_loop_slow(struct pt_loop *loop, pt_time delay)
{
    loop->slow = delay;
}
#endif

/* --- with a port ---------------------------------------------------------------------------- */

#if PT_PORT

#if PT_POOLS
PT_API void pt_loop_free_task_(struct pt_owner *heap, struct pt_task *task)
{
    struct pt_loop *loop =
        (struct pt_loop *)(void *)((char *)heap - offsetof(struct pt_loop, heap));

    loop->port->resize(loop->port->context, task, 0);
}
#endif

/* pt_loop_open - a loop on a port's clock and, if it has any, memory: storage grows with the
 * number of tasks. PORT outlives the loop. */
PT_API void pt_loop_open(struct pt_loop *loop, const struct pt_port *port)
{
    pt_loop_init(loop, port->now(port->context));
    loop->port = port;
#if PT_POOLS
    loop->heap.release = pt_loop_free_task_;
#endif
}

/* pt_loop_close - give the storage back that pt_loop_open's port lent; no task may be alive */
PT_API void pt_loop_close(struct pt_loop *loop)
{
    PT_ASSERT_(!loop->live, "tasks are still alive", "pt_loop_close");
#if PT_LOOP_HAS_STORAGE_
    if (loop->port->resize) { /* one of the two may be there without the other */
#if PT_TIMERS_STORAGE
        if (loop->timers.heap.entries)
            loop->port->resize(loop->port->context, loop->timers.heap.entries, 0);
#endif
#if PT_READY_STORAGE
        if (loop->ready.ring)
            loop->port->resize(loop->port->context, loop->ready.ring, 0);
#endif
        loop->capacity = 0;
    }
#endif
    loop->port = NULL;
}

/* pt_loop_run - turn, and idle between the turns, until no task is alive
 * Returns PT_OK, or PT_EDEADLK when tasks are left and the port says that nothing will ever
 * wake one. */
PT_API pt_status pt_loop_run(struct pt_loop *loop)
{
    const struct pt_port *port = loop->port;

    while (pt_loop_live(loop)) {
        pt_time now = port->now(port->context);
        pt_time next = pt_loop_turn(loop, now);

        if (pt_loop_live(loop) && next != now && !port->idle(port->context, now, next))
            return PT_EDEADLK;
    }
    return PT_OK;
}

#endif

#endif
