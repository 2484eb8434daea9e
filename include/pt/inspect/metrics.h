/* metrics.h - metrics of a loop: how long turns take, tasks are ready, and timers are late
 * SPDX-License-Identifier: MIT
 *
 *     static struct pt_metrics metrics;
 *
 *     pt_metrics_start(&metrics, &loop, NULL);              between turns
 *     pt_loop_run(&loop);
 *     ...
 *     if (pt_histogram_quantile(&metrics.delay, 99) > PT_MS(10)) ...
 *
 * prometheus.h prints them. The metrics are an observer (observe.h): a loop
 * without them pays nothing. */
#ifndef PT_METRICS_H
#define PT_METRICS_H

#include "histogram.h"
#include "observe.h"

#if PT_TRACE && PT_HAS_TIMERS_

/* The metrics of a loop. Read the middle part. */
struct pt_metrics {
    struct pt_observer observer; /* its first member; private */

    struct pt_histogram turn;  /* how long each turn took that had something to do */
    struct pt_histogram delay; /* how long each task was ready before its step */
    struct pt_histogram late;  /* how long after its time each timer was noticed */
    pt_tally_ turns, steps, wakes, spawns, ends, timers, posts; /* how many */

    struct pt_loop *loop; /* private, as what follows */
    pt_time (*clock)(void);
    pt_time began;               /* the turn */
    bool turning;                /* whether a turn has begun */
    const struct pt_task *going; /* the task that goes on in the same step, or NULL */
};

/* pt_metrics_start - measure a loop from now on; between turns
 * CLOCK returns the time, in ticks; NULL: the port's, or without a port the time of the turn. It is
 * read at each wake and each step. A loop can have one pt_metrics at a time. */
PT_API void pt_metrics_start(struct pt_metrics *metrics, struct pt_loop *loop,
                             pt_time (*clock)(void));

/* pt_metrics_stop - stop measuring; the results can still be read */
PT_API void pt_metrics_stop(struct pt_metrics *metrics);

/* --- implementation ------------------------------------------------------------------------ */

PT_API pt_time pt_metrics_now_(const struct pt_metrics *metrics)
{
    const struct pt_loop *loop = metrics->loop;

    if (metrics->clock)
        return metrics->clock();
    if (pt_loop_port_(loop))
        return pt_loop_port_(loop)->now(pt_loop_port_(loop)->context);
    return loop->now;
}

/* The time from AT to NOW; 0 if that is negative: a task can move the time of the loop. */
PT_API pt_time pt_metrics_between_(pt_time at, pt_time now)
{
    return pt_time_before(at, now) ? (pt_time)(now - at) : 0;
}

PT_ALWAYS struct pt_metrics *pt_metrics_of_(struct pt_observer *observer)
{
    return (struct pt_metrics *)(void *)observer;
}

/* Something happens: a turn has begun, if none has. */
PT_ALWAYS void pt_metrics_begin_(struct pt_metrics *metrics)
{
    if (!metrics->turning)
        metrics->began = metrics->loop->now;
    metrics->turning = true;
}

/* A task is ready from now on. The time is kept in its node: the loop writes it there at the
 * resume, and until then nothing reads it. */
PT_API void pt_metrics_ready_(struct pt_metrics *metrics, struct pt_task *task)
{
    task->node.at = pt_metrics_now_(metrics);
}

PT_API void pt_metrics_resumes_(struct pt_observer *observer, struct pt_task *task)
{
    struct pt_metrics *metrics = pt_metrics_of_(observer);
    bool goes_on = metrics->going == task;

    pt_metrics_begin_(metrics);
    metrics->going = NULL;
    if (goes_on)
        return;
    metrics->steps++;
    pt_histogram_add(&metrics->delay, pt_metrics_between_(task->node.at, pt_metrics_now_(metrics)));
}

PT_API void pt_metrics_returned_(struct pt_observer *observer, struct pt_task *task,
                                 enum pt_opcode op)
{
    struct pt_metrics *metrics = pt_metrics_of_(observer);

    if (op == PT_OP_SPAWN || op == PT_OP_WAIT_COMPLETE || op == PT_OP_DONE)
        metrics->going = task;
    else if (pt_task_ready_(task))
        pt_metrics_ready_(metrics, task);
}

PT_API void pt_metrics_woken_(struct pt_observer *observer, struct pt_task *task, bool spawned)
{
    struct pt_metrics *metrics = pt_metrics_of_(observer);

    metrics->wakes += !spawned;
    metrics->spawns += spawned;
    pt_metrics_ready_(metrics, task);
}

PT_API void pt_metrics_expired_(struct pt_observer *observer, struct pt_task *task, pt_time at)
{
    struct pt_metrics *metrics = pt_metrics_of_(observer);

    pt_metrics_begin_(metrics);
    metrics->timers++;
    pt_histogram_add(&metrics->late, pt_metrics_between_(at, metrics->loop->now));
}

PT_API void pt_metrics_posted_(struct pt_observer *observer, pt_posted_remote_ *remote,
                               unsigned times)
{
    struct pt_metrics *metrics = pt_metrics_of_(observer);

    pt_metrics_begin_(metrics);
    metrics->posts += times;
}

PT_API void pt_metrics_ended_(struct pt_observer *observer, struct pt_task *task)
{
    struct pt_metrics *metrics = pt_metrics_of_(observer);

    metrics->going = NULL;
    metrics->ends++;
}

PT_API void pt_metrics_turned_(struct pt_observer *observer, struct pt_loop *loop)
{
    struct pt_metrics *metrics = pt_metrics_of_(observer);

    metrics->going = NULL;
    if (!metrics->turning)
        return;
    metrics->turning = false;
    metrics->turns++;
    pt_histogram_add(&metrics->turn, pt_metrics_between_(metrics->began, pt_metrics_now_(metrics)));
}

PT_API void pt_metrics_start(struct pt_metrics *metrics, struct pt_loop *loop,
                             pt_time (*clock)(void))
{
    static const struct pt_histogram empty = {{0}, 0, 0, 0};

    pt_observer_clear_(&metrics->observer);
    metrics->observer.resumes = pt_metrics_resumes_;
    metrics->observer.returned = pt_metrics_returned_;
    metrics->observer.ended = pt_metrics_ended_;
    metrics->observer.turned = pt_metrics_turned_;
    metrics->observer.woken = pt_metrics_woken_;
    metrics->observer.expired = pt_metrics_expired_;
    metrics->observer.posted = pt_metrics_posted_;
    metrics->turn = metrics->delay = metrics->late = empty;
    metrics->turns = metrics->steps = metrics->wakes = metrics->spawns = 0;
    metrics->ends = metrics->timers = metrics->posts = 0;
    metrics->loop = loop;
    metrics->clock = clock;
    metrics->turning = false;
    metrics->going = NULL;
    for (struct pt_task *task = pt_loop_task(loop, NULL); task; task = pt_loop_task(loop, task))
        if (pt_task_state(task) == PT_TASK_READY)
            pt_metrics_ready_(metrics, task);
    pt_loop_observe(loop, &metrics->observer);
}

PT_API void pt_metrics_stop(struct pt_metrics *metrics)
{
    pt_loop_ignore(metrics->loop, &metrics->observer);
}

#endif
#endif
