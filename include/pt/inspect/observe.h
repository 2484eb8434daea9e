/* observe.h - observers of a loop: they see each step, and can choose the next task
 * SPDX-License-Identifier: MIT
 *
 *     struct pt_observer observer = {0};
 *
 *     observer.ended = report;                 report(&observer, task); the rest is not called
 *     pt_loop_observe(&loop, &observer);
 *     pt_loop_run(&loop);
 *     pt_loop_ignore(&loop, &observer);
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
 * In `woken`, `blocked`, `expired` and `posted` (PT_TRACE) it must only look.
 *
 * A frame that returns while one of its groups has tasks is reported with PARK, and with DONE when
 * the tasks have ended. Each DONE is reported once.
 *
 * An observer must not run the loop. It may remove itself (pt_loop_ignore), but no other observer.
 * It may read the clock of the loop's port. */
#ifndef PT_OBSERVE_H
#define PT_OBSERVE_H

#include "inspect.h"

#if PT_INSPECT

/* pt_choice_task - the Ith task of a choice, 0 for the first in line; O(1), with a list O(I) */
PT_API struct pt_task *pt_choice_task(const struct pt_choice *choice, size_t i);

/* pt_loop_observe - add an observer that is in no loop; the caller owns it; between turns; O(n)
 * It is called before those that were added earlier. One that is added again moves to the front. */
PT_API void pt_loop_observe(struct pt_loop *loop, struct pt_observer *observer);

/* pt_loop_ignore - remove an observer; no effect if it was not added; O(n)
 * Between turns, or by the observer itself in one of its calls. */
PT_API void pt_loop_ignore(struct pt_loop *loop, const struct pt_observer *observer);

/* --- implementation ------------------------------------------------------------------------ */

PT_API struct pt_task *pt_choice_task(const struct pt_choice *choice, size_t i)
{
    return pt_task_of(pt_ready_peek_(choice->ready, choice->batch, i));
}

/* An observer without a call. */
PT_API void pt_observer_clear_(struct pt_observer *observer)
{
    observer->pick = NULL;
    observer->resumes = NULL;
    observer->returned = NULL;
    observer->ended = NULL;
    observer->turned = NULL;
    PT_IF_(PT_TRACE, observer->woken = NULL; observer->blocked = NULL; observer->expired = NULL;)
    PT_IF_(PT_TRACE, observer->posted = NULL; observer->notes = NULL; observer->notes_bytes = 0;)
}

PT_API void pt_loop_observe(struct pt_loop *loop, struct pt_observer *observer)
{
    pt_loop_ignore(loop, observer);
    observer->next = loop->observer;
    loop->observer = observer;
    pt_loop_update_reports_(loop);
}

PT_API void pt_loop_ignore(struct pt_loop *loop, const struct pt_observer *observer)
{
    struct pt_observer **link = &loop->observer;

    while (*link && *link != observer)
        link = &(*link)->next;
    if (*link)
        *link = observer->next;
    pt_loop_update_reports_(loop);
}

#endif
#endif
