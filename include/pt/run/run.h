/* run.h - run a loop: one turn, or turns and sleeps until no task is alive
 * SPDX-License-Identifier: MIT
 *
 *     next = pt_loop_turn(&loop, now);              on a small part: loop.h shows it in its loop
 *
 *     pt_loop_open(&loop, &pt_posix);               on a port
 *     PT_START(&loop, &task, rocket, .countdown = 3);
 *     pt_loop_run(&loop);
 *     pt_loop_close(&loop);
 *
 * In a turn:
 *
 *     pt_loop_drain_       the posts: the callbacks of remotes run
 *     pt_loop_wake_due_    the timers that are due: sleeps and blocks end
 *     pt_loop_run_ready_   the batch: each task runs until it yields or waits (interpreter.h)
 *
 * To read the clock costs as much as several short steps. So pt_loop_run goes on with the next
 * batch on the same reading while nothing is posted or due (pt_loop_goes_on_), for at most
 * PT_TURN_STEPS steps, and only if those of the last reading were short. This is invisible to a
 * body: the first one that uses the time in such a batch renews the reading (pt_clock_), so no
 * delay counts from an old one. */
#ifndef PT_RUN_H
#define PT_RUN_H

#include "interpreter.h"

/* --- one turn ------------------------------------------------------------------------------ */

/* pt_loop_turn - run what is ready and what is due at NOW, each task once, in order
 * Returns when to call it again, at the latest: NOW while a task is ready; else the next
 * deadline; or NOW + PT_DELAY_NEVER if only a wake can make a task ready. If pt_loop_update
 * moved the time, the result counts from loop->now. NOW must never go back: while a timer is
 * armed, PT_DEBUG stops. Do not call this in a task of the same loop. Cost: O(1) for each task,
 * and a pop for each timer that is due. Without timers, the result counts from NOW. */
PT_API pt_time pt_loop_turn(struct pt_loop *loop, pt_time now);

#if PT_HAS_UPDATE_
/* pt_loop_update - in a task, after a step that took long: set the loop's time to NOW
 * A delay counts from the time at which the turn began. Without this call after a long step, the
 * next PT_WAIT of the task, and of the tasks after it, would end too early. Tasks that are due by
 * NOW become ready for the next turn. No effect if NOW is not later than the loop's time. A
 * remote's callback and an observer may call it too. The loops around a nested loop get the same
 * time; the loops inside it get theirs at their next turns. */
PT_API void pt_loop_update(struct pt_loop *loop, pt_time now);
#endif

#if PT_SLOWMO
/* pt_loop_slow - let DELAY ticks pass after each turn, to watch a program; 0: full speed
 * A DELAY over PT_DELAY_MAX counts as PT_DELAY_MAX. */
PT_API void pt_loop_slow(struct pt_loop *loop, uint64_t delay);
#endif

/* --- on a port ----------------------------------------------------------------------------- */

#if PT_PORT
/* pt_loop_open - open a loop that uses a port's clock and, if it has any, its memory
 * With memory, the loop's storage grows with the number of tasks. PORT must outlive the loop. */
PT_API void pt_loop_open(struct pt_loop *loop, const struct pt_port *port);

/* pt_loop_run - run turns, and sleep between them, until no task is alive
 * It reads the clock before a turn, unless the turns before it have run only a few short steps
 * since the last reading: then loop->now can be older than the turn. PT_NOW, and each operation
 * that takes a time, renews it first. Returns PT_OK, or PT_EDEADLK when tasks are left and the
 * port reports that nothing will ever wake one. The port of a pt_system never does: it waits.
 * With an open remote, a loop on a port with a kick waits, too, for example on pt_posix: a post
 * can come. */
PT_API pt_status pt_loop_run(struct pt_loop *loop);

/* pt_loop_close - close a loop, and give its storage back to the port; no task may be alive
 * After PT_EDEADLK, pt_loop_cancel and another pt_loop_run end the tasks that are left, and run
 * their cleanups. */
PT_API void pt_loop_close(struct pt_loop *loop);
#endif

/* --- implementation ------------------------------------------------------------------------ */

#if PT_HAS_TIMERS_
/* Whether a task whose timer has expired only sleeps: it has no blocks, waits in no queue, and is
 * not parked. */
