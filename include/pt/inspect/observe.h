/* observe.h - observers of a loop: told of each step, asked who is next
 * SPDX-License-Identifier: MIT
 *
 *     struct pt_watch watch;
 *
 *     pt_watch_start(&watch, &loop, PT_MS(50), complain);      a step of over 50 ms: complain()
 *     pt_loop_run(&loop);
 *     pt_watch_stop(&watch);
 *     printf("%s kept the others waiting\n", watch.longest_name);
 *
 * Without an observer a turn asks once whether there is one; with one it runs a copy of its code.
 *
 * An observer may do to any task what another task may do: spawn, wake, pause, resume or cancel it,
 * trigger what it waits for; and call pt_loop_update. The loop is consistent at each call:
 *
 *     call      pt_loop_current   what TASK does
 *     pick      NULL              each task of the choice is ready
 *     resumes   TASK              it runs: a cancel or a pause takes effect at its next wait
 *     returned  NULL              it waits as OP says, and a cancel, a wake or an event ends that wait
 *               TASK              after SPAWN, WAIT_COMPLETE and DONE: it runs, as at `resumes`
 *     ended     NULL              it is not alive: what is done to it has no effect, nor is it spawned again
 *     turned    NULL
 *
 * A frame that returns while a group of it is busy returns PARK, and DONE when that is over. Each DONE is told once.
 *
 * An observer must not run the loop. It may take itself out (pt_loop_ignore), but no other observer. It
 * does not read the clock of the loop's port, which between two steps may do more than tell the time. */
#ifndef PT_OBSERVE_H
#define PT_OBSERVE_H

#include "inspect.h"

#if PT_INSPECT

/* pt_choice_task - the Ith task of a choice, 0 for the first in line; O(1), of a list O(I) */
PT_API struct pt_task *pt_choice_task(const struct pt_choice *choice, size_t i)
{
    return pt_task_of(pt_ready_peek_(choice->ready, choice->batch, i));
}

/* pt_loop_observe - add an observer, the caller's, which is in no loop; between turns; O(1)
 * It is told before those that are there already. */
PT_API void pt_loop_observe(struct pt_loop *loop, struct pt_observer *observer)
{
    observer->next = loop->observer;
    loop->observer = observer;
}

/* pt_loop_ignore - take an observer out; without effect if it was not added; O(n)
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

/* Watches how long steps and turns take, by the clock of the loop's port. Read the middle part. */
struct pt_watch {
    struct pt_observer observer; /* private, as the next; its first member */
    struct pt_loop *loop;

    pt_time limit; /* what a step may take */
    /* Told of each step that took longer: TICKS, by TASK, which has just returned. */
    void (*complain)(struct pt_watch *watch, struct pt_task *task, pt_time ticks);
    pt_time longest;          /* of all steps */
    const char *longest_name; /* whose that was, or NULL */
    pt_time longest_turn;     /* of all turns, from the first step on */

    pt_time step, turn; /* when the step and the turn began; private, as what follows */
    pt_time last;       /* when the last step ended */
    bool turning;       /* whether the turn has begun */
    bool stepping;      /* and a step of it, which is not over */
};

/* The time, read on behalf of TASK: while a task is current, a port does nothing else. */
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

/* pt_watch_stuck - who has been running for longer than the limit at the time NOW, or NULL
 * For a body that does not return, of which complain is never told: to be called from an interrupt,
 * a signal handler or that body itself. It only reads. */
PT_API const struct pt_task *pt_watch_stuck(const struct pt_watch *watch, pt_time now)
{
    const struct pt_task *task = *(struct pt_task *const volatile *)&watch->loop->current;

    return task && watch->stepping && (pt_time)(now - watch->step) > watch->limit ? task : NULL;
}

/* pt_watch_stop - watch no longer; what was seen stays there to read */
PT_API void pt_watch_stop(struct pt_watch *watch)
{
    pt_loop_ignore(watch->loop, &watch->observer);
}

#endif
#endif
#endif
