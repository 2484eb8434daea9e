/* objects.h - the objects for which tasks wait, and the fate of each value
 * SPDX-License-Identifier: MIT */
#ifndef MODEL_OBJECTS_H
#define MODEL_OBJECTS_H

#include "frames.h"

enum { MODEL_TAGS = 1 << 14, GIVEN = 1, TAKEN = 2 };

static struct {
    struct pt_event events[MODEL_OBJECTS];
    struct pt_semaphore semaphores[MODEL_OBJECTS];
    struct pt_lock locks[MODEL_OBJECTS];
    struct pt_condition conditions[MODEL_OBJECTS];
    PT_CHANNEL(int) channels[MODEL_OBJECTS];
    PT_QUEUE(int, MODEL_PLACES) queues[MODEL_OBJECTS];
    struct pt_flags flags[MODEL_OBJECTS];
    struct pt_barrier barriers[MODEL_OBJECTS];
    PT_LATEST(int) latest[MODEL_OBJECTS];
    PT_BROADCAST(int, MODEL_KEEPS) broadcasts[MODEL_OBJECTS];
    struct pt_rwlock rwlocks[MODEL_OBJECTS];
    int tags;                       /* a number for each value */
    unsigned char fate[MODEL_TAGS]; /* bits: its send succeeded; a task received it */
} objects;

static void objects_begin(void)
{
    static const enum pt_preference preferences[MODEL_OBJECTS] = {
        PT_PREFER_NEITHER, PT_PREFER_RECEIVER, PT_PREFER_SENDER};

    memset(&objects, 0, sizeof objects);
    for (unsigned i = 0; i < MODEL_OBJECTS; i++) {
        pt_event_init(&objects.events[i]);
        pt_semaphore_init(&objects.semaphores[i], i, i + 1);
        pt_lock_init(&objects.locks[i]);
        pt_condition_init(&objects.conditions[i]);
        pt_channel_init(&objects.channels[i].channel, preferences[i]);
        pt_queue_init(&objects.queues[i].queue, objects.queues[i].items,
                      (size_t)subject.script->places[i]);
        objects.queues[i].queue.lifo = subject.script->lifo[i];
        pt_flags_init(&objects.flags[i]);
        pt_barrier_init(&objects.barriers[i], i + 1);
        pt_rwlock_init(&objects.rwlocks[i]);
    }
    pt_lock_init_reentrant(&objects.locks[LOCK_REENTRANT]);
}

/* --- waiting tasks --- */

/* The number of nodes in a wait queue or wait list; far below zero if a back link is wrong. */
static int count_queue(const struct pt_wait_queue_ *waits)
{
    int count = *waits->end.prev == &waits->end ? 0 : INT16_MIN;

    for (struct pt_node *node = pt_wait_queue_first_(waits); node;
         node = pt_wait_queue_next_(waits, node))
        count += *node->prev == node ? 1 : INT16_MIN;
    return count;
}

static int count_list(const struct pt_wait_list_ *list)
{
    int count = 0;

    for (struct pt_node *node = list->first; node; node = node->link.next)
        count += *node->prev == node ? 1 : INT16_MIN;
    return count;
}

static int waiting_for(enum wish wish, int i)
{
    switch (wish) {
    case WISH_EVENT: return count_list(&objects.events[i].waiters);
    case WISH_UNIT: return count_queue(&objects.semaphores[i].waiters);
    case WISH_LOCK: return count_queue(&objects.locks[i].waiters);
    case WISH_SEND: return count_queue(&objects.channels[i].channel.senders);
    case WISH_RECEIVE: return count_queue(&objects.channels[i].channel.receivers);
    case WISH_PUSH: return count_queue(&objects.queues[i].queue.pushers);
    case WISH_POP: return count_queue(&objects.queues[i].queue.poppers);
    case WISH_CONDITION: return count_queue(&objects.conditions[i].waiters);
    case WISH_FLAGS: return count_queue(&objects.flags[i].waiters);
    case WISH_BARRIER: return count_list(&objects.barriers[i].waiters);
    case WISH_NEWS: return count_list(&objects.latest[i].sent.waiters);
    case WISH_BROADCAST: return count_list(&objects.broadcasts[i].sent.waiters);
    case WISH_SHARED: return count_list(&objects.rwlocks[i].readers);
    case WISH_EXCLUSIVE: return count_queue(&objects.rwlocks[i].writers);
    default: return 0;
    }
}

