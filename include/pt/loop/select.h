/* select.h - wait for whichever comes first: a value, an event, a lock, a task's end, a time
 * SPDX-License-Identifier: MIT
 *
 *     struct serve { struct pt pt; PT_SELECTION(3) next; struct order order; ... };
 *
 *     PT_SELECT(&self->next, PT_CASE_RECV(&orders, &self->order), PT_CASE_EVENT(&closing),
 *               PT_CASE_AFTER(PT_SEC(10)));
 *     if (PT_SELECTED(&self->next) == 0) ...                    an order is there
 *
 * The task stands in the queue of each case, with a node of its own for each, in its frame. The
 * first that is served takes the others out: exactly one comes true, and nothing of another is
 * lost. Each kind of case is defined with what it waits for: PT_CASE_EVENT in event.h, and so on.
 *
 * Cancel, timeout: before the wait, as anywhere; while it waits, the task leaves all queues and
 * nothing has happened; once it was given a value, a lock or the like, it goes on with that. A case that
 * gives nothing (an event, a task's end, a time) and a cancel in one turn: nothing was selected. */
#ifndef PT_SELECT_H
#define PT_SELECT_H

#include "group.h"

#if PT_SELECTS

struct pt_select_;

/* One case. Written by PT_SELECT. */
struct pt_case_ {
    struct pt_waiter_ waiter;         /* its place in a queue; its item points to itself */
    struct pt_select_ *select;        /* whose case it is */
    const struct pt_case_kind_ *kind; /* what it can do */
    void *target;                     /* the channel, the event, ... */
    void *item;                       /* the value, or where it goes; NULL: none */
    union {
        size_t size;   /* of the value */
        pt_time delay; /* of a case that waits for a time */
    } how;
};

/* What a case waits in: a struct pt_wait_queue_ or pt_wait_list_ of its target; nothing but time. */
enum pt_case_place_ { PT_CASE_IN_QUEUE_, PT_CASE_IN_LIST_, PT_CASE_IN_TIME_ };

/* What all cases of a kind have in common. */
struct pt_case_kind_ {
    /* Come true at once, if that can be; FRAME's status, PT_OK before, is a code if it failed. */
    bool (*take)(struct pt_case_ *self, struct pt *frame);
    enum pt_case_place_ place;
    size_t offset; /* of that in the target */
};

/* All cases of one wait. Written by PT_SELECT. */
struct pt_select_ {
    struct pt_wait_ops_ ops; /* how the task leaves the wait; its first member */
    struct pt_task *task;    /* who waits */
    struct pt_case_ *cases;  /* behind it in the frame */
    uint8_t count;           /* how many */
    uint8_t fired;           /* which came true; none, until the task goes on with it */
    uint8_t comes;  /* which that is: the one served, else the first with a time, or none */
    uint8_t opcode; /* how it waits: an opcode */
};

/* PT_SELECTION(n) - the type of a frame's member that has room for N cases, at most 20; zero at first */
#define PT_SELECTION(n)           \
    struct {                      \
        struct pt_select_ select; \
        struct pt_case_ cases[n]; \
    }

/* What PT_SELECTED says when no case has come true. */
#define PT_SELECT_NONE UINT8_MAX

/* pt_select_init(&self->choice) - for a selection that is not zero before its first use */
#define pt_select_init(choice) ((void)((choice)->select.count = 0))

/* PT_SELECT(&self->choice, case, case ...) - wait until one of the cases comes true
 * Of several that are true at once the one behind the last that was, at first the first: none starves.
 * self->pt.status is PT_OK or the code that the case comes to: PT_ECLOSED, what a task ended with, ... A
 * time comes true if nothing else does. Cost: O(cases), when it waits twice; no allocation. */
#define PT_SELECT(choice, ...)                                                     \
    do {                                                                           \
        if (PT_SELECT_START_(choice, true, PT_COUNT_(__VA_ARGS__), __VA_ARGS__)) { \
            PT_SUSPEND_((choice)->select.opcode);                                  \
            pt_select_over_(&(choice)->select);                                    \
        }                                                                          \
        pt_task_take_(pt_current_);                                                \
    } while (0)

