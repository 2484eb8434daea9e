/* script.c - turns bytes into a script of the model test
 * SPDX-License-Identifier: MIT */
#include "script.h"

#include <stdio.h>
#include <stdlib.h>

static void print_trace(const char *whose, const struct trace *trace, int last)
{
    printf("--- %s\n", whose);
    for (int i = 0; i <= last && i < trace->count; i++)
        event_print(&trace->events[i]);
}

/* The number of operations of a list, with those of the functions that it awaits. STEPS has the
 * numbers of those functions, which come later in the script. */
static long steps_of(const struct code *code, const long *steps)
{
    long sum = code->count + 1;

    for (int i = 0; i < code->count; i++)
        if (code->ops[i].kind == OP_AWAIT)
            sum += steps[code->ops[i].arg[0]];
    return sum;
}

/* Whether a task runs so long that the trace is full before its end, because functions await each
 * other several times. */
static bool too_long(const struct script *script)
{
    long steps[MODEL_FUNCTIONS];

    for (int i = MODEL_FUNCTIONS; i-- > 0;) {
        const struct function *function = &script->functions[i];

        steps[i] = steps_of(&function->body, steps) + steps_of(&function->cleanup, steps);
        if (steps[i] > MODEL_EVENTS)
            return true;
    }
    return false;
}

void fuzz_script(const uint8_t *data, size_t size, const unsigned char mix[OP_KINDS])
{
    static struct script script;
    static struct trace wanted, got;
    int difference;

    script_decode(&script, data, size, mix);
    if (too_long(&script))
        return;
    reference_run(&script, &wanted);
    subject_run(&script, &got);
    difference = trace_difference(&wanted, &got);
    if (difference < 0)
        return;
    script_print(&script);
    print_trace("the reference", &wanted, difference);
    print_trace("pt", &got, difference);
    fflush(stdout);
    abort();
}
