/* script_text.c - scripts as text
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

bool op_begins(int kind)
{
    return kind == OP_TIMED || kind == OP_GROUP || kind == OP_HOLD;
}

int code_end(const struct code *code, int begin)
{
    int nest = 1, at = begin;

    while (nest) {
        int kind = code->ops[++at].kind;

        nest += op_begins(kind) - (kind == OP_END);
    }
    return at;
}

static void operand_print(char meaning, int value)
{
    static const char *const wishes[] = {
#define MODEL_WISH_NAME_(name, text) text,
        MODEL_WISH_TABLE(MODEL_WISH_NAME_)
#undef MODEL_WISH_NAME_
    };

    if (meaning == 'k')
        printf(" %s:%d", wishes[value / CASE_OPERANDS], value % CASE_OPERANDS);
    else if (value == MODEL_SELF)
        printf(" %c:self", meaning);
    else
        printf(" %c:%d", meaning, value);
}

static void op_print(struct op op, int indent)
{
    printf("%*s%s", indent, "", ops[op.kind].name);
    for (int i = 0; ops[op.kind].operands[i]; i++)
        operand_print(ops[op.kind].operands[i], op.arg[i]);
    printf("\n");
}

static void code_print(const struct code *code)
{
    int indent = 4;

    for (int i = 0; i < code->count; i++) {
        indent -= 2 * (code->ops[i].kind == OP_END);
        printf("%6d:", i);
        op_print(code->ops[i], indent);
        indent += 2 * op_begins(code->ops[i].kind);
    }
}

bool script_meddles(const struct script *script)
{
    for (int i = 0; i < MODEL_MEDDLES; i++)
        if (script->meddle[i].op.kind != OP_NOTHING)
            return true;
    return false;
}

void script_print(const struct script *script)
{
    static const char *const points[POINTS] = {"pick", "resumes", "returned", "ended", "turned"};

    if (script->dear || script->grain)
        printf("the clock is %s, its grain %d\n", script->dear ? "dear" : "cheap", script->grain);
    if (script->most)
        printf("a reading is for %d delays\n", script->most);
    for (int i = 0; i < MODEL_OBJECTS; i++)
        if (script->places[i])
            printf("queue %d has %d places%s\n", i, script->places[i],
                   script->lifo[i] ? ", the last goes first" : "");
    printf("started at once:");
    for (int i = 0; i < MODEL_TASKS; i++)
        if (script->started & 1u << i)
            printf(" task %d", i);
    printf("\n");
    for (int i = 0; i < MODEL_FUNCTIONS; i++) {
        const struct function *function = &script->functions[i];

        if (!function->body.count && !function->cleanup.count)
            continue;
        printf("function %d, of level %d\n", i, function_level(i));
        code_print(&function->body);
        if (function->tidy)
            printf("  finally\n");
        code_print(&function->cleanup);
    }
    for (int i = 0; i < MODEL_TASKS; i++)
        if (script->home[i])
            printf("task %d belongs to loop %d\n", i, script->home[i]);
    for (int i = 0; i < MODEL_MEDDLES; i++) {
        const struct meddle *meddle = &script->meddle[i];

        if (meddle->op.kind == OP_NOTHING)
            continue;
        printf("in turn %d, loop %d, at %s number %d (chosen: %d): ", meddle->turn, meddle->loop,
               points[meddle->point], meddle->call, meddle->choose);
        op_print(meddle->op, 0);
    }
    for (int i = 0, time = 0; i < script->turns; i++) {
        time += script->turn[i].jump;
        printf("turn%s at %d ", script->turn[i].by_hand ? " by hand" : "", time);
        op_print(script->turn[i].outside, 0);
    }
}