PT_ALWAYS bool pt_task_only_sleeps_(const struct pt_loop *loop, const struct pt_task *task)
{
    const uint8_t sleeps = PT_TIMEOUTS ? PT_STATE_SLEEPING_ : 0; /* else each timer is a sleep's */

    if (PT_TIMEOUTS &&
        (!PT_HOSTED || pt_task_scopes_(task) || pt_time_before(loop->now, task->node.at)))
        return false;
    if (!PT_TIMEOUTS && !PT_SELECTS && !PT_TIMED_PARKS)
        return true;
    return (task->state & (sleeps | PT_STATE_QUEUED_ | PT_STATE_READY_)) ==
           (sleeps | PT_STATE_READY_);
}

/* A task's entry for the time AT has left the timer queue. Returns true if the task has a block or
 * waits in a queue: then everything is done here. False, the usual case: this ends a sleep, and the
 * caller makes the task ready. */
PT_ALWAYS bool pt_loop_expired_(const struct pt_loop *loop, struct pt_task *task, pt_time at)
{
    if (PT_TIMEOUTS)
        pt_task_set_flags_(task, pt_task_flags_(task) & (uint8_t)~PT_FLAG_TIMED_);
    if (PT_LIKELY(pt_task_only_sleeps_(loop, task)))
        return false;
    pt_task_expire_(task, at);
    return true;
}

/* Wake all tasks that are due. A sleep that they begin in this turn ends in a later one. WATCHED
 * is a constant: whether observers are told. */
PT_ALWAYS void pt_loop_expire_by_(struct pt_loop *loop, bool watched)
{
    pt_timer_ *first;

    while ((first = pt_timers_first_(&loop->timers)) != NULL) {
        struct pt_task *task = pt_task_of_timer_(first);
        pt_time at = pt_timers_first_at_(&loop->timers);

        if (pt_time_before(loop->now, at))
            break;
        pt_timers_pop_(&loop->timers);
        if (watched)
            pt_loop_tell_expired_(loop, task, at);
        if (pt_loop_expired_(loop, task, at))
            continue;
        task->state &= (uint8_t)~PT_STATE_SLEEPING_;
        pt_ready_push_(&loop->ready, &task->node);
        if (watched)
            pt_loop_tell_woken_(loop, task, false);
    }
    pt_timers_rebase_(&loop->timers, loop->now);
}

PT_COLD void pt_loop_expire_(struct pt_loop *loop)
{
    pt_loop_expire_by_(loop, false);
}

#if PT_TRACE
PT_COLD void pt_loop_expire_watched_(struct pt_loop *loop)
{
    pt_loop_expire_by_(loop, true);
}
#else
#define pt_loop_expire_watched_(loop) pt_loop_expire_(loop)
#endif

/* Wake the tasks that are due at the time of the turn. WATCHED is a constant, as above. */
PT_ALWAYS void pt_loop_wake_due_(struct pt_loop *loop, bool watched)
{
    if (watched)
        pt_loop_expire_watched_(loop);
    else if (!PT_HOSTED || pt_timers_first_(&loop->timers)) /* faster on a PC, smaller elsewhere */
        pt_loop_expire_(loop);
    else
        pt_timers_rebase_(&loop->timers, loop->now); /* a nested loop's epoch can be later */
}

/* When the next turn has work: now, at a deadline, or "never". */
PT_SHORT pt_time pt_loop_next_(const struct pt_loop *loop)
{
    const pt_timer_ *first = pt_timers_first_(&loop->timers);
    pt_time next = loop->now;

    if (pt_loop_idle(loop))
        next = first ? pt_timers_first_at_(&loop->timers) : (pt_time)(next + PT_DELAY_NEVER);
    return next;
}
#define pt_loop_next_from_(loop, now) pt_loop_next_(loop)
#else
#define pt_loop_wake_due_(loop, watched) ((void)0)
#define pt_loop_next_from_(loop, now) \
    (pt_loop_idle(loop) ? (pt_time)((now) + PT_DELAY_NEVER) : (now))
#endif

#if PT_SLOWMO
PT_ALWAYS bool pt_loop_is_slow_(const struct pt_loop *loop)
{
    return loop->slow != 0;
}

/* Whether the delay after the last turn still runs. */
PT_ALWAYS bool pt_loop_slows_(struct pt_loop *loop)
{
    if (PT_LIKELY(loop->slow == 0))
        return false;
    /* The end is ahead by at most the delay; if it seems further ahead, it is long past. */
    if ((pt_time)(loop->slow_until - loop->now - 1) < loop->slow)
        return true;
    loop->slow_until = loop->now + loop->slow;
    return false;
}

