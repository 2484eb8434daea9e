/* loop.h - the event loop: a ready queue, a timer queue, and what can be asked of them
 * SPDX-License-Identifier: MIT
 *
 *     static struct pt_loop loop;
 *     static PT_LOOP_STORAGE(4) storage;
 *     static PT_TASK(blink) led;
 *
 *     pt_loop_init(&loop, clock());
 *     pt_loop_use(&loop, &storage);
 *     PT_START(&loop, &led, blink, .period = PT_MS(500));
 *     for (;;) {
 *         pt_time next = pt_loop_turn(&loop, clock());
 *
 *         mask_interrupts();                    what comes from here on ends the sleep
 *         if (pt_loop_idle(&loop) && !pt_loop_posted(&loop))
 *             sleep_until(next);
 *         unmask_interrupts();
 *     }
 *
 * Time is an argument, and the loop says when it wants to be called again: it neither reads a
 * clock nor sleeps. The look before the sleep is for what an interrupt posted since the turn. A turn runs every task that was ready when it began once, in order; what
 * becomes ready meanwhile waits for the next turn, so that nobody starves. */
#ifndef PT_LOOP_H
#define PT_LOOP_H

#include "../base/atomic.h"
#include "../base/port.h"
#include "../queue/ready.h"
#include "../coroutine/task.h"

/* Whether its queues need storage; whether it counts its tasks; whether posts wake its port; whether tasks
 * come from the port's memory. */
#define PT_LOOP_HAS_STORAGE_ PT_OR_(PT_READY_STORAGE_, PT_TIMERS_STORAGE_)
#define PT_HAS_COUNT_ PT_OR_(PT_CENSUS, PT_LOOP_HAS_STORAGE_)
#define PT_HAS_SLEEPING_PORT_ PT_AND_(PT_PORT, PT_REMOTE)
#define PT_HAS_HEAP_ PT_AND_(PT_PORT, PT_POOLS)

/* Whether it takes more to end a task than to say that it is not alive. */
#define PT_HAS_ENDS_                                                            \
    PT_OR_(PT_OR_(PT_OR_(PT_AWAIT, PT_HAS_COUNT_), PT_OR_(PT_JOINS, PT_POOLS)), \
           PT_OR_(PT_HAS_MEMBERS_, PT_HAS_SCOPES_))

#if PT_POOLS
/* Whoever owns the storage of a task. release gets the task when it is done, its joiners are
 * woken, and the loop will not touch it again. */
struct pt_owner {
    void (*release)(struct pt_owner *owner, struct pt_task *task);
};
#endif

#if PT_INSPECT
/* What an observer may choose from: the tasks that this turn has still to run, in order. */
struct pt_choice {
    size_t count; /* how many, at least one */
    const struct pt_ready_ *ready;
    const struct pt_batch_ *batch;
};

/* Who watches each step of a loop, or chooses what comes next. Members may be NULL. */
struct pt_observer {
    /* Which of CHOICE runs next, a number below its count. Of several observers the last one that
     * was added and has this member is asked. */
    size_t (*pick)(struct pt_observer *self, const struct pt_choice *choice);

    /* TASK is about to be resumed; it has returned the opcode OP, and it waits, or goes on, as OP says
     * (a DONE takes effect after this call); it is done, and its storage is still there; the tasks of
     * a turn have run. What an observer may do in each: observe.h. */
    void (*resumes)(struct pt_observer *self, struct pt_task *task);
    void (*returned)(struct pt_observer *self, struct pt_task *task, enum pt_opcode op);
    void (*ended)(struct pt_observer *self, struct pt_task *task);
    void (*turned)(struct pt_observer *self, struct pt_loop *loop);

    struct pt_observer *next; /* written by pt_loop_observe */
};
#endif

