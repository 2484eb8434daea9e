/* reference_waits.c - waiting tasks of the reference: it searches for the first one
 * SPDX-License-Identifier: MIT */
#include "reference_sync.h"

struct want *next_behind(enum wish wish, int object, long since)
{
    struct want *first = NULL;

    for (int i = 0; i < MODEL_ACTORS; i++)
        for (int j = 0; model.tasks[i].doing == WAITING && j < model.tasks[i].wanted; j++) {
            struct want *want = &model.tasks[i].wants[j];

            if (want->wish == wish && want->object == object && want->since > since &&
                (!first || want->since < first->since))
                first = want;
        }
    return first;
}

struct want *first_for(enum wish wish, int object)
{
    return next_behind(wish, object, 0);
}

int waiting_for(enum wish wish, int object)
{
    int count = 0;

    for (struct want *want = first_for(wish, object); want; count++)
        want = next_behind(wish, object, want->since);
    return count;
}

bool sleeps(const struct task *task)
{
    return task->doing == SLEEPING ||
           ((task->doing == WAITING || task->doing == PARKED) && task->timed);
}

void wait_for(struct task *task, const struct want *want)
{
    struct want *next = &task->wants[task->wanted++];

    *next = *want;
    next->task = task;
    next->since = ++model.order;
}

struct task *serve(const struct want *want, bool handed)
{
    struct task *task = want->task;
    bool slept = sleeps(task);

    task->handed |= handed;
    make_ready(task);
    if (task->select)
        task->case_due = (int)(want - task->wants);
    if (slept)
        alarm_renew(task); /* it was armed for a time, and another case was met */
    return task;
}

void hand(const struct want *want, int value)
{
    serve(want, true)->came = value;
}

void serve_all(enum wish wish, int object, int code, bool handed)
{
    for (const struct want *want; (want = first_for(wish, object));) {
        struct task *task = serve(want, handed);

        if (code != CODE_OK)
            task->frames[task->top].status = code;
    }
}

void serve_ended(struct task *task, int status)
{
    serve_all(WISH_END, number_of(task), status, false);
}