/* PT_SELECT_NOW(&self->choice, case, ...) - the same without waiting
 * PT_SELECTED is PT_SELECT_NONE, and self->pt.status PT_EAGAIN, if no case is true. */
#define PT_SELECT_NOW(choice, ...) \
    ((void)PT_SELECT_START_(choice, false, PT_COUNT_(__VA_ARGS__), __VA_ARGS__))

/* PT_SELECTED(&self->choice) - which case came true: 0 for the first, and so on
 * PT_SELECT_NONE if the select was interrupted. */
#define PT_SELECTED(choice) ((choice)->select.fired)

#define PT_SELECT_START_(choice, wait, number, ...)                                                \
    (pt_select_begin_(pt_current_, &(choice)->select, (choice)->cases,                             \
                      PT_SELECT_FITS_(number, sizeof((choice)->cases) / sizeof(struct pt_case_))), \
     (void)(__VA_ARGS__), pt_select_start_(&(choice)->select, pt_, wait))

/* An error, where the selection has no room for so many cases. */
#define PT_SELECT_FITS_(number, room) sizeof(char[(number) <= (room) ? 1 : -1])

/* --- cases --------------------------------------------------------------------------------- */

/* PT_CASE_JOIN(&storage.task) - a task is done; self->pt.status is what it ended with, or a code as
 * of PT_JOIN */
#define PT_CASE_JOIN(task) pt_case_join_(pt_current_, task)

#if PT_HAS_TIMERS_
/* PT_CASE_AFTER(delay), PT_CASE_UNTIL(deadline) - the time has come, and nothing else
 * With a delay over PT_DELAY_MAX it comes true at once, with PT_ERANGE. */
#define PT_CASE_AFTER(delay) pt_case_after_(pt_current_, pt_delay_(delay))
#define PT_CASE_UNTIL(deadline) pt_case_after_(pt_current_, pt_time_until_(PT_NOW(), deadline))
#endif

/* The select that a task puts together has its place in the item; the next case of it. */
PT_ALWAYS struct pt_case_ *pt_case_add_(struct pt_task *task, const struct pt_case_kind_ *kind,
                                        void *target, void *item)
{
    struct pt_select_ *select = (struct pt_select_ *)task->waiter.item;
    struct pt_case_ *it = &select->cases[select->count++];

    it->waiter.item = &it->waiter;
    it->select = select;
    it->kind = kind;
    it->target = target;
    it->item = item;
    return it;
}

/* What an attempt without waiting has come to: whether the case comes true, with that code. */
PT_ALWAYS bool pt_case_take_(struct pt *frame, pt_status status)
{
    if (status != PT_EAGAIN)
        frame->status = status;
    return status != PT_EAGAIN;
}

#if PT_JOINS
PT_API bool pt_case_join_take_(struct pt_case_ *it, struct pt *frame)
{
    return pt_join_at_once_(it->select->task, frame, (const struct pt_task *)it->target);
}

PT_ALWAYS void pt_case_join_(struct pt_task *task, struct pt_task *target)
{
    static const struct pt_case_kind_ kind = {pt_case_join_take_, PT_CASE_IN_LIST_,
                                              offsetof(struct pt_task, joiners)};

    pt_case_add_(task, &kind, target, NULL);
}
#endif

#if PT_HAS_TIMERS_
/* Only a delay that is too long is an answer now. */
PT_API bool pt_case_after_take_(struct pt_case_ *it, struct pt *frame)
{
    if (it->how.delay <= PT_DELAY_MAX)
        return false;
    frame->status = PT_ERANGE;
    return true;
}

PT_ALWAYS void pt_case_after_(struct pt_task *task, pt_time delay)
{
    static const struct pt_case_kind_ kind = {pt_case_after_take_, PT_CASE_IN_TIME_, 0};

    pt_case_add_(task, &kind, NULL, NULL)->how.delay = delay;
}
#endif

/* --- the wait ------------------------------------------------------------------------------ */

