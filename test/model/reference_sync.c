/* reference_sync.c - semaphores, locks, flags and barriers of the reference
 * SPDX-License-Identifier: MIT */
#include "reference_sync.h"

/* --- semaphores, locks --- */

int release_unit(int object)
{
    const struct want *first = first_for(WISH_UNIT, object);

    if (first)
        serve(first, true);
    else if (objects.units[object] == object + 1)
        return CODE_RANGE;
    else
        objects.units[object]++;
    return CODE_OK;
}

int lock(int object, struct task *task)
{
    if (objects.owner[object] && objects.owner[object] != task)
        return CODE_AGAIN;
    if (objects.owner[object] && object != LOCK_REENTRANT)
        return CODE_DEADLOCK;
    objects.owner[object] = task;
    objects.depth[object]++;
    return CODE_OK;
}

static void pass_lock(int object)
{
    const struct want *first = first_for(WISH_LOCK, object);

    objects.owner[object] = first ? serve(first, true) : NULL;
    objects.depth[object] = first != NULL;
}

int unlock(int object, const struct task *task)
{
    if (objects.owner[object] != task)
        return CODE_NOT_HELD;
    if (--objects.depth[object] == 0)
        pass_lock(object);
    return CODE_OK;
}

/* A task releases a lock until it is notified; after that it waits for the lock. */
int let_go(struct want *want, struct task *task)
{
    if (want->how != HELD_LOCK) {
        want->how = objects.writer[want->value] == task ? HELD_TO_WRITE : HELD_TO_READ;
        if (want->how == HELD_TO_READ && !objects.reading[want->value])
            return CODE_NOT_HELD;
        if (want->how == HELD_TO_READ)
            unlock_shared(want->value);
        else
            unlock_exclusive(want->value, task);
        return CODE_AGAIN;
    }
    if (objects.owner[want->value] != task || objects.depth[want->value] != 1)
        return CODE_NOT_HELD;
    pass_lock(want->value);
    return CODE_AGAIN;
}

int notify(int object, bool all)
{
    for (struct want *want; (want = first_for(WISH_CONDITION, object));) {
        if (lock_again(want))
            serve(want, true);
        if (!all)
            break;
    }
    return CODE_OK;
}

bool lock_again(struct want *want)
{
    static const enum wish wishes[] = {WISH_LOCK, WISH_EXCLUSIVE, WISH_SHARED};
    struct task *task = want->task;
    int held = want->value;
    int code = want->how == HELD_LOCK       ? lock(held, task)
               : want->how == HELD_TO_WRITE ? lock_exclusive(held, task)
                                            : lock_shared(held, task);

    if (code == CODE_OK)
        return true;
    want->wish = wishes[want->how];
    want->object = held;
    want->since = ++model.order;
    task->handed = true; /* it is certain to get the lock */
    return false;
}

/* --- flags, barriers --- */

/* Whether BITS satisfy WANT; WHICH: the matching bits. */
static bool found(const struct want *want, int bits, int *which)
{
    *which = bits & want->value;
    return want->how & 1 ? *which == want->value : *which != 0;
}

/* All waiting tasks see the same bits. */
int set_flags(int object, int bits)
{
    int all = objects.bits[object] | bits, used = 0, which;
    long since = 0;

    for (const struct want *want; (want = next_behind(WISH_FLAGS, object, since));) {
        since = want->since;
        if (!found(want, all, &which))
            continue;
        used |= want->how & 2 ? which : 0;
        hand(want, which);
    }
    objects.bits[object] = all & ~used;
    return CODE_OK;
}

int look_at_flags(const struct want *want, struct task *task)
{
    int *bits = &objects.bits[want->object];

    if (!found(want, *bits, &task->came))
        return CODE_AGAIN;
    if (want->how & 2)
        *bits &= ~task->came;
    return CODE_OK;
}

int meet(int object)
{
    if (waiting_for(WISH_BARRIER, object) < object)
        return CODE_AGAIN;
    serve_all(WISH_BARRIER, object, CODE_OK, true);
    return CODE_OK;
}

/* --- readers, writers --- */

static void admit_readers(int object)
{
    objects.reading[object] += waiting_for(WISH_SHARED, object);
    serve_all(WISH_SHARED, object, CODE_OK, true);
}

static void admit_writer(int object)
{
    const struct want *first = first_for(WISH_EXCLUSIVE, object);

    if (first)
        objects.writer[object] = serve(first, true);
}

int lock_shared(int object, const struct task *task)
{
    if (task && objects.writer[object] == task)
        return CODE_DEADLOCK;
    if (objects.writer[object] || first_for(WISH_EXCLUSIVE, object))
        return CODE_AGAIN;
    objects.reading[object]++;
    return CODE_OK;
}

int lock_exclusive(int object, struct task *task)
{
    if (objects.writer[object] == task)
        return CODE_DEADLOCK;
    if (objects.writer[object] || objects.reading[object])
        return CODE_AGAIN;
    objects.writer[object] = task;
    return CODE_OK;
}

int unlock_shared(int object)
{
    if (!objects.reading[object])
        return CODE_NOT_HELD;
    if (--objects.reading[object] == 0)
        admit_writer(object);
    return CODE_OK;
}

int unlock_exclusive(int object, const struct task *task)
{
    if (objects.writer[object] != task)
        return CODE_NOT_HELD;
    objects.writer[object] = NULL;
    if (first_for(WISH_SHARED, object))
        admit_readers(object);
    else
        admit_writer(object);
    return CODE_OK;
}

/* NULL is no task that could hold a lock. But a reader is not known, so that it is one. */
int for_nobody(int what, int object)
{
    return what == NOBODY_READS ? lock_shared(object, NULL) : CODE_NOT_HELD;
}

/* If the task was the last waiting writer, readers may now be admitted. */
void leave(struct task *task)
{
    bool writer = task->doing == WAITING && task->wants[0].wish == WISH_EXCLUSIVE;
    int object = task->wants[0].object;

    task->doing = READY;
    if (writer && !objects.writer[object] && !first_for(WISH_EXCLUSIVE, object))
        admit_readers(object);
}
