/* wants.h - the operations on objects, and their results when their waits are over
 * SPDX-License-Identifier: MIT */
#ifndef MODEL_WANTS_H
#define MODEL_WANTS_H

#include "objects.h"

static void log_value(const struct position *at, const struct pt *pt, int a, int b)
{
    struct event *event = log_event(EVENT_VALUE, at);

    event->code = from_status(pt->status);
    event->a = a;
    event->b = b;
}

/* --- cases of a select --- */

static void add_case(struct pt_task *pt_current_, struct kit *kit, int at, int number)
{
    int i = number % CASE_OPERANDS;
    bool on = i < CASE_OFF;
    int *value = &kit->values[at];
    enum { PT_LABEL_BASE_ }; /* a body calls this, */
    PT_SELECT_SCOPE_;        /* in a select */

    *value = -1;
    switch (number / CASE_OPERANDS) {
    case WISH_EVENT: PT_CASE_IF(on, PT_CASE_EVENT(&objects.events[i])); break;
    case WISH_UNIT: PT_CASE_IF(on, PT_CASE_ACQUIRE(&objects.semaphores[i])); break;
    case WISH_LOCK: PT_CASE_IF(on, PT_CASE_LOCK(&objects.locks[i])); break;
    case WISH_SEND: PT_CASE_IF(on, PT_CASE_SEND(&objects.channels[i], offer(value))); break;
    case WISH_RECEIVE: PT_CASE_IF(on, PT_CASE_RECV(&objects.channels[i], value)); break;
    case WISH_PUSH: PT_CASE_IF(on, PT_CASE_PUSH(&objects.queues[i], offer(value))); break;
    case WISH_POP: PT_CASE_IF(on, PT_CASE_POP(&objects.queues[i], value)); break;
#if PT_JOINS
    case WISH_END: PT_CASE_JOIN(task_named(i)); break;
#endif
    case WISH_AFTER: PT_CASE_AFTER(to_delay(i == CASE_LONG ? MODEL_LONG : i)); break;
    default:
        PT_CASE_UNTIL((pt_time)(pt_now_(pt_current_) +
                                (i == CASE_LONG ? PT_DELAY_NEVER : (pt_time)i - CASE_PAST)));
        break;
    }
}

static void take_case(const struct position *at, const struct kit *kit, const struct pt *pt)
{
    int which = PT_SELECTED(&kit->choice), wish, value = -1;

    if (which == PT_SELECT_NONE) {
        log_value(at, pt, -1, -1);
        return;
    }
    wish = at->op->arg[which] / CASE_OPERANDS;
    if (wish == WISH_RECEIVE || wish == WISH_POP) {
        value = kit->values[which];
        if (pt->status == PT_OK)
            note(value, TAKEN);
    } else if ((wish == WISH_SEND || wish == WISH_PUSH) && pt->status == PT_OK) {
        note(kit->values[which], GIVEN);
    }
    log_value(at, pt, which, value);
}

/* --- after a wait, or without one --- */

static void take_wanted(const struct position *at, const struct kit *kit, const struct pt *pt)
{
    int object = at->op->arg[0];

    switch (at->op->kind) {
    case OP_SEND:
    case OP_PUSH:
        if (pt->status == PT_OK)
            note(kit->values[0], GIVEN);
        break;
    case OP_RECV:
    case OP_POP:
        if (pt->status == PT_OK)
            note(kit->values[0], TAKEN);
        log_value(at, pt, kit->values[0], 0);
        break;
    case OP_WAIT_FLAGS: log_value(at, pt, (int)kit->wanted.found, 0); break;
    case OP_WAIT_LATEST: log_value(at, pt, objects.latest[object].value, 0); break;
    case OP_WAIT_BROADCAST:
        log_value(at, pt, kit->values[0], (int)kit->subscribers[object].missed);
        break;
    case OP_SELECT:
    case OP_SELECT_TWO:
    case OP_SELECT_NOW: take_case(at, kit, pt); break;
    default: break;
    }
}

static void begin_each(const struct position *at, struct kit *kit)
{
    kit->each = at->op->arg[1];
}

/* Whether the loop continues. */
static bool take_each(const struct position *at, struct kit *kit, const struct pt *pt)
{
    note(kit->values[0], TAKEN);
    log_value(at, pt, kit->values[0], 0);
    return --kit->each >= 0;
}