/* The time of the next turn, which without slow motion would be NEXT. */
PT_ALWAYS pt_time pt_loop_slowed_(const struct pt_loop *loop, pt_time next)
{
    if (PT_UNLIKELY(loop->slow != 0) && pt_time_before(loop->now, loop->slow_until) &&
        pt_time_before(next, loop->slow_until))
        next = loop->slow_until; /* unless pt_loop_update has moved the time past it */
    return next;
}

PT_API void pt_loop_slow(struct pt_loop *loop, uint64_t delay)
{
    pt_time ticks = delay > PT_DELAY_MAX ? PT_DELAY_MAX : (pt_time)delay;

    if (!loop->slow)
        loop->slow_until = loop->now; /* an old value can be half the range away */
    if (pt_time_before((pt_time)(loop->now + ticks), loop->slow_until))
        loop->slow_until = (pt_time)(loop->now + ticks); /* it was for a longer delay */
    loop->slow = ticks;
    pt_host_wake_(loop);
}
#else
#define pt_loop_is_slow_(loop) false
#define pt_loop_slows_(loop) false
#define pt_loop_slowed_(loop, next) (next)
#endif

/* A paused or interrupted task is next in the batch: hold it, or take the next step of its end.
 * Returns whether it runs in this turn. */
PT_COLD bool pt_loop_admit_(struct pt_loop *loop, struct pt_task *task)
{
    pt_loop_runs_(loop, NULL); /* the task can end here */
    if (!(task->state & PT_STATE_PAUSED_))
        return pt_task_divert_(task);
    pt_task_block_(loop, task, PT_STATE_HELD_);
    pt_loop_tell_blocked_(loop, task);
    return false;
}

/* Run all tasks that are ready. WATCHED and BEHIND are constants: whether observers are told,
 * and how far to prefetch behind a node, or 0. */
PT_ALWAYS void pt_loop_run_ready_(struct pt_loop *loop, bool watched, size_t behind)
{
    struct pt_batch_ batch = pt_ready_begin_(&loop->ready);
    struct pt_node *node;

    for (;;) {
        struct pt_task *task;

        if (watched)
            pt_loop_pick_(loop, &batch);
        if (!pt_ready_take_(&loop->ready, &batch, &node, behind))
            break;
        task = pt_task_of(node);
        if (PT_UNLIKELY(task->state & (PT_STATE_PAUSED_ | PT_STATE_INTERRUPTED_)) &&
            !pt_loop_admit_(loop, task))
            continue;
        pt_loop_run_task_(loop, &batch, task, watched);
    }
}

/* The timers and the batch of a turn that observers see. */
PT_COLD void pt_loop_run_watched_(struct pt_loop *loop)
{
    pt_loop_wake_due_(loop, true);
    pt_loop_run_ready_(loop, true, 0);
    pt_loop_tell_turned_(loop);
}

/* Carry out the posts. */
PT_ALWAYS void pt_loop_drain_(struct pt_loop *loop)
{
    PT_IF_(PT_HAS_INNER_INBOX_,
           PT_ASSERT_(!loop->host || !pt_loop_posted(loop),
                      "a remote of a nested loop: open it for the outermost loop",
                      "pt_remote_open");)
    if (PT_UNLIKELY(pt_loop_seems_posted_(loop)))
        pt_loop_receive_(loop);
    pt_loop_wake_posted_(loop);
}

/* PT_DEBUG: stop if NOW is before the loop's time. While no timer is armed, NOW can be more than
 * half of the range ahead, which looks the same. */
#if PT_DEBUG && PT_HAS_TIMERS_
PT_ALWAYS void pt_loop_check_now_(const struct pt_loop *loop, pt_time now)
{
    PT_ASSERT_(!pt_timers_first_(&loop->timers) || !pt_time_before(now, loop->now),
               "the time went back: a counter must wrap at PT_TIME_BITS bits, widen it or set "
               "PT_TIME_BITS to its width",
               "pt_loop_turn");
}
#else
#define pt_loop_check_now_(loop, now) ((void)0)
#endif

#if PT_HAS_READINGS_
/* Read the clock for a turn that has an old reading. What is due now becomes ready for the next. */
PT_COLD void pt_loop_renew_(struct pt_loop *loop)
{
    loop->clock.renew = NULL;
    pt_loop_update(loop, loop->port->now(loop->port->context));
}

