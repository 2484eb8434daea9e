/* script.c - draws random scripts
 * SPDX-License-Identifier: MIT */
#include "draw.h"

#include <string.h>

/* Most delays are so short that many deadlines coincide. */
static int delay(bool block)
{
    if (one_in(60))
        return one_in(2) && block ? MODEL_NEVER : MODEL_LONG;
    return one_in(12) ? 7 + below(20) : below(7);
}

/* --- operations --- */

/* The weight of each operation. The operations of blocks are drawn with the blocks. */
static const unsigned char often[OP_KINDS] = {
    [OP_YIELD] = 8,      [OP_WAIT] = 16,   [OP_UNTIL] = 3,        [OP_PARK] = 6,
    [OP_WAKE] = 6,       [OP_PAUSE] = 2,   [OP_RESUME] = 4,       [OP_SPAWN] = 5,
    [OP_SPAWN_IN] = 7,   [OP_JOIN] = 5,    [OP_AWAIT] = 10,       [OP_CANCEL] = 4,
    [OP_POOL] = 4,       [OP_POOL_IN] = 3, [OP_POOL_TRY] = 2,     [OP_TIMED] = 9,
    [OP_GROUP] = 8,      [OP_REARM] = 3,   [OP_GROUP_CANCEL] = 2, [OP_GROUP_ADD] = 2,
    [OP_GROUP_JOIN] = 2, [OP_RETURN] = 5,  [OP_BREAK] = 2,        [OP_CONTINUE] = 1,
    [OP_NEST] = 14,      [OP_UPDATE] = 4,  [OP_SLOW] = 2,         [OP_PARK_FOR] = 12,
    [OP_PARK_UNTIL] = 3, [OP_WORK] = 12,
};

static const unsigned char often_sync[OP_KINDS] = {
    [OP_YIELD] = 12,         [OP_WAIT] = 20,
    [OP_UNTIL] = 2,          [OP_PARK] = 1,
    [OP_WAKE] = 2,           [OP_PAUSE] = 3,
    [OP_RESUME] = 5,         [OP_SPAWN] = 6,
    [OP_SPAWN_IN] = 4,       [OP_JOIN] = 3,
    [OP_AWAIT] = 10,         [OP_CANCEL] = 6,
    [OP_TIMED] = 14,         [OP_GROUP] = 4,
    [OP_REARM] = 3,          [OP_GROUP_CANCEL] = 1,
    [OP_GROUP_JOIN] = 1,     [OP_RETURN] = 2,
    [OP_BREAK] = 2,          [OP_CONTINUE] = 1,
    [OP_WAIT_EVENT] = 12,    [OP_SET] = 4,
    [OP_CLEAR] = 4,          [OP_TRIGGER] = 4,
    [OP_ACQUIRE] = 14,       [OP_TRY_ACQUIRE] = 2,
    [OP_RELEASE] = 6,        [OP_LOCK] = 14,
    [OP_WAIT_CONDITION] = 2, [OP_TRY_LOCK] = 2,
    [OP_UNLOCK] = 5,         [OP_NOTIFY] = 4,
    [OP_NOTIFY_ALL] = 2,     [OP_SEND] = 14,
    [OP_RECV] = 12,          [OP_RECV_EACH] = 5,
    [OP_TRY_SEND] = 3,       [OP_TRY_RECV] = 3,
    [OP_CLOSE] = 1,          [OP_PUSH] = 16,
    [OP_POP] = 10,           [OP_POP_EACH] = 4,
    [OP_TRY_PUSH] = 3,       [OP_TRY_POP] = 3,
    [OP_CLOSE_QUEUE] = 1,    [OP_WAIT_FLAGS] = 14,
    [OP_SET_FLAGS] = 9,      [OP_CLEAR_FLAGS] = 2,
    [OP_WAIT_BARRIER] = 10,  [OP_WAIT_LATEST] = 10,
    [OP_TELL] = 8,           [OP_WAIT_BROADCAST] = 10,
    [OP_BROADCAST] = 8,      [OP_SUBSCRIBE] = 3,
    [OP_LOCK_SHARED] = 14,   [OP_LOCK_EXCLUSIVE] = 9,
    [OP_TRY_SHARED] = 2,     [OP_TRY_EXCLUSIVE] = 2,
    [OP_UNLOCK_SHARED] = 6,  [OP_UNLOCK_EXCLUSIVE] = 5,
    [OP_SELECT] = 12,        [OP_SELECT_TWO] = 10,
    [OP_SELECT_NOW] = 4,     [OP_NEST] = 14,
    [OP_UPDATE] = 3,         [OP_SLOW] = 2,
    [OP_PARK_FOR] = 8,       [OP_PARK_UNTIL] = 2,
    [OP_NOBODY] = 4,         [OP_WORK] = 10,
    [OP_WAIT_RWLOCK] = 3,    [OP_HOLD] = 16,
};

