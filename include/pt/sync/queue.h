/* queue.h - a bounded queue of values: a fast producer waits for a slow consumer
 * SPDX-License-Identifier: MIT
 *
 *     static PT_QUEUE(struct job, 8) jobs;     PT_QUEUE_INIT(&jobs);
 *
 *     PT_PUSH(&jobs, &self->job);              waits while all 8 places are taken
 *     PT_POP(&jobs, &self->job);               waits while the queue is empty
 *
 * The caller owns the queue's memory, where the values are stored. Waits complete in the order in
 * which the tasks came, and a value goes straight to the first waiter: no task overtakes it. The
 * value's place must survive the wait.
 *
 * Cancel, timeout: before and during the wait, the task leaves the queue without having pushed or
 * popped a value. Once its value is taken, or it is given one, it continues to its next wait. */
#ifndef PT_QUEUE_H
#define PT_QUEUE_H

#include "transfer.h"

#if PT_CHANNELS

/* What all queues have in common. Zeroed, it is no queue: use PT_QUEUE_INIT. Read count and closed;
 * lifo may be set. */
struct pt_queue_ {
    struct pt_wait_queue_ pushers; /* tasks that wait for a place, with a value */
    struct pt_wait_queue_ poppers; /* tasks that wait for a value */
    void *items;                   /* the places */
    unsigned capacity;             /* the number of places */
    unsigned count;                /* values in the queue */
    unsigned first;                /* the place of the oldest value */
    bool closed;                   /* true: it takes no more values */
    bool lifo;                     /* true: the newest value is popped first, as from a stack */
};

/* PT_QUEUE(type, n) - the type of a queue with places for N values */
#define PT_QUEUE(type, n)       \
    struct {                    \
        struct pt_queue_ queue; \
        type items[n];          \
    }

/* PT_QUEUE_INIT(&queue) - make an empty queue; O(1) */
#define PT_QUEUE_INIT(q)               \
    (PT_CHECK_ONE_(q, "PT_QUEUE_INIT") \
         pt_queue_init(&(q)->queue, (q)->items, sizeof((q)->items) / sizeof((q)->items[0])))

/* pt_queue_init - make an empty queue of CAPACITY places at ITEMS, which the caller owns; O(1) */
PT_API void pt_queue_init(struct pt_queue_ *queue, void *items, size_t capacity);

/* PT_PUSH(&queue, &self->value) - wait for a place and put a copy of the value into the queue
 * self->pt.status is PT_OK, or PT_ECLOSED: then no task gets it. Cost: O(1), and the copy. */
#define PT_PUSH(q, value) \
    PT_PASS_TRANSFER_(pt_queue_push, &(q)->queue, PT_CONST_ITEM_((q)->items, value))

/* PT_POP(&queue, &self->value) - wait for a value and take it out of the queue
 * self->pt.status is PT_OK, or PT_ECLOSED: then *VALUE is as before. Cost: as PT_PUSH. */
#define PT_POP(q, value) PT_PASS_TRANSFER_(pt_queue_pop, &(q)->queue, PT_ITEM_((q)->items, value))

/* PT_POP_EACH(&queue, &self->value) { ... } - pop values until the queue is closed and empty
 * break, continue and self->pt.status are as in PT_RECV_EACH. */
#define PT_POP_EACH(q, value) PT_PASS_EACH_(pt_queue_pop, &(q)->queue, PT_ITEM_((q)->items, value))

/* PT_TRY_PUSH(&queue, &value), PT_TRY_POP(&queue, &value) - PT_PUSH, PT_POP without waiting
 * Expressions, for anywhere in the loop's thread: PT_OK, PT_ECLOSED, or PT_EAGAIN when the queue is
 * full (push) or empty (pop). Do not ignore the code of a push. */
#define PT_TRY_PUSH(q, value) \
    pt_try_push_(&(q)->queue, PT_CONST_ITEM_((q)->items, value), PT_ANY_WAY_)
#define PT_TRY_POP(q, value) pt_try_pop_(&(q)->queue, PT_ITEM_((q)->items, value), PT_ANY_WAY_)

/* pt_queue_close - take no more values; O(waiters)
 * Pushes end with PT_ECLOSED, waiting ones too. So do pops once the queue is empty. */
PT_API void pt_queue_close(struct pt_queue_ *queue);

/* --- in a select --------------------------------------------------------------------------- */

/* PT_CASE_PUSH(&queue, &self->value), PT_CASE_POP(&queue, &self->value) - in a select
 * The case comes true when the value is pushed or popped, or, with PT_ECLOSED, when PT_PUSH or
 * PT_POP would fail with that. */
#define PT_CASE_PUSH(q, value) \
    pt_case_push_(PT_CASE_TASK_, &(q)->queue, PT_CONST_ITEM_((q)->items, value))
#define PT_CASE_POP(q, value) pt_case_pop_(PT_CASE_TASK_, &(q)->queue, PT_ITEM_((q)->items, value))

/* --- implementation ------------------------------------------------------------------------ */

