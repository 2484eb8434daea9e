/* script.c - scripts by chance, and as a text
 * SPDX-License-Identifier: MIT */
#include "script.h"

#include <stdio.h>
#include <string.h>

static const struct {
    const char *name, *operands;
} ops[] = {
#define MODEL_OP_NAME_(name, text, operands) {text, operands},
    MODEL_OP_TABLE(MODEL_OP_NAME_)
#undef MODEL_OP_NAME_
};

char op_operand(int kind, int number)
{
    return (int)strlen(ops[kind].operands) > number ? ops[kind].operands[number] : '\0';
}

int code_end(const struct code *code, int begin)
{
    int nest = 1, at = begin;

    while (nest) {
        int kind = code->ops[++at].kind;

        nest += (kind == OP_TIMED || kind == OP_GROUP) - (kind == OP_END);
    }
    return at;
}

/* --- chance --- */

/* xorshift64*, Vigna, 2014: the model shares nothing with pt, chance neither. */
static uint64_t chance;

/* Instead of chance: somebody's bytes, as far as they go, and then zeros. */
static const uint8_t *bytes, *bytes_end;

static int byte(void)
{
    return bytes == bytes_end ? 0 : *bytes++;
}

static int below(int limit)
{
    if (bytes) {
        int high = limit > 256 ? byte() : 0;

        return (high << 8 | byte()) % limit;
    }
    chance ^= chance >> 12;
    chance ^= chance << 25;
    chance ^= chance >> 27;
    return (int)((chance * 0x2545f4914f6cdd1du >> 33) % (unsigned)limit);
}

static bool one_in(int n)
{
    return below(n) == 0;
}

/* Most delays are so short that many deadlines coincide. */
static int delay(bool block)
{
    if (one_in(60))
        return one_in(2) && block ? MODEL_NEVER : MODEL_LONG;
    return one_in(12) ? 7 + below(20) : below(7);
}

/* --- operations --- */

/* How often each operation is drawn, of the sum of all. Those of blocks are drawn by blocks. */
static const unsigned char often[OP_KINDS] = {
    [OP_YIELD] = 8,      [OP_WAIT] = 16,  [OP_UNTIL] = 3, [OP_PARK] = 6,         [OP_WAKE] = 6,
    [OP_PAUSE] = 2,      [OP_RESUME] = 4, [OP_SPAWN] = 5, [OP_SPAWN_IN] = 7,     [OP_JOIN] = 5,
    [OP_AWAIT] = 10,     [OP_CANCEL] = 4, [OP_POOL] = 4,  [OP_POOL_IN] = 3,      [OP_POOL_TRY] = 2,
    [OP_TIMED] = 9,      [OP_GROUP] = 8,  [OP_REARM] = 3, [OP_GROUP_CANCEL] = 2, [OP_GROUP_ADD] = 2,
    [OP_GROUP_JOIN] = 2, [OP_RETURN] = 5, [OP_BREAK] = 2, [OP_CONTINUE] = 1,
};

/* The same in this script: some operations not at all and some more often, lest all scripts are
 * alike; and how many of the tasks take part. */
static int weight[OP_KINDS], weights, tasks;

