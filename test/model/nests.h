/* nests.h - nested loops, and observers that interfere
 * SPDX-License-Identifier: MIT */
#ifndef MODEL_NESTS_H
#define MODEL_NESTS_H

#include "wants.h"

#if PT_INSPECT
#include <pt/inspect.h>
#endif

/* Execute an operation outside all tasks; in subject.c. */
static void outside(struct op op);

/* --- nested loops --- */

#if PT_NESTING
/* The loop that a task may run, or NULL if there is none or another task runs it. */
static struct pt_loop *inner_loop(const struct position *at)
{
    int inner = loop_of(task_at(at)) + 1;

    return inner == MODEL_LOOPS || subject.loops[inner].host ? NULL : &subject.loops[inner];
}
#endif

static void update(const struct position *at, int outwards, int ticks)
{
    int loop = loop_of(task_at(at)) - outwards;

    subject.clock = (pt_time)(subject.clock + (pt_time)ticks);
    if (loop < 0)
        return; /* a step took long, and told no loop */
    pt_loop_update(&subject.loops[loop], subject.clock);
}

/* --- observers --- */

#if PT_INSPECT

static struct watcher {
    struct pt_observer observer; /* its first member */
    int loop, calls[POINTS];
} watchers[MODEL_LOOPS];

static size_t meddle(struct pt_observer *self, enum point point)
{
    struct watcher *watcher = (struct watcher *)(void *)self;
    int call = watcher->calls[point]++;
    size_t chosen = 0;

    for (int i = 0; i < MODEL_MEDDLES; i++) {
        const struct meddle *meddle = &subject.script->meddle[i];
        struct event *event;

        if (meddle->op.kind == OP_NOTHING || meddle->turn != subject.turn ||
            meddle->loop != watcher->loop || meddle->point != (int)point ||
            (point != POINT_TURNED && meddle->call != call) || subject.meddled[i])
            continue;
        subject.meddled[i] = true;
        event = log_event(EVENT_MEDDLE, NULL);
        event->a = (int)point;
        event->b = watcher->loop;
        outside(meddle->op);
        chosen = (size_t)meddle->choose;
    }
    return chosen;
}

static size_t pick(struct pt_observer *self, const struct pt_choice *choice)
{
    return meddle(self, POINT_PICK) % choice->count;
}

static void resumes(struct pt_observer *self, struct pt_task *task)
{
    (void)task;
    meddle(self, POINT_RESUMES);
}

static void returned(struct pt_observer *self, struct pt_task *task, enum pt_opcode op)
{
    (void)task;
    (void)op;
    meddle(self, POINT_RETURNED);
}

static void ended(struct pt_observer *self, struct pt_task *task)
{
    (void)task;
    meddle(self, POINT_ENDED);
}

static void turned(struct pt_observer *self, struct pt_loop *loop)
{
    (void)loop;
    meddle(self, POINT_TURNED);
}

static void watch(int loop)
{
    static const struct pt_observer observer = {
        .pick = pick, .resumes = resumes, .returned = returned, .ended = ended, .turned = turned};

    watchers[loop] = (struct watcher){.observer = observer, .loop = loop};
    pt_loop_observe(&subject.loops[loop], &watchers[loop].observer);
}

/* A turn of the script begins: reset the counts. */
static void count_anew(void)
{
    for (int i = 0; i < MODEL_LOOPS; i++)
        memset(watchers[i].calls, 0, sizeof watchers[i].calls);
}

#endif
#endif