/* The weights in this script: some operations are left out and some are more frequent, so that
 * scripts differ; and how many tasks take part. */
static int weight[OP_KINDS], weights, tasks, loops;
static bool sync; /* whether there are operations on objects */

static void draw_weights(const unsigned char *mix)
{
    memset(weight, 0, sizeof weight);
    for (int i = 0; i < OP_WAIT_EVENT; i++)
        weight[i] = mix[i] * (one_in(4) ? 0 : one_in(4) ? 4 : 1);
    weight[OP_WAIT] += 4; /* so that the sum is not zero */
    tasks = 2 + below(MODEL_TASKS - 1);
    sync = mix[OP_SELECT];
    if (sync)
        sync_weights(mix, weight);
    loops = mix[OP_NEST] && one_in(3) ? 2 + below(MODEL_LOOPS - 1) : 1;
    for (int i = OP_PARK_FOR; i < OP_KINDS; i++)
        weight[i] = mix[i] && one_in(2) ? mix[i] : 0;
    for (int i = OP_NEST; i < OP_PARK_FOR; i++)
        weight[i] = loops > 1 || (mix[i] && i == OP_UPDATE && one_in(4)) ? mix[i] : 0;
    for (int i = 0; i < OP_KINDS; i++)
        weight[i] = op_there(i) ? weight[i] : 0;
    if (!op_there(OP_NEST))
        loops = 1;
    weights = 0;
    for (int i = 0; i < OP_KINDS; i++)
        weights += weight[i];
}

static int draw(void)
{
    int kind = 0;

    for (int at = below(weights); at >= weight[kind]; kind++)
        at -= weight[kind];
    return kind;
}

static int code_drawn(void)
{
    return one_in(3) ? CODE_CANCELED : CODE_USER + below(CODE_LAST - CODE_USER + 1);
}

/* Draw an operand in a function of LEVEL, in a block of depth NEST. */
static int operand(char meaning, int kind, int level, int nest)
{
    switch (meaning) {
    case 't': /* no task spawns itself */
        if (kind != OP_SPAWN && kind != OP_SPAWN_IN && one_in(8))
            return MODEL_SELF;
        return below(tasks);
    case 'g': return one_in(2) ? MODEL_SELF : below(tasks);
    case 'd':
        if (kind == OP_UNTIL || kind == OP_PARK_UNTIL)
            return below(60);
        return kind == OP_TIMED && nest ? below(7) : delay(kind == OP_TIMED);
    case 'f':
        if (kind == OP_AWAIT)
            return MODEL_TASKS + 2 + level * MODEL_DEEP + below(MODEL_DEEP);
        return MODEL_POOLED + below(2);
    case 's': /* a block mostly has its own slot; a reference mostly names the innermost block */
        if (!op_begins(kind) && nest)
            nest -= 1 + below(nest);
        return one_in(20) || nest == MODEL_SLOTS ? below(MODEL_SLOTS) : nest;
    case 'l': return one_in(4) ? below(MODEL_LEVELS) : level;
    case 'c': return kind == OP_RETURN && one_in(3) ? CODE_OK : code_drawn();
    case 'p': return below(POLICIES);
    case 'w': return below(loops);
    case 'u':
        return one_in(2) ? 0 : below(loops + 1); /* a loop that there is not: no loop is told */
    case 'n':
        if (kind == OP_SLOW)
            return one_in(3) ? 0 : 1 + below(6);
        if (kind == OP_UPDATE || kind == OP_WORK)
            return 1 + below(8);
        return sync_operand(meaning, tasks);
    default: return sync_operand(meaning, tasks);
    }
}