static int all_who_wait(void)
{
    int count = 0;

    for (int wish = 0; wish < WISHES; wish++)
        for (int i = 0; i < MODEL_OBJECTS; i++)
            count += waiting_for((enum wish)wish, i);
    return count;
}

static struct event *log_event(enum event_kind kind, const struct position *at)
{
    struct event *event = trace_add(subject.trace, kind);

    event->task = -1;
    event->time = from_time(subject.loops[at ? loop_of(task_at(at)) : 0].now);
    for (int i = 0; i < MODEL_LOOPS; i++) {
        event->ready += (int)pt_loop_ready(&subject.loops[i]);
        event->live += (int)pt_loop_live(&subject.loops[i]);
    }
    event->waiting = all_who_wait();
    if (at) {
        event->task = at->id;
        event->function = at->function;
        event->op = at->pc;
        event->cleanup = at->cleanup;
    }
    return event;
}

/* --- the fate of values --- */

static void broken(int tag)
{
    log_event(EVENT_BROKEN, NULL)->a = tag;
}

static void note(int tag, unsigned char fate)
{
    if (tag <= 0 || tag > objects.tags || (tag < MODEL_TAGS && (objects.fate[tag] & fate)))
        broken(tag);
    else if (tag < MODEL_TAGS)
        objects.fate[tag] |= fate;
}

/* A unique value for a send or a push; and an empty place for a value that is received. */
static int *offer(int *value)
{
    *value = ++objects.tags;
    return value;
}

static int *expect(int *value)
{
    *value = -1;
    return value;
}

/* All tasks are done: every value that was sent with success is in a queue or was received, and no
 * other value is. */
static void settle(void)
{
    int tag;

    for (int i = 0; i < MODEL_OBJECTS; i++)
        while (PT_TRY_POP(&objects.queues[i], &tag) == PT_OK)
            note(tag, TAKEN);
    for (tag = 1; tag <= objects.tags && tag < MODEL_TAGS; tag++)
        if (objects.fate[tag] == GIVEN || objects.fate[tag] == TAKEN)
            broken(tag);
}

/* --- the states of objects --- */

static int holder(const struct pt_task *task)
{
    return task ? number_of(task) + 1 : 0;
}

/* The content of an object; 0 for a wish if another wish of the object already reports it. */
static int content(enum wish wish, int i)
{
    switch (wish) {
    case WISH_EVENT: return objects.events[i].set;
    case WISH_UNIT: return (int)objects.semaphores[i].count;
    case WISH_LOCK: return holder(objects.locks[i].owner) + 100 * (int)objects.locks[i].depth;
    case WISH_SEND: return objects.channels[i].channel.closed;
    case WISH_RECEIVE: return pt_channel_balance(&objects.channels[i].channel);
    case WISH_PUSH: return objects.queues[i].queue.closed;
    case WISH_POP: return (int)objects.queues[i].queue.count;
    case WISH_FLAGS: return (int)objects.flags[i].bits;
    case WISH_BARRIER: return (int)objects.barriers[i].waiting;
    case WISH_NEWS: return (int)objects.latest[i].sent.count;
    case WISH_BROADCAST: return (int)objects.broadcasts[i].sent.count;
    case WISH_SHARED: return (int)objects.rwlocks[i].reading;
    case WISH_EXCLUSIVE: return holder(objects.rwlocks[i].writer);
    default: return 0;
    }
}

static void log_objects(void)
{
    for (int wish = 0; wish < WISHES; wish++)
        for (int i = 0; i < MODEL_OBJECTS; i++)
            trace_object(subject.trace, (enum wish)wish, i, waiting_for((enum wish)wish, i),
                         content((enum wish)wish, i));
}

#endif
