/* loop.h - the event loop: a ready queue, a timer queue, and their state
 * SPDX-License-Identifier: MIT
 *
 *     static struct pt_loop loop;
 *     static PT_TASK(blink) led;
 *
 *     pt_loop_init(&loop, clock());
 *     PT_START(&loop, &led, blink, .period = PT_MS(500));
 *     for (;;)
 *         pt_loop_turn_and_sleep(&loop, clock, sleep_until);
 *
 * A turn by hand neither reads a clock nor sleeps: the caller passes the time, and the turn returns
 * when the next one must begin. So pt_loop_turn_and_sleep (ports/board.h) is only a few lines: a
 * turn, and a sleep that checks with interrupts masked what was posted after the turn. A turn runs
 * each task that was ready when the turn began, in order, at most once: not one that is paused by
 * then. A task that becomes ready during the turn waits for the next one, so no task starves. */
#ifndef PT_LOOP_H
#define PT_LOOP_H

#include "../base/atomic.h"
#include "../base/port.h"
#include "../queue/ready.h"
#include "../coroutine/task.h"

/* Whether the queues need storage; whether the loop counts its tasks. */
#define PT_LOOP_HAS_STORAGE_ PT_OR_(PT_READY_STORAGE_, PT_TIMERS_STORAGE_)
#define PT_HAS_COUNT_ PT_OR_(PT_CENSUS, PT_LOOP_HAS_STORAGE_)

/* Whether the end of a task takes more than marking the task as not alive. */
#define PT_HAS_ENDS_                                                            \
    PT_OR_(PT_OR_(PT_OR_(PT_AWAIT, PT_HAS_COUNT_), PT_OR_(PT_JOINS, PT_POOLS)), \
           PT_OR_(PT_HAS_MEMBERS_, PT_HAS_SCOPES_))

/* The owner of a task's storage. The loop calls release when the task is done and its joiners are
 * woken, or when its spawn failed. After that call it does not touch the task again. */
struct pt_owner {
    void (*release)(struct pt_owner *owner, struct pt_task *task);
    PT_IF_(PT_INSPECT, const void *pool;) /* itself, if it is a pool; private */
};

/* The tasks that have begun to sleep, and whose timers are not armed yet: sleepers.h. */
#define PT_SLEEPERS_ PT_CHOOSE_(PT_HOSTED, 32, 4)
struct pt_sleepers_ {
    const struct pt_port *port;          /* the clock; NULL: a turn by hand, no sleepers */
    pt_time read;                        /* the last reading for sleepers */
    bool were_armed;                     /* by such a reading, in this turn */
    unsigned room, most;                 /* free places, and all; TASKS are filled from the end */
    struct pt_task *tasks[PT_SLEEPERS_]; /* NULL: its sleep has ended */
};

/* The loop. Only the functions write to it; you may read `now`; in a body PT_NOW() is newer. */
struct pt_loop {
    PT_IF_(PT_HAS_CLOCK_, struct pt_clock_ clock;) /* its first member: clock.h */
    struct pt_ready_ ready;                        /* what runs next */
#if PT_HAS_TIMERS_
    struct pt_timers_ timers; /* the tasks' timers, earliest first */
    pt_time now;              /* the time of the turn */
#endif
    PT_IF_(PT_CENSUS, struct pt_task *current;)           /* the task that runs, or NULL */
    PT_IF_(PT_HAS_COUNT_, unsigned live;)                 /* tasks spawned and not done */
    PT_IF_(PT_HAS_MEMBERS_, struct pt_wait_queue_ tasks;) /* tasks in no group: task->member */
#if PT_INSPECT
    struct pt_observer *observer; /* the last one added, or NULL */
    bool reports;                 /* PT_TRACE: an observer or a host is told of each wake */
    struct pt_kept *kept;         /* what pt_keep has declared, or NULL */
#endif
    PT_IF_(PT_LOOP_HAS_STORAGE_, unsigned capacity;) /* how many tasks fit */
    /* HOST runs this loop in another one. NESTED: a list of what runs loops in it. Or NULL. */
    PT_IF_(PT_NESTING, struct pt_task *host; struct pt_loop_async * nested;)
    PT_IF_(PT_REMOTE, struct pt_inbox_ inbox;)  /* posts: inbox.h */
    PT_IF_(PT_WAKERS, struct pt_waker *wakers;) /* those that are open: waker.h */
    /* The delay after each turn, 0: none. No turn before SLOW_UNTIL. */
    PT_IF_(PT_SLOWMO, pt_time slow; pt_time slow_until;)
#if PT_PORT
    const struct pt_port *port;   /* clock, idle, memory; or NULL */
    struct pt_sleepers_ sleepers; /* whose timers are not armed yet */
    /* How many remotes are open. The port on which the loop sleeps, or NULL; atomic. */
    PT_IF_(PT_REMOTE, unsigned remotes; const struct pt_port *sleeping_port;)
    /* HEAP owns the tasks of PT_SPAWN_NEW. TAKEN: the newest of them (pool.h). */
    PT_IF_(PT_POOLS, struct pt_owner heap; struct pt_task * taken;)
#endif
    PT_IF_(PT_HAS_LEVEL_, unsigned level;) /* PT_LEVEL in its last turn */
};

