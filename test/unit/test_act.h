/* test_act.h - the tasks of the tests of pt_cancel, which run a string of steps
 * SPDX-License-Identifier: MIT */
#ifndef TEST_ACT_H
#define TEST_ACT_H

#include "pt_test.h"

#if PT_PORT && PT_TIMERS && PT_CANCEL && PT_JOINS && PT_POOLS

#define REASON ((pt_status)-70) /* a code of the program's own */

/* Runs a string of steps: y yields, w waits 2 ms, p parks, j joins its target, f waits for room in
 * the pool, s spawns `other`, c cancels the target, x cancels itself. Then it runs `cleanup` in its
 * PT_FINALLY. */
struct act {
    struct pt pt;
    char name;
    const char *steps, *cleanup;
    struct pt_task *target;
};

static PT_POOL(act, 1) rooms;
typedef PT_OWNED_TASK(act) actor;
static actor a, b, c, d, other;

static void act_step(struct act *self, struct pt_task *task, char step, int at)
{
    trace_add("%c%c@%d ", self->name, step, at);
    if (step == 'c')
        pt_cancel(self->target, REASON);
    if (step == 'x')
        pt_cancel(task, REASON);
}

static PT_ASYNC(act, self)
{
    for (; *self->steps; self->steps++) {
        act_step(self, pt_current_, *self->steps, test_ms(PT_NOW()));
        if (*self->steps == 'y') {
            PT_YIELD();
        } else if (*self->steps == 'w') {
            PT_WAIT(PT_MS(2));
        } else if (*self->steps == 'p') {
            PT_PARK();
        } else if (*self->steps == 'j') {
            PT_JOIN(self->target);
            trace_add("%c=%d@%d ", self->name, self->pt.status, test_ms(PT_NOW()));
        } else if (*self->steps == 'f') {
            PT_SPAWN_WHEN_FREE(&rooms, act, .name = 'R', .steps = "w", .cleanup = "");
        } else if (*self->steps == 's') {
            PT_SPAWN(&other, act, .name = 'S', .steps = "w", .cleanup = "");
        }
    }
    PT_FINALLY
    trace_add("%c[", self->name);
    for (; *self->cleanup; self->cleanup++) {
        act_step(self, pt_current_, *self->cleanup, test_ms(PT_NOW()));
        if (*self->cleanup == 'w') {
            PT_WAIT(PT_MS(2));
        } else if (*self->cleanup == 'p') {
            PT_PARK();
        } else if (*self->cleanup == 'j') {
            PT_JOIN(self->target);
            trace_add("%c=%d@%d ", self->name, self->pt.status, test_ms(PT_NOW()));
        }
    }
    trace_add("]@%d ", test_ms(PT_NOW()));
}
PT_END

static inline void open_world(void)
{
    test_zero(rooms);
    test_zero(a);
    test_zero(b);
    test_zero(c);
    test_zero(d);
    test_zero(other);
    test_open(&world);
}

static inline void start_on(struct pt_loop *loop, actor *storage, char name, const char *steps,
                            const char *cleanup)
{
    ck_assert_int_eq(PT_START(loop, storage, act, .name = name, .steps = steps, .cleanup = cleanup,
                              .target = &a.task),
                     PT_OK);
}

static inline void start(actor *storage, char name, const char *steps, const char *cleanup)
{
    start_on(&world.loop, storage, name, steps, cleanup);
}

#endif
#endif
