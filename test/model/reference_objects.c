/* reference_objects.c - operations on objects that do not wait, and the states of the objects
 * SPDX-License-Identifier: MIT */
#include "reference_sync.h"

void objects_begin(void)
{
    for (int i = 0; i < MODEL_OBJECTS; i++)
        objects.units[i] = i;
}

/* Try an operation that could wait, without waiting. */
static int try(struct op op, struct task *by, int *value)
{
    static struct task nobody;
    struct want want = {.wish = wish_of(op.kind), .object = op.arg[0]};
    int code;

    by = by ? by : &nobody;
    by->came = -1;
    want.value = value_of(want.wish);
    code = attempt(by, &want);
    *value = by->came;
    return code;
}

static int set(int object, bool on)
{
    objects.set[object] = on;
    if (on)
        serve_all(WISH_EVENT, object, CODE_OK, false);
    return CODE_OK;
}

static int trigger(int object)
{
    serve_all(WISH_EVENT, object, CODE_OK, false);
    return CODE_OK;
}

static int tell(int object)
{
    objects.told[object]++;
    objects.latest[object] = ++objects.tags;
    serve_all(WISH_NEWS, object, CODE_OK, false);
    return CODE_OK;
}

static int broadcast(int object)
{
    objects.sent[object]++;
    serve_all(WISH_BROADCAST, object, CODE_OK, false);
    return CODE_OK;
}

static int clear_flags(int object, int bits)
{
    objects.bits[object] &= ~bits;
    return CODE_OK;
}

void sync_act(struct op op, struct task *by)
{
    int object = op.arg[0], value = 0, code;
    struct event *event;

    switch (op.kind) {
    case OP_SET: code = set(object, true); break;
    case OP_CLEAR: code = set(object, false); break;
    case OP_TRIGGER: code = trigger(object); break;
    case OP_RELEASE: code = release_unit(object); break;
    case OP_UNLOCK: code = unlock(object, by); break;
    case OP_NOTIFY: code = notify(object, false); break;
    case OP_NOTIFY_ALL: code = notify(object, true); break;
    case OP_CLOSE: code = close_channel(object); break;
    case OP_CLOSE_QUEUE: code = close_queue(object); break;
    case OP_SET_FLAGS: code = set_flags(object, op.arg[1]); break;
    case OP_CLEAR_FLAGS: code = clear_flags(object, op.arg[1]); break;
    case OP_TELL: code = tell(object); break;
    case OP_BROADCAST: code = broadcast(object); break;
    case OP_UNLOCK_SHARED: code = unlock_shared(object); break;
    case OP_UNLOCK_EXCLUSIVE: code = unlock_exclusive(object, by); break;
    default: code = try(op, by, &value); break;
    }
    event = log_event(EVENT_CODE, by);
    event->code = code;
    event->a = value;
}

/* --- the states of objects --- */

static int holder(const struct task *task)
{
    return task ? number_of(task) + 1 : 0;
}

/* The content of an object; 0 for a wish if another wish of the object already reports it. */
static int content(enum wish wish, int i)
{
    switch (wish) {
    case WISH_EVENT: return objects.set[i];
    case WISH_UNIT: return objects.units[i];
    case WISH_LOCK: return holder(objects.owner[i]) + 100 * objects.depth[i];
    case WISH_SEND: return objects.closed[i];
    case WISH_RECEIVE: return waiting_for(WISH_SEND, i) - waiting_for(WISH_RECEIVE, i);
    case WISH_PUSH: return objects.store[i].closed;
    case WISH_POP: return objects.store[i].count;
    case WISH_FLAGS: return objects.bits[i];
    case WISH_BARRIER: return waiting_for(WISH_BARRIER, i);
    case WISH_NEWS: return objects.told[i];
    case WISH_BROADCAST: return objects.sent[i];
    case WISH_SHARED: return objects.reading[i];
    case WISH_EXCLUSIVE: return holder(objects.writer[i]);
    default: return 0;
    }
}

void log_objects(void)
{
    for (int wish = 0; wish < WISHES; wish++)
        for (int i = 0; i < MODEL_OBJECTS; i++)
            if (wish < WISH_END || wish > WISH_UNTIL)
                trace_object(model.trace, (enum wish)wish, i, waiting_for((enum wish)wish, i),
                             content((enum wish)wish, i));
}
