/* reference_values.c - channels and queues of the reference
 * SPDX-License-Identifier: MIT */
#include "reference_sync.h"

#include <string.h>

int send(int object, int value)
{
    const struct want *receiver = first_for(WISH_RECEIVE, object);

    if (objects.closed[object])
        return CODE_CLOSED;
    if (!receiver)
        return CODE_AGAIN;
    hand(receiver, value);
    return CODE_OK;
}

int receive(int object, struct task *task)
{
    const struct want *sender = first_for(WISH_SEND, object);

    if (objects.closed[object])
        return CODE_CLOSED;
    if (!sender)
        return CODE_AGAIN;
    task->came = sender->value;
    serve(sender, true);
    return CODE_OK;
}

int close_channel(int object)
{
    objects.closed[object] = true;
    serve_all(WISH_SEND, object, CODE_CLOSED, false);
    serve_all(WISH_RECEIVE, object, CODE_CLOSED, false);
    return CODE_OK;
}

int push(int object, int value)
{
    struct store *store = &objects.store[object];
    const struct want *popper = first_for(WISH_POP, object);

    if (store->closed)
        return CODE_CLOSED;
    if (popper)
        hand(popper, value);
    else if (store->count < model.script->places[object])
        store->items[store->count++] = value;
    else
        return CODE_AGAIN;
    return CODE_OK;
}

/* A stored value is taken first, and the value of a waiting task takes its place. If no value is
 * stored, the waiting task's value is taken directly. */
int pop(int object, struct task *task)
{
    struct store *store = &objects.store[object];
    const struct want *pusher = first_for(WISH_PUSH, object);

    if (!store->count && !pusher)
        return store->closed ? CODE_CLOSED : CODE_AGAIN;
    if (!store->count) {
        task->came = pusher->value;
        serve(pusher, true);
        return CODE_OK;
    }
    task->came = store->items[model.script->lifo[object] ? store->count - 1 : 0];
    store->count--;
    if (!model.script->lifo[object])
        memmove(&store->items[0], &store->items[1], sizeof store->items - sizeof store->items[0]);
    if (pusher) {
        store->items[store->count++] = pusher->value;
        serve(pusher, true);
    }
    return CODE_OK;
}

int close_queue(int object)
{
    objects.store[object].closed = true;
    serve_all(WISH_PUSH, object, CODE_CLOSED, false);
    serve_all(WISH_POP, object, CODE_CLOSED, false);
    return CODE_OK;
}
