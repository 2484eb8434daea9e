/* broadcast.h - one sender, many receivers: of the latest value, or of every value
 * SPDX-License-Identifier: MIT
 *
 *     static PT_LATEST(struct reading) air;    pt_latest_set(&air, reading); a slow reader misses
 *                                              values and sees the last
 *     static PT_BROADCAST(int, 16) ticker;     each subscriber gets every value; if it falls behind
 *                                              by more than 16, it is told how many it missed
 *
 * The macros evaluate all arguments but the value several times: each must name the same object
 * every time. The sender never waits. Zeroed storage is a latest value that was never set, or a
 * broadcast that sent nothing.
 *
 * Values are counted in an unsigned. A task that is behind by a full wrap of the count (65,536
 * values if it has 16 bits; 65,535 of a latest value) looks up to date, and waits for the next
 * value.
 *
 * Cancel, timeout: before and during the wait, and when a value has come but the task has not run
 * since, the task leaves and keeps its place in the sequence: its next wait goes on from there. */
#ifndef PT_BROADCAST_H
#define PT_BROADCAST_H

#include "select.h"

#if PT_SYNC

/* How many values were sent, and which tasks wait for the next. Read count. */
struct pt_broadcast_ {
    struct pt_wait_list_ waiters;
    unsigned count; /* wraps */
};

/* --- the latest value ---------------------------------------------------------------------- */

/* PT_LATEST(type) - the type of a value that is sent again and again; read value */
#define PT_LATEST(type)            \
    struct {                       \
        struct pt_broadcast_ sent; \
        type value;                \
    }

/* pt_latest_set(&latest, value) - send a new value; O(waiters) */
#define pt_latest_set(latest, to) \
    (PT_CHECK_ONE_(latest, "pt_latest_set")(latest)->value = (to), pt_latest_tell_(&(latest)->sent))

/* PT_WAIT_LATEST(&latest, &self->seen) - wait for a value that this task has not seen
 * SEEN: an unsigned in the frame, 0 at first; only the macro writes it. Afterwards latest.value is
 * the latest value. self->pt.status is PT_OK. */
#define PT_WAIT_LATEST(latest, seen)                                                               \
    do {                                                                                           \
        PT_CHECK_ONE_(latest, "PT_WAIT_LATEST") PT_CHECK_ONE_(seen, "PT_WAIT_LATEST") PT_IN_BODY_; \
        PT_PARK_IF_(pt_broadcast_must_wait_(pt_current_, pt_, &(latest)->sent, *(seen)));          \
        *(seen) = (latest)->sent.count;                                                            \
    } while (0)

/* --- every value --------------------------------------------------------------------------- */

/* PT_BROADCAST(type, n) - the type of a broadcast that keeps the last N values, a power of two */
#define PT_BROADCAST(type, n)      \
    struct {                       \
        struct pt_broadcast_ sent; \
        type items[n];             \
    }

/* The position of a task that gets every value; in its frame. Read missed. */
struct pt_subscriber {
    unsigned next;   /* the number of the next value */
    unsigned missed; /* values lost just before the last one that it got */
};

/* pt_broadcast_send(&broadcast, value) - send a value to all; it replaces the oldest; O(waiters) */
#define pt_broadcast_send(broadcast, value)                                          \
    (PT_CHECK_ONE_(broadcast, "pt_broadcast_send")(broadcast)                        \
         ->items[PT_BROADCAST_PLACE_(broadcast, (broadcast)->sent.count)] = (value), \
     pt_broadcast_wake_(&(broadcast)->sent))

/* pt_subscribe(&broadcast, &self->subscriber) - get every value that is sent from now on */
#define pt_subscribe(broadcast, subscriber)                    \
    (PT_CHECK_ONE_(broadcast, "pt_subscribe")                  \
         PT_CHECK_ONE_(subscriber, "pt_subscribe")(subscriber) \
             ->missed = 0,                                     \
     (void)((subscriber)->next = (broadcast)->sent.count))

/* PT_WAIT_BROADCAST(&broadcast, &self->subscriber, &self->value) - wait for the next value
 * self->pt.status is PT_OK; or PT_EOVERRUN if values were lost before it: subscriber.missed counts
 * them. The count wraps after UINT_MAX (65,535 on AVR and the like): losses of a full wrap go
 * unreported. */
#define PT_WAIT_BROADCAST(broadcast, subscriber, to)                                             \
    do {                                                                                         \
        PT_CHECK_ONE_(broadcast, "PT_WAIT_BROADCAST")                                            \
        PT_CHECK_ONE_(subscriber, "PT_WAIT_BROADCAST") PT_IN_BODY_;                              \
        if (pt_broadcast_must_wait_(pt_current_, pt_, &(broadcast)->sent, (subscriber)->next)) { \
            PT_NOT_LOCAL_(subscriber, "the subscriber")                                          \
            PT_SUSPEND_(PT_OP_PARK);                                                             \
        }                                                                                        \
        pt_->status =                                                                            \
            pt_broadcast_next_(&(broadcast)->sent, subscriber, PT_BROADCAST_KEEPS_(broadcast));  \
        *(to) = (broadcast)->items[PT_BROADCAST_PLACE_(broadcast, (subscriber)->next - 1u)];     \
    } while (0)

/* PT_CASE_BROADCAST(&broadcast, self->subscriber.next) - in a select: there is a value
 * Then PT_WAIT_BROADCAST takes it without a wait. For a latest value: &latest and self->seen, then
 * PT_WAIT_LATEST. */
#define PT_CASE_BROADCAST(broadcast, seen) \
    pt_case_broadcast_(PT_CASE_TASK_, &(broadcast)->sent, seen)

/* --- implementation ------------------------------------------------------------------------ */

/* A value was sent: count it and wake the waiters. */
PT_API void pt_broadcast_wake_(struct pt_broadcast_ *sent)
{
    sent->count++;
    pt_wait_list_complete_all_(&sent->waiters, PT_OK, 0);
}

/* Whether the task must wait because it has seen all values. */
PT_API bool pt_broadcast_must_wait_(struct pt_task *task, struct pt *frame,
                                    struct pt_broadcast_ *sent, unsigned seen)
{
    frame->status = PT_OK;
    if (sent->count != seen)
        return false;
    pt_task_wait_in_list_(task, &sent->waiters, PT_WHY_BROADCAST);
    return true;
}

/* SEEN is 0 in a reader that has seen no value. So the count skips 0 when it wraps: otherwise a
 * new reader would wait although there is a value. */
PT_API void pt_latest_tell_(struct pt_broadcast_ *sent)
{
    if (sent->count == (unsigned)-1)
        sent->count = 0;
    pt_broadcast_wake_(sent);
}

#define PT_BROADCAST_KEEPS_(broadcast) \
    ((unsigned)(sizeof((broadcast)->items) / sizeof((broadcast)->items[0])))

/* The place of value N; an error unless the number of places is a power of two. */
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

#if PT_SELECTS
PT_API bool pt_case_broadcast_take_(struct pt_case_ *it, struct pt *frame)
{
    return ((const struct pt_broadcast_ *)it->target)->count != it->how.size;
}

PT_ALWAYS void pt_case_broadcast_(struct pt_task *task, struct pt_broadcast_ *sent, unsigned seen)
{
    static const struct pt_case_kind_ kind = PT_CASE_KIND_(
        pt_case_broadcast_take_, PT_CASE_IN_LIST_, offsetof(struct pt_broadcast_, waiters));

    pt_case_add_(task, &kind, sent, NULL)->how.size = seen;
}
#endif

#endif
#endif