/* --- operations that do not wait --- */

static pt_status try_give(struct op op)
{
    int tag;
    pt_status status = op.kind == OP_TRY_SEND
                           ? PT_TRY_SEND(&objects.channels[op.arg[0]], offer(&tag))
                           : PT_TRY_PUSH(&objects.queues[op.arg[0]], offer(&tag));

    if (status == PT_OK)
        note(tag, GIVEN);
    return status;
}

static pt_status try_take(struct op op, int *tag)
{
    pt_status status = op.kind == OP_TRY_RECV ? PT_TRY_RECV(&objects.channels[op.arg[0]], tag)
                                              : PT_TRY_POP(&objects.queues[op.arg[0]], tag);

    if (status == PT_OK)
        note(*tag, TAKEN);
    return status;
}

static pt_status try(struct op op, int *value)
{
    int i = op.arg[0];

    *value = -1;
    switch (op.kind) {
    case OP_TRY_ACQUIRE: return pt_semaphore_try(&objects.semaphores[i]);
    case OP_TRY_LOCK: return pt_lock_try(&objects.locks[i], task_named(MODEL_SELF));
    case OP_TRY_SEND:
    case OP_TRY_PUSH: return try_give(op);
    case OP_TRY_RECV:
    case OP_TRY_POP: return try_take(op, value);
    case OP_TRY_SHARED: return pt_rwlock_try_shared(&objects.rwlocks[i], task_named(MODEL_SELF));
    default: return pt_rwlock_try_exclusive(&objects.rwlocks[i], task_named(MODEL_SELF));
    }
}

static pt_status for_nobody(int what, int i)
{
    switch (what) {
    case NOBODY_LOCKS: return pt_lock_try(&objects.locks[i], NULL);
    case NOBODY_UNLOCKS: return pt_lock_release(&objects.locks[i], NULL);
    case NOBODY_WRITES: return pt_rwlock_try_exclusive(&objects.rwlocks[i], NULL);
    case NOBODY_STOPS_WRITING: return pt_rwlock_release_exclusive(&objects.rwlocks[i], NULL);
    default: return pt_rwlock_try_shared(&objects.rwlocks[i], NULL);
    }
}

static void sync_act(struct op op, const struct position *at)
{
    int i = op.arg[0], value = 0;
    pt_status status = PT_OK;
    struct event *event;

    switch (op.kind) {
    case OP_SET: pt_event_set(&objects.events[i]); break;
    case OP_CLEAR: pt_event_clear(&objects.events[i]); break;
    case OP_TRIGGER: pt_event_trigger(&objects.events[i]); break;
    case OP_RELEASE: status = pt_semaphore_release(&objects.semaphores[i]); break;
    case OP_UNLOCK: status = pt_lock_release(&objects.locks[i], task_named(MODEL_SELF)); break;
    case OP_NOTIFY: pt_condition_notify(&objects.conditions[i]); break;
    case OP_NOTIFY_ALL: pt_condition_notify_all(&objects.conditions[i]); break;
    case OP_CLOSE: pt_channel_close(&objects.channels[i].channel); break;
    case OP_CLOSE_QUEUE: pt_queue_close(&objects.queues[i].queue); break;
    case OP_SET_FLAGS: pt_flags_set(&objects.flags[i], (unsigned)op.arg[1]); break;
    case OP_CLEAR_FLAGS: pt_flags_clear(&objects.flags[i], (unsigned)op.arg[1]); break;
    case OP_TELL: pt_latest_set(&objects.latest[i], ++objects.tags); break;
    case OP_BROADCAST:
        pt_broadcast_send(&objects.broadcasts[i], (int)objects.broadcasts[i].sent.count + 1);
        break;
    case OP_UNLOCK_SHARED: status = pt_rwlock_release_shared(&objects.rwlocks[i]); break;
    case OP_UNLOCK_EXCLUSIVE:
        status = pt_rwlock_release_exclusive(&objects.rwlocks[i], task_named(MODEL_SELF));
        break;
    default: status = try(op, &value); break;
    }
    event = log_event(EVENT_CODE, at);
    event->code = from_status(status);
    event->a = value;
}

#endif