/* The loop. Written through the functions; `now` may be read. */
struct pt_loop {
    struct pt_ready_ ready;                               /* what runs next */
    PT_IF_(PT_HAS_TIMERS_, struct pt_timers_ timers;)     /* what sleeps, earliest first */
    PT_IF_(PT_HAS_TIMERS_, pt_time now;)                  /* the time of the turn */
    PT_IF_(PT_CENSUS, struct pt_task *current;)           /* the task that runs, or NULL */
    PT_IF_(PT_HAS_COUNT_, unsigned live;)                 /* tasks spawned and not done */
    PT_IF_(PT_HAS_MEMBERS_, struct pt_wait_queue_ tasks;) /* those of no group, by task->member */
    PT_IF_(PT_INSPECT, struct pt_observer *observer;)     /* the last one added, or NULL */
    PT_IF_(PT_LOOP_HAS_STORAGE_, unsigned capacity;)      /* tasks there is room for */
    PT_IF_(PT_NESTING, struct pt_task *host;)  /* the task that runs it in another loop, or NULL */
    PT_IF_(PT_REMOTE, struct pt_inbox_ inbox;) /* posts: remote.h */
    PT_IF_(PT_SLOWMO, pt_time slow;)           /* the delay after each turn, 0: none */
    PT_IF_(PT_SLOWMO, pt_time slow_until;)     /* no turn before this */
    PT_IF_(PT_PORT, const struct pt_port *port;) /* clock, idle, memory; or NULL */
    PT_IF_(PT_HAS_SLEEPING_PORT_,
           const struct pt_port *sleeping_port;) /* the port on which it sleeps, or NULL; atomic */
    PT_IF_(PT_HAS_HEAP_, struct pt_owner heap;)  /* owns the tasks of PT_SPAWN_NEW */
    PT_IF_(PT_HAS_HEAP_, struct pt_task *last_allocated;) /* the last task that it gave out */
};

/* Keep count of the live tasks, where something asks for it. */
PT_ALWAYS void pt_loop_count_(struct pt_loop *loop, int change)
{
    (void)loop;
    (void)change;
    PT_IF_(PT_HAS_COUNT_, loop->live += (unsigned)change;)
}

/* TASK runs now, or NULL: none does. */
PT_ALWAYS void pt_loop_runs_(struct pt_loop *loop, struct pt_task *task)
{
    (void)loop;
    (void)task;
    PT_IF_(PT_CENSUS, loop->current = task;)
}

/* pt_loop_init - an empty loop without storage; NOW: the clock, as for pt_loop_turn; O(1) */
PT_API void pt_loop_init(struct pt_loop *loop, pt_time now)
{
    (void)now;
    pt_ready_init_(&loop->ready);
    PT_IF_(PT_HAS_TIMERS_, pt_timers_init_(&loop->timers, now);)
    PT_IF_(PT_HAS_TIMERS_, loop->now = now;)
    PT_IF_(PT_CENSUS, loop->current = NULL;)
    PT_IF_(PT_HAS_COUNT_, loop->live = 0;)
    PT_IF_(PT_HAS_MEMBERS_, pt_wait_queue_init_(&loop->tasks);)
    PT_IF_(PT_INSPECT, loop->observer = NULL;)
    PT_IF_(PT_LOOP_HAS_STORAGE_, loop->capacity = 0;)
    PT_IF_(PT_NESTING, loop->host = NULL;)
    PT_IF_(PT_REMOTE, loop->inbox.first = NULL;)
    PT_IF_(PT_SLOWMO, loop->slow = 0;)
    PT_IF_(PT_SLOWMO, loop->slow_until = now;)
    PT_IF_(PT_PORT, loop->port = NULL;)
    PT_IF_(PT_HAS_SLEEPING_PORT_, loop->sleeping_port = NULL;)
}

/* pt_loop_idle - whether nobody is ready; between turns; O(1) */
PT_ALWAYS bool pt_loop_idle(const struct pt_loop *loop)
{
    return pt_ready_empty_(&loop->ready);
}

#if PT_CENSUS

/* pt_loop_ready - tasks in the ready queue: within a task, the others that could run
 * O(1) for a ring, O(n) for a list. */
PT_ALWAYS size_t pt_loop_ready(const struct pt_loop *loop)
{
    return pt_ready_count_(&loop->ready);
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

/* pt_task_of - the task whose node stood in a queue; O(1) */
PT_ALWAYS struct pt_task *pt_task_of(struct pt_node *node)
{
    return (struct pt_task *)(void *)((char *)node - offsetof(struct pt_task, node));
}

#if PT_HAS_TIMERS_
/* The task whose timer stood in the timer queue, and its timer. */
#if PT_TIMEOUTS
#define PT_TASK_TIMER_ timer
#elif PT_TIMERS_STORAGE_
#define PT_TASK_TIMER_ node.link.index
#else
#define PT_TASK_TIMER_ node
#endif

PT_ALWAYS struct pt_task *pt_task_of_timer_(pt_timer_ *timer)
{
    return (struct pt_task *)(void *)((char *)timer - offsetof(struct pt_task, PT_TASK_TIMER_));
}

PT_ALWAYS pt_timer_ *pt_task_timer_(struct pt_task *task)
{
    return &task->PT_TASK_TIMER_;
}
#endif

#if PT_HAS_MEMBERS_
/* The task whose member stands in a list of its loop, or of its group. */
PT_ALWAYS struct pt_task *pt_task_of_member_(struct pt_node *member)
{
    return (struct pt_task *)(void *)((char *)member - offsetof(struct pt_task, member));
}
#endif

#endif
