/* watch.h - a watch: how long each step and each turn of a loop takes
 * SPDX-License-Identifier: MIT
 *
 *     struct pt_watch watch;
 *
 *     pt_watch_start(&watch, &loop, PT_MS(50), complain);      a step of over 50 ms: complain()
 *     pt_loop_run(&loop);
 *     pt_watch_stop(&watch);
 *     printf("%s kept the others waiting\n", watch.longest_name);
 *
 * It is an observer that reads the clock of the loop's port before and after each
 * step. A step lasts until the task waits or yields: what it awaits meanwhile, and
 * does not wait for, belongs to it. */
#ifndef PT_WATCH_H
#define PT_WATCH_H

#include "dump.h"
#include "observe.h"

#if PT_INSPECT && PT_PORT

/* Measures how long steps and turns take, by the clock of the loop's port. Read the middle part. */
struct pt_watch {
    struct pt_observer observer; /* its first member; private, as is the next */
    struct pt_loop *loop;

    pt_time limit; /* the longest step without a complaint */
    /* Called for each longer step: it took TICKS; TASK has just returned from it. */
    void (*complain)(struct pt_watch *watch, struct pt_task *task, pt_time ticks);
    pt_time longest;          /* the longest step */
    const char *longest_name; /* the task that took it, or NULL */
    pt_time longest_turn;     /* the longest turn, measured from its first step */

    pt_time step, turn;      /* when the step and the turn began; private, as what follows */
    pt_time last;            /* when the last step ended */
    bool turning;            /* whether a turn runs */
    struct pt_task *running; /* the task whose step runs, or NULL */
};

/* pt_watch_start - watch a loop on a port; COMPLAIN may be NULL; costs two clock reads a step
 * COMPLAIN may do what an observer may. */
PT_API void pt_watch_start(struct pt_watch *watch, struct pt_loop *loop, uint64_t limit,
                           void (*complain)(struct pt_watch *, struct pt_task *, pt_time));

/* pt_watch_stuck - the task that, at the time NOW, has run longer than the limit; or NULL
 * For a body that does not return, so that complain is never called. Call it from an interrupt, a
 * signal handler or that body itself. It only reads. */
PT_API const struct pt_task *pt_watch_stuck(const struct pt_watch *watch, pt_time now);

/* pt_watch_report - if a task is stuck at NOW, print it and where it is; returns whether one is
 * For an interrupt or a signal handler, as pt_watch_stuck: it only reads, and calls PRINT.
 *
 *     painter: runs for 61 ms
 *         since painter (gallery.c:40)
 *         at visitor (gallery.c:71)
 */
PT_API bool pt_watch_report(const struct pt_watch *watch, pt_time now, pt_print *print,
                            void *context);

/* pt_watch_stop - stop watching; the results can still be read */
PT_API void pt_watch_stop(struct pt_watch *watch);

/* --- implementation ------------------------------------------------------------------------ */

PT_API pt_time pt_watch_now_(const struct pt_watch *watch)
{
    const struct pt_port *port = watch->loop->port;

    return port->now(port->context);
}

/* The step is over. */
PT_API void pt_watch_end_(struct pt_watch *watch)
{
    struct pt_task *task = watch->running;
    pt_time ticks;

    watch->running = NULL;
    watch->last = pt_watch_now_(watch);
    ticks = (pt_time)(watch->last - watch->step);
    if (ticks > watch->longest || !watch->longest_name) {
        watch->longest = ticks;
        watch->longest_name = pt_task_name(task);
    }
    if (ticks > watch->limit && watch->complain)
        watch->complain(watch, task, ticks);
}

PT_API void pt_watch_resumes_(struct pt_observer *observer, struct pt_task *task)
{
    struct pt_watch *watch = (struct pt_watch *)(void *)observer;

    if (watch->running == task)
        return; /* the step goes on: it has awaited, spawned, or returned to one that awaits */
    if (watch->running)
        pt_watch_end_(watch);
    watch->step = pt_watch_now_(watch);
    if (!watch->turning)
        watch->turn = watch->step;
    watch->turning = true;
    watch->running = task;
}

PT_API void pt_watch_returned_(struct pt_observer *observer, struct pt_task *task,
                               enum pt_opcode op)
{
    struct pt_watch *watch = (struct pt_watch *)(void *)observer;
    bool goes_on = watch->loop->current == task;

    if (op == PT_OP_DONE)
        goes_on = pt_caller_of_(pt_task_top_(task)) != NULL;
    watch->running = task; /* a native task can have switched to it */
    if (!goes_on)
        pt_watch_end_(watch);
}

PT_API void pt_watch_turned_(struct pt_observer *observer, struct pt_loop *loop)
{
    struct pt_watch *watch = (struct pt_watch *)(void *)observer;
    pt_time ticks;

    if (watch->running)
        pt_watch_end_(watch); /* after the DONE of an awaited function it can wait for a group */
    ticks = (pt_time)(watch->last - watch->turn);
    if (watch->turning && ticks > watch->longest_turn)
        watch->longest_turn = ticks;
    watch->turning = false;
}

PT_API void pt_watch_start(struct pt_watch *watch, struct pt_loop *loop, uint64_t limit,
                           void (*complain)(struct pt_watch *, struct pt_task *, pt_time))
{
    pt_observer_clear_(&watch->observer);
    watch->observer.resumes = pt_watch_resumes_;
    watch->observer.returned = pt_watch_returned_;
    watch->observer.turned = pt_watch_turned_;
    watch->loop = loop;
    watch->limit = pt_delay_(limit);
    watch->complain = complain;
    watch->longest = watch->longest_turn = 0;
    watch->longest_name = NULL;
    watch->turning = false;
    watch->running = NULL;
    pt_loop_observe(loop, &watch->observer);
}

PT_API const struct pt_task *pt_watch_stuck(const struct pt_watch *watch, pt_time now)
{
    const struct pt_task *task = *(struct pt_task *const volatile *)&watch->loop->current;

    return task && task == watch->running && (pt_time)(now - watch->step) > watch->limit ? task
                                                                                         : NULL;
}

PT_API bool pt_watch_report(const struct pt_watch *watch, pt_time now, pt_print *print,
                            void *context)
{
    const struct pt_task *task = pt_watch_stuck(watch, now);

    if (!task)
        return false;
    print(context, pt_task_name(task) ? pt_task_name(task) : "a task");
    print(context, ": runs for ");
    pt_print_number_(print, context, pt_milliseconds_((pt_time)(now - watch->step), 0));
    print(context, " ms\n");
    pt_dump_frames_(task, 1, print, context);
    return true;
}

PT_API void pt_watch_stop(struct pt_watch *watch)
{
    pt_loop_ignore(watch->loop, &watch->observer);
}

#endif
#endif