/* Whether the next batch may run on the same reading of the clock: it has at most loop->steps
 * tasks, which it takes off, and a turn would find no other work. */
PT_ALWAYS bool pt_loop_goes_on_(struct pt_loop *loop)
{
    const pt_timer_ *first;
    unsigned ready;

    if (PT_UNLIKELY(pt_loop_observer_(loop) != NULL))
        return false;
    if (PT_UNLIKELY(pt_loop_is_slow_(loop)))
        return false;
    if (PT_UNLIKELY(pt_loop_seems_posted_(loop)))
        return false;
    if (pt_loop_wakes_(loop))
        return false;
    ready = pt_ready_few_(&loop->ready, loop->steps);
    first = pt_timers_first_(&loop->timers);
    if (PT_UNLIKELY(!ready) ||
        (first && !pt_time_before(loop->now, pt_timers_first_at_(&loop->timers))))
        return false;
    loop->steps -= ready;
    loop->clock.renew = pt_loop_renew_;
    return true;
}
#else
#define pt_loop_goes_on_(loop) false
#endif

/* A batch of READY tasks runs: note how many of STEPS are left for further ones. */
PT_ALWAYS void pt_loop_spend_(struct pt_loop *loop, unsigned ready, unsigned steps)
{
    pt_loop_set_steps_(loop, ready < steps ? steps - ready : 0);
}

/* The batch of a turn. On a PC, one with too many tasks for the cache prefetches; then no steps
 * are left. */
#if PT_HOSTED && PT_READY_STORAGE_
#define PT_CACHED_TASKS_ 2048

PT_NOINLINE void pt_loop_run_many_(struct pt_loop *loop)
{
    pt_loop_run_ready_(loop, false, PT_HOT_BEHIND_);
}

PT_ALWAYS void pt_loop_run_batch_(struct pt_loop *loop, unsigned steps)
{
    unsigned ready = pt_ready_few_(&loop->ready, PT_CACHED_TASKS_);

    if (PT_UNLIKELY(!ready)) {
        pt_loop_run_many_(loop);
        return;
    }
    pt_loop_spend_(loop, ready, steps);
    pt_loop_run_ready_(loop, false, 0);
}
#else
PT_ALWAYS void pt_loop_run_batch_(struct pt_loop *loop, unsigned steps)
{
    unsigned ready = steps ? pt_ready_few_(&loop->ready, steps) : 0;

    pt_loop_spend_(loop, ready ? ready : steps, steps);
    pt_loop_run_ready_(loop, false, 0);
}
#endif

/* One turn; then further batches at the same time, of up to STEPS tasks in all. */
PT_ALWAYS pt_time pt_loop_turns_(struct pt_loop *loop, pt_time now, unsigned steps)
{
    PT_IF_(PT_CENSUS,
           PT_ASSERT_(!loop->current, "called from a task of the same loop", "pt_loop_turn");)
    pt_loop_check_now_(loop, now);
    PT_IF_(PT_HAS_LEVEL_, loop->level = PT_LEVEL();)
    pt_loop_read_anew_(loop);
    pt_loop_set_time_(loop, now);
    pt_loop_drain_(loop); /* also between two slow turns: a loop that has posts does not sleep */
    if (pt_loop_slows_(loop))
        return pt_loop_slow_until_(loop);
    if (PT_UNLIKELY(pt_loop_observer_(loop) != NULL)) {
        pt_loop_run_watched_(loop);
    } else {
        pt_loop_wake_due_(loop, false);
        pt_loop_run_batch_(loop, steps);
        while (steps && PT_LIKELY(pt_loop_goes_on_(loop))) {
            pt_loop_run_ready_(loop, false, 0);
            PT_OPAQUE_(loop); /* else registers hold what is needed after the last batch */
        }
    }
    pt_loop_runs_(loop, NULL);
    return pt_loop_slowed_(loop, pt_loop_next_from_(loop, now));
}

PT_API pt_time pt_loop_turn(struct pt_loop *loop, pt_time now)
{
    return pt_loop_turns_(loop, now, 0);
}

#if PT_HAS_UPDATE_
/* The loop in which a nested loop runs, or NULL. */
PT_ALWAYS struct pt_loop *pt_loop_outer_(const struct pt_loop *loop)
{
    return pt_loop_host_(loop) ? pt_task_loop_(pt_loop_host_(loop)) : NULL;
}

