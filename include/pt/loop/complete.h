/* complete.h - how a wait is completed: the task, or a case of its select, has what it waited for
 * SPDX-License-Identifier: MIT
 *
 *     event, channel, lock, ...  --> waiter, taken from a wait queue or a wait list
 *                                      |-- a task: it becomes ready
 *                                      '-- a case of a select: the task leaves its other
 *                                          queues and becomes ready
 *
 * A task that was given something (a value, a lock) has PT_FLAG_GIVEN_: a cancel or a timeout that
 * comes before the task continues does not take that away. */
#ifndef PT_COMPLETE_H
#define PT_COMPLETE_H

#include "wake.h"

/* The task has taken what it was given. */
PT_ALWAYS void pt_task_take_(struct pt_task *task)
{
    if (PT_HAS_INTERRUPTS_)
        pt_task_set_flags_(task, pt_task_flags_(task) & (uint8_t)~PT_FLAG_GIVEN_);
}

/* PT_PARK_IF_, for a wait that gives the task something: a lock, a unit. */
#define PT_PARK_AND_TAKE_IF_(wait)      \
    do {                                \
        PT_IN_BODY_;                    \
        if (wait) {                     \
            PT_SUSPEND_(PT_OP_PARK);    \
            pt_task_take_(pt_current_); \
        }                               \
    } while (0)

#if PT_HAS_WAIT_QUEUES_

/* Stop if TASK is that of a generator, which exists only for one call of pt_next: it cannot hold a
 * lock. */
PT_ALWAYS void pt_task_check_holder_(const struct pt_task *task, const char *where)
{
    if ((PT_HOSTED || PT_DEBUG) && PT_UNLIKELY(!task->loop))
        PT_PANIC("a generator cannot hold a lock", where, 0);
}

/* Whether TASK is the HOLDER of a lock, which is NULL while the lock is free. */
PT_ALWAYS bool pt_task_is_holder_(const struct pt_task *task, const struct pt_task *holder)
{
    return task && task == holder;
}

/* Note what a task was given. FLAGS: PT_FLAG_GIVEN_ if an interruption must not lose it, or 0. */
PT_ALWAYS void pt_task_give_(struct pt_task *task, uint8_t flags)
{
    if (PT_HAS_INTERRUPTS_)
        pt_task_set_flags_(task, pt_task_flags_(task) | flags);
}

/* Complete the wait of a task that has left its queue: the task becomes ready. */
PT_ALWAYS void pt_task_complete_(struct pt_task *task, uint8_t flags)
{
    pt_task_give_(task, flags);
    pt_task_unblock_(task, PT_STATE_QUEUED_ | PT_STATE_HAS_OPS_);
}

/* The item of a waiter: what it waits with; itself, if it is a case of a select. */
PT_ALWAYS void *pt_waiter_item_(struct pt_node *node)
{
    return ((struct pt_waiter_ *)(void *)node)->item; /* its first member */
}

#if PT_SELECTS

struct pt_select_;

/* One case. PT_SELECT writes it. */
struct pt_case_ {
    struct pt_waiter_ waiter;         /* its place in a queue; its item points to itself */
    struct pt_select_ *select;        /* the select that it belongs to */
    const struct pt_case_kind_ *kind; /* its operations */
    void *target;                     /* the channel, the event, ... */
    void *item;                       /* the value, or where to store it; NULL: none */
    union {
        size_t size;   /* of the value */
        pt_time delay; /* of a case that waits for a time */
    } how;
};

/* What a case waits in: a wait queue or a wait list of its target, or only the timer queue. */
enum pt_case_place_ { PT_CASE_IN_QUEUE_, PT_CASE_IN_LIST_, PT_CASE_IN_TIME_ };

/* What all cases of a kind have in common. */
struct pt_case_kind_ {
    /* Try to come true without waiting; returns whether it did. FRAME's status is PT_OK before the
     * call; a case that comes true by failing stores its code there. */
    bool (*take)(struct pt_case_ *self, struct pt *frame);
    enum pt_case_place_ place;
    size_t offset; /* of the queue or list in the target */
    /* On a PC: the offsets of a queue and of a bool in the target. While that queue is empty and
     * the bool is false, TAKE would return false, and is not called. 0, 0: there are none. */
    PT_IF_(PT_HOSTED, size_t others;)
    PT_IF_(PT_HOSTED, size_t closed;)
};

/* The initializer of a kind. */
#define PT_CASE_KIND_(take, place, offset) PT_CASE_KIND_BY_(take, place, offset, 0, 0)
#define PT_CASE_KIND_BY_(take, place, offset, others, closed)   \
    {                                                           \
        take, place, offset PT_IF_(PT_HOSTED, , others, closed) \
    }

