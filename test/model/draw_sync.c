/* draw_sync.c - draws operations on the objects for which tasks wait
 * SPDX-License-Identifier: MIT */
#include "draw.h"

/* The first operation of each family; the last family is the selects. */
static const unsigned char families[] = {
    OP_WAIT_EVENT,   OP_ACQUIRE,     OP_LOCK,           OP_SEND,        OP_PUSH,   OP_WAIT_FLAGS,
    OP_WAIT_BARRIER, OP_WAIT_LATEST, OP_WAIT_BROADCAST, OP_LOCK_SHARED, OP_SELECT, OP_NEST,
};

/* For each kind of case, an operation that waits for the same. */
static const unsigned char same[WISH_CASES] = {
    [WISH_EVENT] = OP_WAIT_EVENT, [WISH_UNIT] = OP_ACQUIRE, [WISH_LOCK] = OP_LOCK,
    [WISH_SEND] = OP_SEND,        [WISH_RECEIVE] = OP_RECV, [WISH_PUSH] = OP_PUSH,
    [WISH_POP] = OP_POP,          [WISH_END] = OP_JOIN,     [WISH_AFTER] = OP_WAIT,
    [WISH_UNTIL] = OP_UNTIL,
};

static const int *weight_of;
static int first, objects; /* the objects that this script uses */

void sync_weights(const unsigned char *mix, int *weight)
{
    int chief;

    weight_of = weight;
    first = below(MODEL_OBJECTS);
    objects = 1 + below(MODEL_OBJECTS);
    chief = below((int)sizeof families - 2);
    for (int family = 0; families[family] < OP_NEST; family++) {
        bool in = one_in(3) || family == chief || families[family] == OP_SELECT;

        for (int i = families[family]; i < families[family + 1]; i++)
            weight[i] = in ? mix[i] * (one_in(6) ? 0 : one_in(6) ? 4 : 1) : 0;
    }
}

/* Draw a case, mostly of a family that this script uses. */
static int case_drawn(int tasks)
{
    int wish = below(WISH_CASES);

    for (int i = 0; i < 5 && !weight_of[same[wish]]; i++)
        wish = below(WISH_CASES);
    if (!wish_there((enum wish)wish))
        wish = WISH_EVENT;
    switch (wish) {
    case WISH_END: return wish * CASE_OPERANDS + below(tasks);
    case WISH_AFTER:
    case WISH_UNTIL: return wish * CASE_OPERANDS + below(one_in(8) ? CASE_OPERANDS : CASE_LONG);
    default: return wish * CASE_OPERANDS + sync_operand('o', tasks) + (one_in(6) ? CASE_OFF : 0);
    }
}

int sync_operand(char meaning, int tasks)
{
    switch (meaning) {
    case 'o': return (first + below(objects)) % MODEL_OBJECTS;
    case 'n': return below(4);
    case 'b': return below(8);
    case 'h': return below(4);
    case 'q': return below(NOBODIES);
    default: return case_drawn(tasks);
    }
}

int sync_give_back(int taken)
{
    switch (taken) {
    case OP_LOCK: return OP_UNLOCK;
    case OP_ACQUIRE: return OP_RELEASE;
    case OP_LOCK_SHARED: return OP_UNLOCK_SHARED;
    case OP_LOCK_EXCLUSIVE: return OP_UNLOCK_EXCLUSIVE;
    default: return OP_NOTHING;
    }
}

int sync_outside(void)
{
    static const unsigned char kinds[] = {
        OP_SET,         OP_CLEAR,    OP_TRIGGER,    OP_RELEASE,       OP_TRY_ACQUIRE,
        OP_NOTIFY,      OP_TRY_SEND, OP_TRY_RECV,   OP_TRY_PUSH,      OP_TRY_POP,
        OP_SET_FLAGS,   OP_TELL,     OP_BROADCAST,  OP_UNLOCK_SHARED, OP_NOTIFY_ALL,
        OP_CLEAR_FLAGS, OP_CLOSE,    OP_CLOSE_QUEUE};
    int kind = kinds[below((int)sizeof kinds)];

    for (int i = 0; i < 5 && !weight_of[kind]; i++)
        kind = kinds[below((int)sizeof kinds)];
    return (kind == OP_CLOSE || kind == OP_CLOSE_QUEUE) && !one_in(4) ? OP_NOTHING : kind;
}