/* pt_loop_init - an empty loop without storage; NOW: the clock, as for pt_loop_turn; O(1) */
PT_API void pt_loop_init(struct pt_loop *loop, pt_time now);

/* pt_loop_idle - whether no task is ready; between turns; O(1) */
PT_ALWAYS bool pt_loop_idle(const struct pt_loop *loop);

#if PT_CENSUS
/* pt_loop_ready - how many tasks are in the ready queue, without the one that runs
 * O(1) for a ring, O(n) for a list. */
PT_ALWAYS size_t pt_loop_ready(const struct pt_loop *loop);

/* pt_loop_live - how many tasks were spawned and are not done, waiting or not; O(1) */
PT_ALWAYS unsigned pt_loop_live(const struct pt_loop *loop);

/* pt_loop_current - the task that runs, or NULL between turns; O(1) */
PT_ALWAYS struct pt_task *pt_loop_current(const struct pt_loop *loop);
#endif

/* pt_task_of - the task that contains NODE; O(1) */
PT_ALWAYS struct pt_task *pt_task_of(struct pt_node *node);

/* --- implementation ------------------------------------------------------------------------ */

/* What a build can lack: pt_loop_host_(loop), pt_loop_set_host_(loop, task), and so on. */
PT_FIELD_(PT_HAS_TIMERS_, pt_loop, pt_loop, now, pt_time, 0)
PT_FIELD_(PT_CENSUS, pt_loop, pt_census, current, struct pt_task *, NULL)
PT_FIELD_(PT_HAS_COUNT_, pt_loop, pt_census, live, unsigned, 0)
PT_FIELD_(PT_INSPECT, pt_loop, pt_loop, observer, struct pt_observer *, NULL)
PT_FIELD_(PT_NESTING, pt_loop, pt_loop, host, struct pt_task *, NULL)
PT_FIELD_(PT_NESTING, pt_loop, pt_loop, nested, struct pt_loop_async *, NULL)
/* Whether an observer or the host is told of each task that becomes ready: one test for both. */
PT_FIELD_(PT_TRACE, pt_loop, pt_loop, reports, bool, pt_loop_host_(its) != NULL)
PT_FIELD_(PT_INSPECT, pt_loop, pt_loop, kept, struct pt_kept *, NULL)
PT_FIELD_(PT_LOOP_HAS_STORAGE_, pt_loop, pt_loop, capacity, unsigned, 0)
PT_FIELD_(PT_WAKERS, pt_loop, pt_loop, wakers, struct pt_waker *, NULL)
PT_FIELD_(PT_SLOWMO, pt_loop, pt_slowmo, slow, pt_time, 0)
PT_FIELD_(PT_SLOWMO, pt_loop, pt_slowmo, slow_until, pt_time, 0)
PT_FIELD_(PT_PORT, pt_loop, pt_loop, port, const struct pt_port *, NULL)
PT_FIELD_(PT_AND_(PT_PORT, PT_REMOTE), pt_loop, pt_loop, remotes, unsigned, 0)
PT_FIELD_(PT_AND_(PT_PORT, PT_REMOTE), pt_loop, pt_loop, sleeping_port, const struct pt_port *,
          NULL)
