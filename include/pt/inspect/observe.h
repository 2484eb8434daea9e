/* observe.h - observers of a loop: they see each step, and can choose the next task
 * SPDX-License-Identifier: MIT
 *
 *     struct pt_watch watch;
 *
 *     pt_watch_start(&watch, &loop, PT_MS(50), complain);      a step of over 50 ms: complain()
 *     pt_loop_run(&loop);
 *     pt_watch_stop(&watch);
 *     printf("%s kept the others waiting\n", watch.longest_name);
 *
 * A turn checks once whether there is an observer; with one, it runs a second copy of its code.
 *
 * An observer may do to any task what another task may do: spawn, wake, pause, resume or cancel it,
 * or trigger what it waits for. It may call pt_loop_update. In each call the loop is consistent:
 *
 *     call      pt_loop_current   what TASK does
 *     pick      NULL              each task of the choice is ready
 *     resumes   TASK              it runs: a cancel or a pause takes effect at its next wait
 *     returned  NULL              it waits as OP says; a cancel, a wake or an event ends that wait
 *               TASK              after SPAWN, WAIT_COMPLETE and DONE: it runs, as at `resumes`
 *     ended     NULL              it is not alive: calls have no effect on it; do not spawn it
 *     turned    NULL
 *
 * A frame that returns while one of its groups has tasks is reported with PARK, and with DONE when
 * the tasks have ended. Each DONE is reported once.
 *
 * An observer must not run the loop. It may remove itself (pt_loop_ignore), but no other observer.
 * It must not read the clock of the port: between two steps, a port can do more in that call than
 * return the time (threads.h lets in a thread). */
#ifndef PT_OBSERVE_H
#define PT_OBSERVE_H

#include "inspect.h"

#if PT_INSPECT

/* pt_choice_task - the Ith task of a choice, 0 for the first in line; O(1), with a list O(I) */
PT_API struct pt_task *pt_choice_task(const struct pt_choice *choice, size_t i)
{
    return pt_task_of(pt_ready_peek_(choice->ready, choice->batch, i));
}

/* pt_loop_observe - add an observer that is in no loop; the caller owns it; between turns; O(1)
 * It is called before those that were added earlier. */
PT_API void pt_loop_observe(struct pt_loop *loop, struct pt_observer *observer)
{
    observer->next = loop->observer;
    loop->observer = observer;
}

/* pt_loop_ignore - remove an observer; no effect if it was not added; O(n)
 * Between turns, or by the observer itself in one of its calls. */
PT_API void pt_loop_ignore(struct pt_loop *loop, const struct pt_observer *observer)
{
    struct pt_observer **link = &loop->observer;

    while (*link && *link != observer)
        link = &(*link)->next;
    if (*link)
        *link = observer->next;
}

#if PT_PORT

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

    pt_time step, turn; /* when the step and the turn began; private, as what follows */
    pt_time last;       /* when the last step ended */
    bool turning;       /* whether a turn runs */
    bool stepping;      /* whether a step runs */
};

/* The time, read with TASK as the current task: then a port does no more than return the time. */
PT_API pt_time pt_watch_now_(const struct pt_watch *watch, struct pt_task *task)
{
    struct pt_loop *loop = watch->loop;
    struct pt_task *current = loop->current;
    pt_time now;

    loop->current = task;
    now = loop->port->now(loop->port->context);
    loop->current = current;
    return now;
}

PT_API void pt_watch_resumes_(struct pt_observer *observer, struct pt_task *task)
{
    struct pt_watch *watch = (struct pt_watch *)(void *)observer;

    watch->step = pt_watch_now_(watch, task);
    if (!watch->turning)
        watch->turn = watch->step;
    watch->turning = watch->stepping = true;
}

PT_API void pt_watch_returned_(struct pt_observer *observer, struct pt_task *task,
                               enum pt_opcode op)
{
    struct pt_watch *watch = (struct pt_watch *)(void *)observer;
    pt_time ticks;

    (void)op;
    watch->stepping = false;
    watch->last = pt_watch_now_(watch, task);
    ticks = (pt_time)(watch->last - watch->step);
    if (ticks > watch->longest || !watch->longest_name) {
        watch->longest = ticks;
        watch->longest_name = task->name;
    }
    if (ticks > watch->limit && watch->complain)
        watch->complain(watch, task, ticks);
}

PT_API void pt_watch_turned_(struct pt_observer *observer, struct pt_loop *loop)
{
    struct pt_watch *watch = (struct pt_watch *)(void *)observer;
    pt_time ticks = (pt_time)(watch->last - watch->turn);

    (void)loop;
    if (watch->turning && ticks > watch->longest_turn)
        watch->longest_turn = ticks;
    watch->turning = false;
}

/* pt_watch_start - watch a loop on a port; COMPLAIN may be NULL; costs two clock reads a step
 * COMPLAIN may do what an observer may. */
PT_API void pt_watch_start(struct pt_watch *watch, struct pt_loop *loop, uint64_t limit,
                           void (*complain)(struct pt_watch *, struct pt_task *, pt_time))
{
    watch->observer.pick = NULL;
    watch->observer.resumes = pt_watch_resumes_;
    watch->observer.returned = pt_watch_returned_;
    watch->observer.ended = NULL;
    watch->observer.turned = pt_watch_turned_;
    watch->loop = loop;
    watch->limit = pt_delay_(limit);
    watch->complain = complain;
    watch->longest = watch->longest_turn = 0;
    watch->longest_name = NULL;
    watch->turning = watch->stepping = false;
    pt_loop_observe(loop, &watch->observer);
}

/* pt_watch_stuck - the task that, at the time NOW, has run longer than the limit; or NULL
 * For a body that does not return, so that complain is never called. Call it from an interrupt, a
 * signal handler or that body itself. It only reads. */
PT_API const struct pt_task *pt_watch_stuck(const struct pt_watch *watch, pt_time now)
{
    const struct pt_task *task = *(struct pt_task *const volatile *)&watch->loop->current;

    return task && watch->stepping && (pt_time)(now - watch->step) > watch->limit ? task : NULL;
}

/* pt_watch_stop - stop watching; the results can still be read */
PT_API void pt_watch_stop(struct pt_watch *watch)
{
    pt_loop_ignore(watch->loop, &watch->observer);
}

#endif
#endif
#endif