/* All cases of one wait. PT_SELECT writes it. */
struct pt_select_ {
    struct pt_wait_ops_ ops; /* how the task leaves the wait; its first member */
    struct pt_task *task;    /* the task that waits */
    struct pt_case_ *cases;  /* in a PT_SELECTION they follow it */
    uint8_t count;           /* how many */
    uint8_t fired;           /* which came true; PT_SELECT_NONE until the task continues */
    uint8_t comes;  /* which will come true: the complete one; until then the earliest time's */
    uint8_t opcode; /* the opcode with which the task waits */
};

PT_COLD void *pt_case_item_(const struct pt_waiter_ *waiter)
{
    return ((const struct pt_case_ *)(const void *)waiter)->item; /* its first member */
}

/* Take the task out of all queues. */
PT_COLD void pt_select_leave_(struct pt_wait_ops_ *ops, struct pt_task *task)
{
    struct pt_select_ *select = (struct pt_select_ *)(void *)ops; /* its first member */

    for (struct pt_case_ *it = select->cases; it != select->cases + select->count; it++)
        pt_wait_remove_(&it->waiter.node);
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

/* Whether a waiter is a case of a select: then its item points to itself. */
PT_ALWAYS bool pt_waiter_selects_(struct pt_node *node)
{
    return PT_SELECTS && PT_UNLIKELY(pt_waiter_item_(node) == (void *)node);
}

/* Whether OTHER, if it is not NULL, is a case of the select that NODE is a case of. */
#if PT_SELECTS
PT_ALWAYS bool pt_waiter_leaves_with_(struct pt_node *other, struct pt_node *node)
{
    return other && pt_waiter_selects_(other) &&
           ((struct pt_case_ *)(void *)other)->select == ((struct pt_case_ *)(void *)node)->select;
}
#else
#define pt_waiter_leaves_with_(other, node) false
#endif

/* pt_task_complete_ without a call, for a loop that reports no wakes. */
PT_ALWAYS void pt_task_complete_unseen_(struct pt_task *task, uint8_t flags)
{
    pt_task_give_(task, flags);
    task->state &= (uint8_t) ~(PT_STATE_QUEUED_ | PT_STATE_HAS_OPS_);
    if (!pt_loop_push_urgent_(pt_task_loop_(task), task))
        pt_ready_push_(&pt_task_loop_(task)->ready, &task->node);
}

/* Complete the wait of a waiter; SELECTS: it is a case of a select. Returns the task. */
PT_API struct pt_task *pt_waiter_complete_as_(struct pt_node *node, bool selects, uint8_t flags)
{
    struct pt_task *task = pt_task_of(node);

    PT_IF_(PT_SELECTS,
           if (selects) return pt_case_complete_((struct pt_waiter_ *)(void *)node, flags);)
    pt_task_complete_(task, flags);
    return task;
}

/* Whether pt_task_complete_unseen_ cannot complete the first wait of a queue: it is of a select, or
 * an observer or a host is told of it. */
PT_ALWAYS bool pt_wait_queue_needs_call_(const struct pt_wait_queue_ *queue)
{
    struct pt_node *node = pt_wait_queue_first_(queue);

    return !pt_wait_queue_empty_(queue) &&
           (pt_waiter_selects_(node) || pt_loop_reports_(pt_task_loop_(pt_task_of(node))));
}

PT_API struct pt_task *pt_waiter_complete_(struct pt_node *node, uint8_t flags)
{
    return pt_waiter_complete_as_(node, pt_waiter_selects_(node), flags);
}

/* Complete the first wait of a queue that is not empty; returns the task. */
PT_API struct pt_task *pt_wait_queue_complete_first_(struct pt_wait_queue_ *queue, uint8_t flags)
{
    return pt_waiter_complete_(pt_wait_queue_pop_(queue), flags);
}

/* Complete all waits of a queue, with STATUS. */
PT_API void pt_wait_queue_complete_all_(struct pt_wait_queue_ *queue, pt_status status)
{
    while (!pt_wait_queue_empty_(queue)) /* pt-bounds: loop tasks */
        pt_task_top_(pt_wait_queue_complete_first_(queue, 0))->status = status;
}

/* Complete a wait that has left its list. The task gets STATUS, unless that is PT_OK. */
PT_ALWAYS void pt_waiter_complete_with_(struct pt_node *node, pt_status status, uint8_t flags)
{
    struct pt_task *task = pt_waiter_complete_(node, flags);

    if (status != PT_OK)
        pt_task_top_(task)->status = status;
}

/* Complete all waits of a list, in order of arrival; O(n). */
PT_API void pt_wait_list_complete_all_(struct pt_wait_list_ *list, pt_status status, uint8_t flags)
{
    struct pt_wait_list_ all;

    if (PT_FAST_ && list->first && !list->first->link.next) { /* mostly there is one, a joiner */
        pt_waiter_complete_with_(pt_wait_list_pop_(list), status, flags);
        return;
    }
    pt_wait_list_init_(&all);
    pt_wait_list_reverse_(list, &all);
    while (all.first) /* pt-bounds: loop tasks */
        pt_waiter_complete_with_(pt_wait_list_pop_(&all), status, flags);
}

#endif
#endif