PT_FIELD_(PT_HAS_LEVEL_, pt_loop, pt_loop, level, unsigned, 0)
#define PT_LEVEL_HERE_() PT_CHOOSE_(PT_HAS_LEVEL_, PT_LEVEL(), 0)

#if PT_HAS_CLOCK_
/* Set the loop's time. */
PT_ALWAYS void pt_loop_set_time_(struct pt_loop *loop, pt_time now)
{
    loop->now = loop->clock.now = now;
}

/* The loop's time is a new reading of the clock, not an old one (reading.h). */
PT_ALWAYS void pt_loop_set_reading_new_(struct pt_loop *loop)
{
    loop->clock.renew = NULL;
    loop->clock.steps = 0;
}

/* Set the port whose clock the turns of LOOP read for delays; NULL: a program makes the turns. */
PT_ALWAYS void pt_loop_set_delay_clock_(struct pt_loop *loop, const struct pt_port *port)
{
    loop->sleepers.port = port;
    loop->sleepers.were_armed = false;
    loop->clock.is_exact = port && port->is_cheap;
    loop->sleepers.most = 0;
    if (port && !port->is_cheap)
        loop->sleepers.most = PT_SLEEPERS_;
    loop->sleepers.room = loop->sleepers.most;
}
#else
#define pt_loop_set_time_(loop, time) pt_loop_set_now_(loop, time)
#define pt_loop_set_reading_new_(loop) ((void)0)
#define pt_loop_set_delay_clock_(loop, port) ((void)0)
#endif

PT_API void pt_loop_init(struct pt_loop *loop, pt_time now)
{
    pt_loop_set_reading_new_(loop);
    pt_loop_set_delay_clock_(loop, NULL);
    pt_ready_init_(&loop->ready);
    pt_timers_init_(&loop->timers, now);
    pt_loop_set_time_(loop, now);
    pt_census_set_current_(loop, NULL);
    pt_census_set_live_(loop, 0);
    PT_IF_(PT_HAS_MEMBERS_, pt_wait_queue_init_(&loop->tasks);)
    pt_loop_set_observer_(loop, NULL);
    pt_loop_set_reports_(loop, false);
    pt_loop_set_kept_(loop, NULL);
    pt_loop_set_capacity_(loop, 0);
    pt_loop_set_host_(loop, NULL);
    pt_loop_set_nested_(loop, NULL);
    PT_IF_(PT_REMOTE, loop->inbox.first = NULL;)
    pt_loop_set_wakers_(loop, NULL);
    pt_slowmo_set_slow_(loop, 0);
    pt_slowmo_set_slow_until_(loop, now);
    pt_loop_set_port_(loop, NULL);
    pt_loop_set_remotes_(loop, 0);
    pt_loop_set_sleeping_port_(loop, NULL);
    pt_loop_set_level_(loop, PT_LEVEL_HERE_());
}

PT_ALWAYS bool pt_loop_idle(const struct pt_loop *loop)
{
    return pt_ready_empty_(&loop->ready);
}

#if PT_CENSUS

PT_ALWAYS size_t pt_loop_ready(const struct pt_loop *loop)
{
    return pt_ready_count_(&loop->ready);
}

PT_ALWAYS unsigned pt_loop_live(const struct pt_loop *loop)
{
    return loop->live;
}

PT_ALWAYS struct pt_task *pt_loop_current(const struct pt_loop *loop)
{
    return loop->current;
}

#endif

PT_ALWAYS struct pt_task *pt_task_of(struct pt_node *node)
{
    return (struct pt_task *)(void *)((char *)node - offsetof(struct pt_task, node));
}

#endif