PT_API void pt_queue_init(struct pt_queue_ *queue, void *items, size_t capacity)
{
    pt_wait_queue_init_(&queue->pushers);
    pt_wait_queue_init_(&queue->poppers);
    queue->items = items;
    queue->capacity = (unsigned)capacity;
    queue->count = queue->first = 0;
    queue->closed = queue->lifo = false;
}

/* The place of value N, counted from the oldest. */
PT_ALWAYS void *pt_queue_place_(const struct pt_queue_ *queue, unsigned n, size_t size)
{
    unsigned place = queue->first + n;

    return (char *)queue->items +
           (place < queue->capacity ? place : place - queue->capacity) * size;
}

/* Put a value into a queue that has room. */
PT_ALWAYS void pt_queue_put_(struct pt_queue_ *queue, const void *item, size_t size)
{
    pt_copy_(pt_queue_place_(queue, queue->count, size), item, size);
    queue->count++;
}

/* Take the next value out of a queue that is not empty. */
PT_ALWAYS void pt_queue_get_(struct pt_queue_ *queue, void *item, size_t size)
{
    queue->count--;
    pt_copy_(item, pt_queue_place_(queue, queue->lifo ? queue->count : 0, size), size);
    if (!queue->lifo && ++queue->first == queue->capacity)
        queue->first = 0;
}

PT_MUST_CHECK PT_ALWAYS pt_status pt_try_push_(struct pt_queue_ *queue, void *item, size_t size,
                                               enum pt_way_ way)
{
    if (!pt_wait_queue_empty_(&queue->poppers)) /* then it is empty, and not closed */
        pt_wait_queue_give_(&queue->poppers, item, size, way);
    else if (queue->closed)
        return PT_ECLOSED;
    else if (queue->count < queue->capacity)
        pt_queue_put_(queue, item, size);
    else
        return PT_EAGAIN;
    return PT_OK;
}

PT_ALWAYS pt_status pt_try_pop_(struct pt_queue_ *queue, void *item, size_t size, enum pt_way_ way)
{
    bool more = !pt_wait_queue_empty_(&queue->pushers); /* then it is full */

    if (!queue->count && more) { /* it has no places at all */
        pt_wait_queue_take_(&queue->pushers, item, size, way);
        return PT_OK;
    }
    if (!queue->count)
        return queue->closed ? (pt_status)PT_ECLOSED : (pt_status)PT_EAGAIN;
    pt_queue_get_(queue, item, size);
    if (more)
        pt_wait_queue_take_(&queue->pushers, pt_queue_place_(queue, queue->count++, size), size,
                            way);
    return PT_OK;
}

PT_ALWAYS bool pt_queue_push_pass_(struct pt_task *task, struct pt *frame, struct pt_queue_ *queue,
                                   void *item, size_t size, enum pt_way_ way)
{
    frame->status = pt_try_push_(queue, item, size, way);
    if (frame->status != PT_EAGAIN)
        return false;
    frame->status = PT_OK;
    pt_task_wait_in_queue_(task, &queue->pushers, PT_WHY_PUSH, item);
    return true;
}

PT_ALWAYS bool pt_queue_pop_pass_(struct pt_task *task, struct pt *frame, struct pt_queue_ *queue,
                                  void *item, size_t size, enum pt_way_ way)
{
    frame->status = pt_try_pop_(queue, item, size, way);
    if (frame->status != PT_EAGAIN)
        return false;
    frame->status = PT_OK;
    pt_task_wait_in_queue_(task, &queue->poppers, PT_WHY_POP, item);
    return true;
}

PT_PASS_(pt_queue_push, struct pt_queue_, poppers)
PT_PASS_(pt_queue_pop, struct pt_queue_, pushers)

PT_API void pt_queue_close(struct pt_queue_ *queue)
{
    queue->closed = true;
    pt_wait_queue_complete_all_(&queue->pushers, PT_ECLOSED);
    pt_wait_queue_complete_all_(&queue->poppers, PT_ECLOSED);
}

#if PT_SELECTS
PT_API bool pt_case_push_take_(struct pt_case_ *it, struct pt *frame)
{
    return pt_case_take_(
        frame, pt_try_push_((struct pt_queue_ *)it->target, it->item, it->how.size, PT_ANY_WAY_));
}

PT_ALWAYS void pt_case_push_(struct pt_task *task, struct pt_queue_ *queue, void *item, size_t size)
{
    static const struct pt_case_kind_ kind =
        PT_CASE_KIND_(pt_case_push_take_, PT_CASE_IN_QUEUE_, offsetof(struct pt_queue_, pushers));

    pt_case_add_(task, &kind, queue, item)->how.size = size;
}

PT_API bool pt_case_pop_take_(struct pt_case_ *it, struct pt *frame)
{
    return pt_case_take_(
        frame, pt_try_pop_((struct pt_queue_ *)it->target, it->item, it->how.size, PT_ANY_WAY_));
}

PT_ALWAYS void pt_case_pop_(struct pt_task *task, struct pt_queue_ *queue, void *item, size_t size)
{
    static const struct pt_case_kind_ kind =
        PT_CASE_KIND_(pt_case_pop_take_, PT_CASE_IN_QUEUE_, offsetof(struct pt_queue_, poppers));

    pt_case_add_(task, &kind, queue, item)->how.size = size;
}
#endif

#endif
#endif