PT_ALWAYS void pt_select_begin_(struct pt_task *task, struct pt_select_ *select,
                                struct pt_case_ *cases, size_t one)
{
    (void)one;
    if (!select->count) /* it is used for the first time */
        select->fired = PT_SELECT_NONE;
    select->task = task;
    select->cases = cases;
    select->count = 0;
    task->waiter.item = select;
}

/* The task leaves all queues. */
PT_COLD void pt_select_leave_(struct pt_wait_ops_ *ops, struct pt_task *task)
{
    struct pt_select_ *select = (struct pt_select_ *)(void *)ops; /* its first member */

    (void)task;
    for (struct pt_case_ *it = select->cases; it != select->cases + select->count; it++)
        pt_wait_remove_(&it->waiter.node);
}

/* Stand in the queue of a case; false if it waits for a time. */
PT_API bool pt_case_enter_(struct pt_case_ *it)
{
    char *target = (char *)it->target;

    switch (it->kind->place) {
    case PT_CASE_IN_QUEUE_:
        pt_wait_queue_push_((struct pt_wait_queue_ *)(void *)(target + it->kind->offset),
                            &it->waiter.node);
        return true;
    case PT_CASE_IN_LIST_:
        pt_wait_list_push_((struct pt_wait_list_ *)(void *)(target + it->kind->offset),
                           &it->waiter.node);
        return true;
    case PT_CASE_IN_TIME_:
    default: pt_wait_detached_(&it->waiter.node); return false;
    }
}

/* Stand in all queues, and see which time is the first. */
PT_API void pt_select_wait_(struct pt_select_ *select)
{
    pt_time soonest = 0;

    select->ops.cancel = pt_select_leave_;
    select->comes = PT_SELECT_NONE;
    for (struct pt_case_ *it = select->cases; it != select->cases + select->count; it++)
        if (!pt_case_enter_(it) && (select->comes == PT_SELECT_NONE || it->how.delay < soonest)) {
            select->comes = (uint8_t)(it - select->cases);
            soonest = it->how.delay;
        }
    select->opcode = select->comes == PT_SELECT_NONE ? PT_OP_PARK : PT_OP_WAIT;
#if PT_HAS_TIMERS_
    select->task->node.at += soonest;
#endif
    pt_task_wait_by_ops_(select->task, PT_WHY_SELECT, &select->ops);
}

/* The wait is over, and the task goes on. */
PT_ALWAYS void pt_select_over_(struct pt_select_ *select)
{
    select->fired = select->comes;
}

/* All cases are there; whether the task is to wait. */
PT_API bool pt_select_start_(struct pt_select_ *select, struct pt *frame, bool wait)
{
    struct pt_case_ *end = &select->cases[select->count];
    struct pt_case_ *it = &select->cases[(uint8_t)(select->fired + 1)]; /* behind the last */

    frame->status = PT_OK;
    for (uint_fast8_t left = select->count; left; left--, it++) {
        if (it >= end)
            it = select->cases;
        if (it->kind->take(it, frame)) {
            select->fired = (uint8_t)(it - select->cases);
            return false;
        }
    }
    select->fired = PT_SELECT_NONE;
    if (wait)
        pt_select_wait_(select);
    else
        frame->status = PT_EAGAIN;
    return wait;
}

PT_COLD void *pt_case_item_(const struct pt_waiter_ *waiter)
{
    return ((const struct pt_case_ *)(const void *)waiter)->item; /* its first member */
}

PT_COLD struct pt_task *pt_case_complete_(struct pt_waiter_ *waiter, uint8_t flags)
{
    struct pt_case_ *it = (struct pt_case_ *)(void *)waiter;
    struct pt_select_ *select = it->select;
    struct pt_task *task = select->task;

    pt_wait_detached_(&waiter->node);
    select->comes = (uint8_t)(it - select->cases);
    pt_select_leave_(&select->ops, task);
    if (!(task->state & PT_STATE_SLEEPING_)) {
        pt_task_complete_(task, flags);
    } else { /* one of its cases is a time */
        task->state &= (uint8_t) ~(PT_STATE_QUEUED_ | PT_STATE_HAS_OPS_);
        pt_task_give_(task, flags);
        pt_task_force_wake_(task);
    }
    return task;
}

#endif
#endif