PT_API void pt_loop_move_on_(struct pt_loop *loop, pt_time now)
{
    if (!pt_time_before(loop->now, now))
        return;
    pt_loop_set_time_(loop, now);
    PT_IF_(PT_HAS_TIME_IN_NODE_, if (loop->current) loop->current->node.at = now;)
    if (pt_loop_observer_(loop)) /* due timers leave the queue before a task arms a new one */
        pt_loop_expire_watched_(loop);
    else
        pt_loop_expire_(loop);
}

PT_API void pt_loop_update(struct pt_loop *loop, pt_time now)
{
    for (; loop; loop = pt_loop_outer_(loop))
        pt_loop_move_on_(loop, now);
}
#endif

#if PT_PORT

PT_API void pt_loop_open(struct pt_loop *loop, const struct pt_port *port)
{
    pt_loop_init(loop, port->now(port->context));
    loop->port = port;
    PT_IF_(PT_POOLS, loop->heap.release = pt_loop_free_task_;)
    PT_IF_(PT_AND_(PT_POOLS, PT_INSPECT), loop->heap.pool = NULL;)
}

/* Sleep until the time is NEXT or something is posted; false: nothing can happen any more. */
PT_API bool pt_loop_sleep_until_(struct pt_loop *loop, pt_time now, pt_time next)
{
    bool more;

    if (!pt_loop_may_sleep_(loop))
        return true;
    more = loop->port->idle(loop->port->context, now, next);
    if (!more && pt_loop_hears_(loop))
        more = loop->port->idle(loop->port->context, now, (pt_time)(now + PT_DELAY_MAX));
    pt_loop_announce_(loop, NULL);
    return more;
}

/* How many steps the next reading of the clock is for, after one for STEPS was PASSED ticks old: up
 * to PT_TURN_STEPS of short ones, and a single batch if they take long. So timers are noticed after
 * some 10 microseconds, or a batch if that takes longer; but once after as many steps as were short
 * before, if they take long from now on. */
PT_API unsigned pt_turn_steps_(unsigned steps, pt_time passed)
{
    unsigned most = PT_TURN_STEPS, more = 2 * steps + 1;

    if (passed >= PT_US(10))
        return steps / 4;
    return more < most ? more : most;
}

/* The turns of pt_loop_run, not inlined there: a batch needs the registers. */
PT_NOINLINE pt_time pt_loop_run_turns_(struct pt_loop *loop, pt_time now, unsigned steps)
{
    return pt_loop_turns_(loop, now, steps);
}

PT_API pt_status pt_loop_run(struct pt_loop *loop)
{
    const struct pt_port *port = loop->port;
    pt_time now, next, read = 0, (*clock)(void *context);
    unsigned steps = 0;
    bool sleeps = true;

    PT_ASSERT_(port, "the loop has no port: call pt_loop_open, or pt_loop_turn", "pt_loop_run");
    clock = port->turn ? port->turn : port->now;
    while (pt_loop_live(loop)) {
        now = clock(port->context);
        if (!sleeps)
            steps = pt_turn_steps_(steps, (pt_time)(now - read));
        read = now;
        next = pt_loop_run_turns_(loop, now, steps);
        if (PT_HAS_TIMERS_)
            now = pt_loop_now_(loop); /* a task can have moved it: pt_loop_update */
        sleeps = next != now && !pt_loop_reading_is_old_(loop);
        if (sleeps && now != read)
            steps = pt_turn_steps_(steps, (pt_time)(now - read));
        if (pt_loop_live(loop) && sleeps && !pt_loop_sleep_until_(loop, now, next))
            return PT_EDEADLK;
    }
    return PT_OK;
}

PT_API void pt_loop_close(struct pt_loop *loop)
{
    PT_IF_(PT_REMOTE, pt_loop_shut(loop);)
    PT_ASSERT_(!loop->live, "tasks are still alive", "pt_loop_close");
    pt_loop_free_timers_(loop);
    PT_IF_(PT_READY_STORAGE_, pt_loop_free_(loop, loop->ready.ring);)
    pt_loop_set_capacity_(loop, 0);
    loop->port = NULL;
}

/* Close the copy of a loop in a forked process: its tasks and its posts are those of the parent. */
PT_API void pt_loop_drop_(struct pt_loop *loop)
{
    PT_IF_(PT_REMOTE, (void)pt_inbox_close_(&loop->inbox);)
    pt_loop_set_wakers_(loop, NULL);
    loop->live = 0;
    pt_loop_close(loop);
}

#endif
#endif
