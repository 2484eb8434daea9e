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

#define PT_LOOP_HAS_STORAGE_ (PT_READY_STORAGE || PT_TIMERS_STORAGE)

/* Whether it takes more to end a task than to say that it is not alive. */
#define PT_HAS_ENDS_                                                                             \
    (PT_AWAIT || PT_CENSUS || PT_LOOP_HAS_STORAGE_ || PT_JOINS || PT_POOLS || PT_HAS_MEMBERS_ || \
     PT_HAS_SCOPES_)

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
    const struct pt_ready *ready;
    const struct pt_batch *batch;
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
    struct pt_ready ready; /* who runs next */
#if PT_HAS_TIMERS_
    struct pt_timers timers; /* who sleeps, earliest first */
    pt_time now;             /* the time of the turn; read it, do not write it */
#endif
#if PT_CENSUS
    struct pt_task *current; /* who runs, or NULL */
#endif
#if PT_CENSUS || PT_LOOP_HAS_STORAGE_
    unsigned live; /* tasks spawned and not done */
#endif
#if PT_HAS_MEMBERS_
    struct pt_waits tasks; /* those that belong to no group, by task->member */
#endif
#if PT_INSPECT
    struct pt_observer *observer; /* the last one added, or NULL */
#endif
#if PT_LOOP_HAS_STORAGE_
    unsigned capacity; /* tasks there is room for */
#endif
#if PT_NESTING
    struct pt_task *host; /* the task that runs this loop in another one, or NULL */
#endif
#if PT_REMOTE
    struct pt_inbox inbox; /* what came from other threads and interrupts: remote.h */
#endif
#if PT_SLOWMO
    pt_time slow;       /* the delay after each turn, 0: none */
    pt_time slow_until; /* no turn before this */
#endif
#if PT_PORT
    const struct pt_port *port; /* clock, idle, memory; NULL: the program's own */
#if PT_REMOTE
    const struct pt_port *dozing; /* on which port it sleeps, or is about to; or NULL; atomic */
#endif
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
#if PT_HAS_TIMERS_
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
#if PT_HAS_MEMBERS_
    pt_waits_init(&loop->tasks);
#endif
#if PT_INSPECT
    loop->observer = NULL;
#endif
#if PT_LOOP_HAS_STORAGE_
    loop->capacity = 0;
#endif
#if PT_NESTING
    loop->host = NULL;
#endif
#if PT_REMOTE
    loop->inbox.first = NULL;
#endif
#if PT_SLOWMO
    loop->slow = 0;
    loop->slow_until = now;
#endif
#if PT_PORT
    loop->port = NULL;
#if PT_REMOTE
    loop->dozing = NULL;
#endif
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

/* pt_task_of - the task whose node stood in a queue; O(1) */
PT_ALWAYS struct pt_task *pt_task_of(struct pt_node *node)
{
    return (struct pt_task *)(void *)((char *)node - offsetof(struct pt_task, node));
}

#if PT_HAS_TIMERS_
/* The task whose timer stood in the timer queue, and its timer. */
#if PT_TIMEOUTS
#define PT_TASK_TIMER_ timer
#elif PT_TIMERS_STORAGE
#define PT_TASK_TIMER_ node.link.index
#else
#define PT_TASK_TIMER_ node
#endif

PT_ALWAYS struct pt_task *pt_task_of_timer_(pt_timer *timer)
{
    return (struct pt_task *)(void *)((char *)timer - offsetof(struct pt_task, PT_TASK_TIMER_));
}

PT_ALWAYS pt_timer *pt_task_timer_(struct pt_task *task)
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
