/* event.h - something that happens: tasks wait for it, and all of them go on
 * SPDX-License-Identifier: MIT
 *
 *     static struct pt_event pressed;
 *
 *     PT_WAIT_EVENT(&pressed);                 in any number of tasks
 *     pt_event_set(&pressed);                  from wherever the loop's thread is
 *
 * An event that is set stays set, and lets everybody pass, until it is cleared; one that is
 * triggered lets pass those who wait now. An event is zero at first, as static storage is.
 *
 * Cancel, timeout: before the wait and while it waits, the task leaves the event and nothing has
 * happened; a task whose event came in the same turn as its cancel is cancelled. Nothing is lost by
 * that: an event is not used up. */
#ifndef PT_EVENT_H
#define PT_EVENT_H

#include "../loop/interpreter.h"

#if PT_SYNC

/* The event. Read set; write through the functions. */
struct pt_event {
    struct pt_wait_list_ waiters; /* tasks that wait for it */
    bool set;                     /* whether a wait is over at once */
};

/* pt_event_init - an event that is not set; O(1) */
PT_API void pt_event_init(struct pt_event *event)
{
    pt_wait_list_init_(&event->waiters);
    event->set = false;
}

/* pt_event_trigger - let pass who waits now, in the order in which they came; O(waiters) */
PT_API void pt_event_trigger(struct pt_event *event)
{
    pt_wait_list_complete_(&event->waiters, PT_OK, 0);
}

/* pt_event_set - let pass who waits, and who will; O(waiters) */
PT_API void pt_event_set(struct pt_event *event)
{
    event->set = true;
    pt_event_trigger(event);
}

/* pt_event_clear - let nobody pass any more; O(1) */
PT_API void pt_event_clear(struct pt_event *event)
{
    event->set = false;
}

/* PT_WAIT_EVENT(&event) - go on when the event is set; at once if it is; self->pt.status is PT_OK */
#define PT_WAIT_EVENT(event)                         \
    do {                                             \
        if (pt_event_wait_(pt_current_, pt_, event)) \
            PT_SUSPEND_(PT_OP_PARK);                 \
    } while (0)

PT_API bool pt_event_wait_(struct pt_task *task, struct pt *frame, struct pt_event *event)
{
    frame->status = PT_OK;
    if (event->set)
        return false;
    pt_task_wait_in_list_(task, &event->waiters, PT_WHY_EVENT);
    return true;
}

#if PT_REMOTE
/* pt_remote_set, pt_remote_trigger - deeds of a remote, to an event: pt_event_set, pt_event_trigger */
PT_API void pt_remote_set(struct pt_remote *self, unsigned times)
{
    (void)times;
    pt_event_set((struct pt_event *)self->target);
}

PT_API void pt_remote_trigger(struct pt_remote *self, unsigned times)
{
    (void)times;
    pt_event_trigger((struct pt_event *)self->target);
}
#endif

#if PT_SELECTS

/* PT_CASE_EVENT(&event) - of a select: the event is set */
#define PT_CASE_EVENT(event) pt_case_event_(pt_current_, event)

PT_API bool pt_case_event_take_(struct pt_case_ *it, struct pt *frame)
{
    (void)frame;
    return ((struct pt_event *)it->target)->set;
}

PT_ALWAYS void pt_case_event_(struct pt_task *task, struct pt_event *event)
{
    static const struct pt_case_kind_ kind = {pt_case_event_take_, PT_CASE_IN_LIST_,
                                              offsetof(struct pt_event, waiters)};

    pt_case_add_(task, &kind, event, NULL);
}

#endif
#endif
#endif