static struct op op_drawn(int kind, int level, int nest)
{
    struct op op = {(signed char)kind, {0}};

    for (int i = 0; op_operand(kind, i); i++)
        op.arg[i] = (signed char)operand(op_operand(kind, i), kind, level, nest);
    return op;
}

/* Something that was taken is mostly given back after a while. */
static void give_back(struct code *code, int count, int level, int nest)
{
    const struct op taken = code->ops[code->count - 1];
    int kind = sync_give_back(taken.kind);
    int wait = kind == OP_UNLOCK ? OP_WAIT_CONDITION : OP_WAIT_RWLOCK;
    bool let_go = kind != OP_RELEASE && weight[wait] && one_in(2);

    if (kind == OP_NOTHING || code->count + 2 > count || one_in(4))
        return;
    code->ops[code->count] = op_drawn(let_go ? wait : OP_WAIT, level, nest);
    if (let_go)
        code->ops[code->count].arg[1] = taken.arg[0];
    code->count++;
    code->ops[code->count++] = (struct op){(signed char)kind, {taken.arg[0]}};
}

/* Fill CODE with up to COUNT operations; a block in it uses some of them. */
static void generate(struct code *code, int count, int level, int nest)
{
    while (code->count < count) {
        int kind = draw();
        bool block = op_begins(kind);

        if ((kind == OP_AWAIT && level == MODEL_LEVELS - 1) ||
            ((kind == OP_BREAK || kind == OP_CONTINUE) && !nest) ||
            (kind == OP_RETURN && !nest && !one_in(4)) ||
            (block && (nest == MODEL_NEST || code->count + 2 > count)))
            continue;
        code->ops[code->count++] = op_drawn(kind, level, nest);
        give_back(code, count, level, nest);
        if (kind == OP_GROUP && code->count + 1 < count && !one_in(3))
            code->ops[code->count++] = op_drawn(OP_SPAWN_IN, level, nest + 1);
        if (block) {
            generate(code, code->count + below(count - code->count), level,
                     kind == OP_HOLD ? MODEL_NEST : nest + 1);
            code->ops[code->count++] = op_drawn(OP_END, level, nest);
        }
    }
}

int function_level(int function)
{
    int deep = function - MODEL_TASKS - 2;

    return deep < 0 ? 0 : deep / MODEL_DEEP + 1;
}

static struct op outside_drawn(void)
{
    static const unsigned char kinds[] = {OP_SPAWN, OP_SPAWN,  OP_WAKE,       OP_WAKE,
                                          OP_PAUSE, OP_RESUME, OP_CANCEL,     OP_CANCEL,
                                          OP_PAUSE, OP_RESUME, OP_CANCEL_ALL, OP_GROUP_CANCEL};
    struct op op;

    if (sync && !one_in(3))
        return op_drawn(sync_outside(), 0, 0);
    op = op_drawn(kinds[below((int)sizeof kinds)], 0, 0);
    if (op.arg[0] == MODEL_SELF) /* valid only in a task */
        op.arg[0] = 0;           /* outside all tasks there is no self */
    if (loops > 1 && one_in(12))
        op = op_drawn(OP_SLOW, 0, 0);
    if (!op_there(op.kind))
        op.kind = OP_NOTHING;
    if (op.kind == OP_CANCEL_ALL && !one_in(4))
        op.kind = OP_NOTHING;
    return op;
}