static void draw_weights(const unsigned char *mix)
{
    weights = 0;
    for (int i = 0; i < OP_KINDS; i++) {
        weight[i] = mix[i] * (one_in(4) ? 0 : one_in(4) ? 4 : 1);
        weights += weight[i];
    }
    weight[OP_WAIT] += 4; /* so that there is something to draw */
    weights += 4;
    tasks = 2 + below(MODEL_TASKS - 1);
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

/* An operand of a function of LEVEL, in a block of depth NEST. */
static int operand(char meaning, int kind, int level, int nest)
{
    switch (meaning) {
    case 't': /* nobody spawns itself */
        if (kind != OP_SPAWN && kind != OP_SPAWN_IN && one_in(8))
            return MODEL_SELF;
        return below(tasks);
    case 'g': return one_in(2) ? MODEL_SELF : below(tasks);
    case 'd':
        if (kind == OP_UNTIL)
            return below(60);
        return kind == OP_TIMED && nest ? below(7) : delay(kind == OP_TIMED);
    case 'f':
        if (kind == OP_AWAIT)
            return MODEL_TASKS + 2 + level * MODEL_DEEP + below(MODEL_DEEP);
        return MODEL_POOLED + below(2);
    case 's': /* mostly one of its own for a block, and the innermost for who refers to one */
        if (kind != OP_TIMED && kind != OP_GROUP && nest)
            nest -= 1 + below(nest);
        return one_in(20) || nest == MODEL_SLOTS ? below(MODEL_SLOTS) : nest;
    case 'l': return one_in(4) ? below(MODEL_LEVELS) : level;
    case 'c': return kind == OP_RETURN && one_in(3) ? CODE_OK : code_drawn();
    default: return below(POLICIES);
    }
}

static struct op op_drawn(int kind, int level, int nest)
{
    struct op op = {(signed char)kind, {0}};

    for (int i = 0; ops[kind].operands[i]; i++)
        op.arg[i] = (signed char)operand(ops[kind].operands[i], kind, level, nest);
    return op;
}

/* Fill CODE up to COUNT operations; a block in it takes a part of them. */
static void generate(struct code *code, int count, int level, int nest)
{
    while (code->count < count) {
        int kind = draw();
        bool block = kind == OP_TIMED || kind == OP_GROUP;

        if ((kind == OP_AWAIT && level == MODEL_LEVELS - 1) ||
            ((kind == OP_BREAK || kind == OP_CONTINUE) && !nest) ||
            (kind == OP_RETURN && !nest && !one_in(4)) ||
            (block && (nest == MODEL_NEST || code->count + 2 > count)))
            continue;
        code->ops[code->count++] = op_drawn(kind, level, nest);
        if (kind == OP_GROUP && code->count + 1 < count && !one_in(3))
            code->ops[code->count++] = op_drawn(OP_SPAWN_IN, level, nest + 1);
        if (block) {
            generate(code, code->count + below(count - code->count), level, nest + 1);
            code->ops[code->count++] = op_drawn(OP_END, level, nest);
        }
    }
}

static int level_of(int function)
{
    int deep = function - MODEL_TASKS - 2;

    return deep < 0 ? 0 : deep / MODEL_DEEP + 1;
}

static struct op outside_drawn(void)
{
    static const unsigned char kinds[] = {OP_SPAWN, OP_SPAWN,  OP_WAKE,       OP_WAKE,
                                          OP_PAUSE, OP_RESUME, OP_CANCEL,     OP_CANCEL,
                                          OP_PAUSE, OP_RESUME, OP_CANCEL_ALL, OP_GROUP_CANCEL};
    struct op op = op_drawn(kinds[below((int)sizeof kinds)], 0, 0);

    if (op.arg[0] == MODEL_SELF) /* for a task */
        op.arg[0] = 0;           /* outside of all tasks nobody is one's self */
    if (op.kind == OP_CANCEL_ALL && !one_in(4))
        op.kind = OP_NOTHING;
    return op;
}

static void draw_script(struct script *script, const unsigned char *mix)
{
    memset(script, 0, sizeof *script);
    draw_weights(mix);
    for (int i = 0; i < MODEL_FUNCTIONS; i++) {
        struct function *function = &script->functions[i];

        generate(&function->body, 1 + below(MODEL_OPS), level_of(i), 0);
        function->tidy = one_in(2) || i == MODEL_POOLED || i == MODEL_POOLED + 1;
        if (function->tidy)
            generate(&function->cleanup, below(3 * MODEL_OPS / 4), level_of(i), 0);
    }
    script->started = 1u + (unsigned)below((1 << tasks) - 1);
    script->turns = MODEL_TURNS / 2 + below(MODEL_TURNS / 2 + 1);
    for (int i = 0; i < script->turns; i++) {
        script->turn[i].jump = one_in(6) ? below(12) : below(3);
        if (one_in(3))
            script->turn[i].outside = outside_drawn();
    }
}

void script_generate(struct script *script, uint64_t seed)
{
    bytes = NULL;
    chance = seed * 0x9e3779b97f4a7c15u + 0x632be59bd9b4e019u;
    draw_script(script, often);
}

void script_decode(struct script *script, const uint8_t *data, size_t count,
                   const unsigned char *mix)
{
    static const uint8_t none;

    bytes = count ? data : &none;
    bytes_end = bytes + count;
    draw_script(script, mix);
}

/* --- as a text --- */

static void op_print(struct op op, int indent)
{
    printf("%*s%s", indent, "", ops[op.kind].name);
    for (int i = 0; ops[op.kind].operands[i]; i++) {
        if (op.arg[i] == MODEL_SELF)
            printf(" %c:self", ops[op.kind].operands[i]);
        else
            printf(" %c:%d", ops[op.kind].operands[i], op.arg[i]);
    }
    printf("\n");
}

static void code_print(const struct code *code)
{
    int indent = 4;

    for (int i = 0; i < code->count; i++) {
        indent -= 2 * (code->ops[i].kind == OP_END);
        printf("%6d:", i);
        op_print(code->ops[i], indent);
        indent += 2 * (code->ops[i].kind == OP_TIMED || code->ops[i].kind == OP_GROUP);
    }
}

void script_print(const struct script *script)
{
    printf("started at once:");
    for (int i = 0; i < MODEL_TASKS; i++)
        if (script->started & 1u << i)
            printf(" task %d", i);
    printf("\n");
    for (int i = 0; i < MODEL_FUNCTIONS; i++) {
        const struct function *function = &script->functions[i];

        if (!function->body.count && !function->cleanup.count)
            continue;
        printf("function %d, of level %d\n", i, level_of(i));
        code_print(&function->body);
        if (function->tidy)
            printf("  finally\n");
        code_print(&function->cleanup);
    }
    for (int i = 0, time = 0; i < script->turns; i++) {
        time += script->turn[i].jump;
        printf("turn at %d ", time);
        op_print(script->turn[i].outside, 0);
    }
}
