/* trace.c - the trace of a run, and the first difference of two traces
 * SPDX-License-Identifier: MIT */
#include "script.h"

#include <stdio.h>
#include <string.h>

void trace_begin(struct trace *trace)
{
    trace->count = 0;
    memset(trace->objects, 0, sizeof trace->objects);
}

struct event *trace_add(struct trace *trace, enum event_kind kind)
{
    struct event *event = &trace->events[trace->count];

    if (trace->count < MODEL_EVENTS - 1)
        trace->count++;
    memset(event, 0, sizeof *event);
    event->kind = (int)kind;
    return event;
}

void trace_object(struct trace *trace, enum wish wish, int number, int waiting, int content)
{
    int *object = trace->objects[wish][number];
    struct event *event;

    if (object[0] == waiting && object[1] == content)
        return;
    event = trace_add(trace, EVENT_OBJECT);
    event->function = (int)wish;
    event->op = number;
    event->a = object[0] = waiting;
    event->b = object[1] = content;
}

/* Whether the next turn comes no later than WANTED allows. */
static bool next_is_right(const struct event *wanted, const struct event *got)
{
    return got->a >= got->time && got->a <= wanted->a;
}

static bool same(struct event wanted, struct event got)
{
    if (wanted.kind == EVENT_TURN && got.kind == EVENT_TURN && next_is_right(&wanted, &got))
        got.a = wanted.a;
    return !memcmp(&wanted, &got, sizeof got);
}

int trace_difference(const struct trace *wanted, const struct trace *got)
{
    int both = wanted->count < got->count ? wanted->count : got->count;

    for (int i = 0; i < both; i++)
        if (!same(wanted->events[i], got->events[i]))
            return i;
    return wanted->count == got->count ? -1 : both;
}

void event_print(const struct event *event)
{
    static const char *const names[] = {
#define MODEL_EVENT_NAME_(name, text) text,
        MODEL_EVENT_TABLE(MODEL_EVENT_NAME_)
#undef MODEL_EVENT_NAME_
    };
    static const char *const wishes[] = {
#define MODEL_WISH_NAME_(name, text) text,
        MODEL_WISH_TABLE(MODEL_WISH_NAME_)
#undef MODEL_WISH_NAME_
    };

    printf("%5d  %-8s", event->time, names[event->kind]);
    if (event->kind == EVENT_OBJECT) {
        printf("%s %d, waiting %d, has %d\n", wishes[event->function], event->op, event->a,
               event->b);
        return;
    }
    if (event->kind == EVENT_TURN) {
        printf("next %d, nap %d, tasks %016llx", event->a, event->b,
               (unsigned long long)event->all);
    } else {
        printf("task %d, function %d%s, op %d, code %d", event->task, event->function,
               event->cleanup ? " cleanup" : "", event->op, event->code);
        if (event->kind == EVENT_CLEANUP)
            printf(", groups open %d", event->a);
        if (event->kind == EVENT_MEDDLE)
            printf(", point %d of loop %d", event->a, event->b);
        if (event->kind == EVENT_LEFT)
            printf(", ended %d, decider %d", event->a, event->b);
        if (event->kind == EVENT_CODE || event->kind == EVENT_VALUE || event->kind == EVENT_BROKEN)
            printf(", value %d %d", event->a, event->b);
    }
    printf(", ready %d, live %d, waiting %d\n", event->ready, event->live, event->waiting);
}
