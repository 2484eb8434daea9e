/* test_group.h - a group of workers, for the tests of groups
 * SPDX-License-Identifier: MIT */
#ifndef PT_TEST_GROUP_H
#define PT_TEST_GROUP_H

#include "pt_test.h"

#if PT_GROUPS && PT_PORT && PT_TIMERS

/* Works for some time and traces its end; its cleanup can take time, too. */
struct worker {
    struct pt pt;
    char name;
    int ms;
    pt_status code;
    int cleanup;
};

static PT_ASYNC(worker, self)
{
    trace_add("+%c ", self->name);
    PT_WAIT((pt_time)self->ms * PT_MS(1));
    PT_RETURN(self->code);
    PT_FINALLY
    if (self->cleanup)
        PT_WAIT((pt_time)self->cleanup * PT_MS(1));
    trace_add("%c:%d@%d ", self->name, self->pt.result, test_ms(PT_NOW()));
}
PT_END

/* A group of up to three workers, and a body that takes some time. */
struct team {
    struct pt pt;
    enum pt_group_policy policy;
    int size, body, i;
    int ms[3], codes[3], cleanup;
    struct pt_group group;
    PT_TASK(worker) workers[3];
};

static PT_ASYNC(team, self)
{
    PT_WITH_GROUP(&self->group, self->policy) {
        for (self->i = 0; self->i < self->size; self->i++)
            PT_SPAWN_IN(&self->group, &self->workers[self->i], worker,
                        .name = (char)('a' + self->i), .ms = self->ms[self->i],
                        .code = (pt_status)self->codes[self->i], .cleanup = self->cleanup);
        PT_WAIT((pt_time)self->body * PT_MS(1));
        trace_add("body@%d ", test_ms(PT_NOW()));
    }
    trace_add("behind@%d ", test_ms(PT_NOW()));
}
PT_END

static PT_TASK(team) team_task;
static struct team *const members = &team_task.frame;

static inline void open_team(enum pt_group_policy policy, int size, int body)
{
    test_zero(team_task);
    test_open(&world);
    ck_assert_int_eq(
        PT_START(&world.loop, &team_task, team, .policy = policy, .size = size, .body = body),
        PT_OK);
}

/* Set the time and the code of the Ith worker. */
static inline void plan(int i, int ms, int code)
{
    members->ms[i] = ms;
    members->codes[i] = code;
}

/* Check the status of the group, and the number of the worker that decided it, or -1. */
static inline void check_team(int status, int decider)
{
    ck_assert_int_eq(members->group.status, status);
    ck_assert(members->group.decider == (decider < 0 ? NULL : &members->workers[decider].task));
    ck_assert(pt_group_empty(&members->group));
}

#endif
#endif
