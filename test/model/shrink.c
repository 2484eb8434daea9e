/* shrink.c - makes a failing script small: tries simpler scripts, and keeps those that still fail
 * SPDX-License-Identifier: MIT */
#include "script.h"

#include <string.h>

static bool (*fails)(const struct script *);

/* Replace SCRIPT by ATTEMPT if that fails too. */
static bool try(struct script *script, const struct script *attempt)
{
    if (!memcmp(script, attempt, sizeof *script) || !fails(attempt))
        return false;
    *script = *attempt;
    return true;
}

static void drop(struct code *code, int from, int to)
{
    memmove(&code->ops[from], &code->ops[to], (size_t)(code->count - to) * sizeof code->ops[0]);
    code->count -= to - from;
    memset(&code->ops[code->count], 0, (size_t)(MODEL_OPS - code->count) * sizeof code->ops[0]);
}

static struct code *list(struct script *script, int number)
{
    struct function *function = &script->functions[number / 2];

    return number % 2 ? &function->cleanup : &function->body;
}

/* Drop an operation; drop a block with its contents, or only the block itself. */
static bool drop_op(struct script *script, int number, int at)
{
    struct script attempt = *script;
    struct code *code = list(&attempt, number);
    int kind = code->ops[at].kind, end;

    if (kind == OP_END)
        return false;
    if (!op_begins(kind)) {
        drop(code, at, at + 1);
        return try(script, &attempt);
    }
    end = code_end(code, at);
    drop(code, at, end + 1);
    if (try(script, &attempt))
        return true;
    attempt = *script;
    for (int i = at; i < end; i++) /* no break or continue without its block */
        if (code->ops[i].kind == OP_BREAK || code->ops[i].kind == OP_CONTINUE)
            return false;
    drop(code, end, end + 1);
    drop(code, at, at + 1);
    return try(script, &attempt);
}

/* Make the operands of an operation small. */
static bool lessen(struct script *script, int number, int at)
{
    bool less = false;

    for (int i = 0; i < 4; i++)
        for (int by = 64; by; by /= 2) {
            struct script attempt = *script;
            signed char *arg = &list(&attempt, number)->ops[at].arg[i];
            char meaning = op_operand(list(&attempt, number)->ops[at].kind, i);

            if (*arg < by || !meaning || meaning == 'f' || meaning == 'k' ||
                meaning == 'c') /* these operands are more than a number */
                continue;
            *arg = (signed char)(*arg - by);
            less |= try(script, &attempt);
        }
    return less;
}

static bool shrink_list(struct script *script, int number)
{
    struct script attempt = *script;
    bool less = false;

    list(&attempt, number)->count = 0;
    memset(list(&attempt, number)->ops, 0, sizeof list(&attempt, number)->ops);
    if (try(script, &attempt))
        return true;
    for (int at = list(script, number)->count; at-- > 0;)
        if (at < list(script, number)->count)
            less |= drop_op(script, number, at);
    for (int at = 0; at < list(script, number)->count; at++)
        less |= lessen(script, number, at);
    if (number % 2 && !list(script, number)->count) {
        attempt = *script;
        attempt.functions[number / 2].tidy = number / 4 == MODEL_POOLED / 2;
        less |= try(script, &attempt);
    }
    return less;
}

static bool shrink_turns(struct script *script)
{
    struct script attempt = *script;
    bool less = false;

    attempt.turns /= 2;
    less |= try(script, &attempt);
    attempt = *script;
    attempt.turns -= attempt.turns > 0;
    less |= try(script, &attempt);
    for (int i = 0; i < script->turns; i++) {
        attempt = *script;
        memmove(&attempt.turn[i], &attempt.turn[i + 1],
                (size_t)(attempt.turns - i - 1) * sizeof attempt.turn[0]);
        attempt.turns--;
        for (int j = 0; j < MODEL_MEDDLES; j++)
            attempt.meddle[j].turn =
                (signed char)(attempt.meddle[j].turn - (attempt.meddle[j].turn > i));
        if (attempt.turns > i)
            attempt.turn[i].jump += script->turn[i].jump;
        less |= try(script, &attempt);
    }
    for (int i = 0; i < script->turns; i++) {
        attempt = *script;
        memset(&attempt.turn[i].outside, 0, sizeof attempt.turn[i].outside);
        less |= try(script, &attempt);
        attempt = *script;
        attempt.turn[i].jump = 0;
        less |= try(script, &attempt);
        attempt = *script;
        attempt.turn[i].jump -= attempt.turn[i].jump > 0;
        less |= try(script, &attempt);
    }
    return less;
}

/* Try a simpler clock, and fewer turns by hand. */
static bool shrink_clock(struct script *script)
{
    struct script attempt = *script;
    bool less = false;

    attempt.dear = false;
    less |= try(script, &attempt);
    attempt = *script;
    attempt.grain = 0;
    less |= try(script, &attempt);
    attempt = *script;
    attempt.most = 0;
    less |= try(script, &attempt);
    for (int i = 0; i < script->turns; i++) {
        attempt = *script;
        attempt.turn[i].by_hand = false;
        less |= try(script, &attempt);
    }
    return less;
}

/* Try fewer loops, and observers that do less. */
static bool shrink_loops(struct script *script)
{
    bool less = false;

    for (int i = 0; i < MODEL_TASKS; i++) {
        struct script attempt = *script;

        attempt.home[i] = 0;
        less |= try(script, &attempt);
    }
    for (int i = 0; i < MODEL_MEDDLES; i++) {
        struct script attempt = *script;

        memset(&attempt.meddle[i], 0, sizeof attempt.meddle[i]);
        less |= try(script, &attempt);
        attempt = *script;
        attempt.meddle[i].choose = 0;
        less |= try(script, &attempt);
        attempt = *script;
        attempt.meddle[i].call = (signed char)(attempt.meddle[i].call / 2);
        less |= try(script, &attempt);
        attempt = *script;
        attempt.meddle[i].turn = (signed char)(attempt.meddle[i].turn / 2);
        less |= try(script, &attempt);
    }
    return less;
}

void shrink(struct script *script, bool (*ask)(const struct script *))
{
    bool less = true;

    fails = ask;
    while (less) {
        less = shrink_turns(script);
        for (unsigned i = 0; i < MODEL_TASKS; i++) {
            struct script attempt = *script;

            attempt.started &= ~(1u << i);
            less |= try(script, &attempt);
        }
        less |= shrink_clock(script);
        less |= shrink_loops(script);
        for (int i = 0; i < 2 * MODEL_FUNCTIONS; i++)
            less |= shrink_list(script, i);
    }
}
