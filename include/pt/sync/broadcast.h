/* broadcast.h - one tells many: the latest value, or every value
 * SPDX-License-Identifier: MIT
 *
 *     static PT_LATEST(struct reading) air;    pt_latest_set(&air, reading) ... readers that are slow
 *                                              miss values, and see the last
 *     static PT_BROADCAST(int, 16) ticker;     each of any number of subscribers gets every value;
 *                                              who falls behind by more than 16 is told so
 *
 * The macros evaluate their arguments several times, but for a value: each is to name the same thing at
 * each time. The one who tells never waits. Zero is a latest value that was never set, and a broadcast of
 * which nothing was sent.
 *
 * Values are counted in an unsigned. A task that falls behind by all that it can count (65,536 values where it has
 * 16 bits; 65,535 of a latest value) looks up to date, and waits for the next value.
 *
 * Cancel, timeout: before the wait, while it waits, and when there is news, the task leaves, and its
 * place in the sequence is where it was: nothing is lost for its next look. */
#ifndef PT_BROADCAST_H
#define PT_BROADCAST_H

#include "../loop/interpreter.h"

#if PT_SYNC

/* How many values were told, and who waits for the next. Read count. */
struct pt_broadcast_ {
    struct pt_wait_list_ waiters;
    unsigned count; /* wraps */
};

/* Another value is there. */
PT_API void pt_broadcast_wake_(struct pt_broadcast_ *sent)
{
    sent->count++;
    pt_wait_list_complete_(&sent->waiters, PT_OK, 0);
}

/* Whether a task has to wait: it has seen them all. */
PT_API bool pt_broadcast_wait_(struct pt_task *task, struct pt *frame, struct pt_broadcast_ *sent,
                               unsigned seen)
{
    frame->status = PT_OK;
    if (sent->count != seen)
        return false;
    pt_task_wait_in_list_(task, &sent->waiters, PT_WHY_BROADCAST);
    return true;
}

/* --- the latest value ---------------------------------------------------------------------- */

/* PT_LATEST(type) - the type of a value that is told again and again; read value */
#define PT_LATEST(type)            \
    struct {                       \
        struct pt_broadcast_ sent; \
        type value;                \
    }

/* pt_latest_set(&latest, value) - tell a new value; O(waiters) */
#define pt_latest_set(latest, to) ((latest)->value = (to), pt_latest_tell_(&(latest)->sent))

/* 0 is who has seen none: no value has that number, lest a new reader waits although one is there. */
PT_API void pt_latest_tell_(struct pt_broadcast_ *sent)
{
    if (sent->count == (unsigned)-1)
        sent->count = 0;
    pt_broadcast_wake_(sent);
}

/* PT_WAIT_LATEST(&latest, &self->seen) - until a value is there that this task has not seen
 * SEEN: an unsigned of the frame, 0 at first, to be left alone. Then latest.value is the last of
 * them. self->pt.status is PT_OK. */
#define PT_WAIT_LATEST(latest, seen)                                        \
    do {                                                                    \
        if (pt_broadcast_wait_(pt_current_, pt_, &(latest)->sent, *(seen))) \
            PT_SUSPEND_(PT_OP_PARK);                                        \
        *(seen) = (latest)->sent.count;                                     \
    } while (0)

/* --- every value --------------------------------------------------------------------------- */

/* PT_BROADCAST(type, n) - the type of a broadcast that keeps the last N values, a power of two */
#define PT_BROADCAST(type, n)      \
    struct {                       \
        struct pt_broadcast_ sent; \
        type items[n];             \
    }

/* One who gets every value; in a frame. Read missed. */
struct pt_subscriber {
    unsigned next;   /* the number of the value that comes next */
    unsigned missed; /* how many were lost just before the last one that came */
};

/* pt_broadcast_send(&broadcast, value) - tell a value to all; it replaces the oldest; O(waiters) */
#define pt_broadcast_send(broadcast, value)                                                 \
    ((broadcast)->items[PT_BROADCAST_PLACE_(broadcast, (broadcast)->sent.count)] = (value), \
     pt_broadcast_wake_(&(broadcast)->sent))

/* pt_subscribe(&broadcast, &self->subscriber) - get every value that is sent from now on */
#define pt_subscribe(broadcast, subscriber) \
    ((subscriber)->missed = 0, (void)((subscriber)->next = (broadcast)->sent.count))

/* PT_WAIT_BROADCAST(&broadcast, &self->subscriber, &self->value) - get the next value
 * self->pt.status is PT_OK; or PT_EOVERRUN, when some were lost before it: subscriber.missed. Behind by more than
 * UINT_MAX values (65,535 on AVR and the like) it counts from 0 again: so many are lost that nobody is told of. */
#define PT_WAIT_BROADCAST(broadcast, subscriber, to)                                            \
    do {                                                                                        \
        if (pt_broadcast_wait_(pt_current_, pt_, &(broadcast)->sent, (subscriber)->next))       \
            PT_SUSPEND_(PT_OP_PARK);                                                            \
        pt_->status =                                                                           \
            pt_broadcast_next_(&(broadcast)->sent, subscriber, PT_BROADCAST_KEEPS_(broadcast)); \
        *(to) = (broadcast)->items[PT_BROADCAST_PLACE_(broadcast, (subscriber)->next - 1u)];    \
    } while (0)

#define PT_BROADCAST_KEEPS_(broadcast) \
    ((unsigned)(sizeof((broadcast)->items) / sizeof((broadcast)->items[0])))

/* The place of value N; an error, unless their number is a power of two. */
#define PT_BROADCAST_PLACE_(broadcast, n) \
    ((n) %                                \
     (PT_BROADCAST_KEEPS_(broadcast) *    \
      sizeof(                             \
          char[PT_BROADCAST_KEEPS_(broadcast) & (PT_BROADCAST_KEEPS_(broadcast) - 1) ? -1 : 1])))

PT_API pt_status pt_broadcast_next_(const struct pt_broadcast_ *sent,
                                    struct pt_subscriber *subscriber, unsigned keeps)
{
    unsigned behind = sent->count - subscriber->next;

    subscriber->missed = behind > keeps ? behind - keeps : 0;
    subscriber->next += subscriber->missed + 1;
    return subscriber->missed ? (pt_status)PT_EOVERRUN : (pt_status)PT_OK;
}

#endif
#endif
