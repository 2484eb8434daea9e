/* event.h - something that happens: all tasks that wait for it continue
 * SPDX-License-Identifier: MIT
 *
 *     static struct pt_event pressed;
 *
 *     PT_WAIT_EVENT(&pressed);                 in any number of tasks
 *     pt_event_set(&pressed);                  anywhere in the loop's thread
 *
 * An event that is set stays set until it is cleared; meanwhile no task waits for it. A trigger
 * wakes only the tasks that wait now. Zeroed storage, such as static storage, is an event
 * that is not set.
 *
 * Cancel, timeout: before and during the wait, the task leaves the event as if nothing had
 * happened. If the event and the cancel come in the same turn, the task is canceled. Nothing is
 * lost by that, because a wait does not use up an event. */
#ifndef PT_EVENT_H
#define PT_EVENT_H

#include "select.h"

#if PT_SYNC

/* The event. Read set; write through the functions. */
struct pt_event {
    struct pt_wait_list_ waiters; /* tasks that wait for it */
    bool set;                     /* whether a wait ends at once */
};

/* pt_event_init - make an event that is not set; O(1) */
PT_API void pt_event_init(struct pt_event *event);

/* PT_WAIT_EVENT(&event) - wait until the event is set or triggered; no wait if it is already set
 * self->pt.status is PT_OK. For a time at most: PT_SELECT with PT_CASE_EVENT and PT_CASE_AFTER, or
 * PT_WITH_TIMEOUT; in their absence, a flag, pt_wake and PT_PARK_FOR. */
#define PT_WAIT_EVENT(event) PT_PARK_IF_(pt_event_must_wait_(pt_current_, pt_, event))

/* pt_event_set - wake all waiters; later waits end at once; O(waiters) */
PT_API void pt_event_set(struct pt_event *event);

/* pt_event_clear - make later waits wait again; O(1) */
PT_API void pt_event_clear(struct pt_event *event);

/* pt_event_trigger - wake all tasks that wait now, in the order in which they came; O(waiters) */
PT_API void pt_event_trigger(struct pt_event *event);

#if PT_REMOTE
/* pt_remote_set, pt_remote_trigger - a remote's callbacks for an event
 * They call pt_event_set and pt_event_trigger. */
PT_API void pt_remote_set(struct pt_remote *self, unsigned times);
PT_API void pt_remote_trigger(struct pt_remote *self, unsigned times);
#endif

/* PT_CASE_EVENT(&event) - in a select: the event is set or triggered */
#define PT_CASE_EVENT(event) pt_case_event_(PT_CASE_TASK_, event)

/* --- implementation ------------------------------------------------------------------------ */

PT_API void pt_event_init(struct pt_event *event)
{
    pt_wait_list_init_(&event->waiters);
    event->set = false;
}

PT_API bool pt_event_must_wait_(struct pt_task *task, struct pt *frame, struct pt_event *event)
{
    frame->status = PT_OK;
    if (event->set)
        return false;
    pt_task_wait_in_list_(task, &event->waiters, PT_WHY_EVENT);
    return true;
}

PT_API void pt_event_set(struct pt_event *event)
{
    event->set = true;
    pt_event_trigger(event);
}

PT_API void pt_event_clear(struct pt_event *event)
{
    event->set = false;
}

PT_API void pt_event_trigger(struct pt_event *event)
{
    pt_wait_list_complete_all_(&event->waiters, PT_OK, 0);
}

#if PT_REMOTE
PT_API void pt_remote_set(struct pt_remote *self, unsigned times)
{
    pt_event_set((struct pt_event *)self->target);
}

PT_API void pt_remote_trigger(struct pt_remote *self, unsigned times)
{
    pt_event_trigger((struct pt_event *)self->target);
}
#endif

#if PT_SELECTS
PT_API bool pt_case_event_take_(struct pt_case_ *it, struct pt *frame)
{
    return ((struct pt_event *)it->target)->set;
}

PT_ALWAYS void pt_case_event_(struct pt_task *task, struct pt_event *event)
{
    static const struct pt_case_kind_ kind =
        PT_CASE_KIND_(pt_case_event_take_, PT_CASE_IN_LIST_, offsetof(struct pt_event, waiters));

    pt_case_add_(task, &kind, event, NULL);
}
#endif

#endif
#endif