/* A cleanup begins by releasing what the task holds. */
static void draw_cleanup(struct code *code, int level)
{
    static const unsigned char kinds[] = {OP_UNLOCK, OP_UNLOCK_EXCLUSIVE, OP_RELEASE};

    for (size_t i = 0; i < sizeof kinds; i++)
        if (weight[kinds[i]] && one_in(2))
            code->ops[code->count++] = op_drawn(kinds[i], level, 0);
    generate(code, below(3 * MODEL_OPS / 4), level, 0);
}

/* Mostly all tasks start together; at the end they are canceled and get time to finish. */
static void draw_sync(struct script *script)
{
    if (!one_in(4))
        script->started = (1u << tasks) - 1;
    for (int i = 0; i < MODEL_OBJECTS; i++) {
        script->places[i] = below(MODEL_PLACES + 1);
        script->lifo[i] = one_in(3);
    }
    for (int i = 1; i <= 6; i++) {
        struct turn *turn = &script->turn[script->turns - i];

        turn->jump = 30;
        turn->outside = (struct op){OP_NOTHING, {0}};
        if (i == 6)
            turn->outside =
                (struct op){op_there(OP_CANCEL_ALL) ? OP_CANCEL_ALL : OP_NOTHING, {CODE_CANCELED}};
    }
}

/* Put tasks into nested loops; in some scripts observers interfere. */
static void draw_loops(struct script *script, const unsigned char *mix)
{
    for (int i = 0; loops > 1 && i < MODEL_TASKS; i++)
        script->home[i] = (signed char)(one_in(3) ? 0 : below(loops));
    for (int i = 0; mix[OP_NEST] && observers_there() && one_in(4) && i < MODEL_MEDDLES; i++) {
        struct meddle *meddle = &script->meddle[i];

        meddle->turn = (signed char)below(script->turns);
        meddle->loop = (signed char)below(loops);
        meddle->point = (signed char)below(POINTS);
        meddle->call = (signed char)below(6);
        meddle->choose = (signed char)below(4);
        meddle->op = outside_drawn();
    }
}

/* The clock, how the loops read it, and whether some turns are by hand. */
static void draw_clock(struct script *script, const unsigned char *mix)
{
    bool mixed;

    if (!mix[OP_WORK])
        return;
    script->dear = below(2);
    script->grain = one_in(3) ? 1 + below(2) : 0;
    script->most = script->dear && one_in(2) ? 1 + below(3) : 0;
    mixed = one_in(4);
    for (int i = 0; mixed && i < script->turns; i++)
        script->turn[i].by_hand = one_in(4);
}

static void draw_script(struct script *script, const unsigned char *mix)
{
    memset(script, 0, sizeof *script);
    draw_weights(mix);
    for (int i = 0; i < MODEL_FUNCTIONS; i++) {
        struct function *function = &script->functions[i];

        generate(&function->body, 1 + below(MODEL_OPS), function_level(i), 0);
        function->tidy = one_in(2) || i == MODEL_POOLED || i == MODEL_POOLED + 1;
        if (function->tidy)
            draw_cleanup(&function->cleanup, function_level(i));
    }
    script->started = 1u + (unsigned)below((1 << tasks) - 1);
    script->turns = MODEL_TURNS / 2 + below(MODEL_TURNS / 2 + 1);
    for (int i = 0; i < script->turns; i++) {
        script->turn[i].jump = one_in(6) ? below(12) : below(3);
        if (one_in(sync ? 2 : 3))
            script->turn[i].outside = outside_drawn();
    }
    if (sync)
        draw_sync(script);
    draw_loops(script, mix);
    draw_clock(script, mix);
}

void script_generate(struct script *script, uint64_t seed)
{
    chance_seed(seed);
    draw_script(script, seed % 2 ? often : often_sync);
}

void script_decode(struct script *script, const uint8_t *data, size_t count,
                   const unsigned char *mix)
{
    chance_bytes(data, count);
    draw_script(script, mix);
}
