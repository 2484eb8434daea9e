/* grouped.c - two tasks of a group, in a trace whose ring keeps the last events only; then it waits
 * SPDX-License-Identifier: MIT */
#include "attach.h"

#include <pt/host.h>
#include <pt/inspect.h>

#include <stdio.h>
#include <stdlib.h>

static struct pt_loop loop;
static struct pt_system sys;
static struct pt_trace tracer;
static struct pt_trace_event ring[64];

struct worker {
    struct pt pt;
    int left;
};

static PT_ASYNC(worker, self)
{
    for (; self->left; self->left--)
        PT_YIELD();
    PT_PARK();
}
PT_END

struct boss {
    struct pt pt;
    struct pt_group group;
    PT_TASK(worker) first, second;
};

static PT_ASYNC(boss, self)
{
    PT_WITH_GROUP(&self->group, PT_GROUP_ALL) {
        PT_SPAWN_IN(&self->group, &self->first, worker, .left = 100);
        PT_SPAWN_IN(&self->group, &self->second, worker, .left = 100);
    }
}
PT_END

struct ready {
    struct pt pt;
};

static PT_ASYNC(ready, self)
{
    PT_WAIT(PT_MS(1));
    puts("end");
    fflush(stdout);
    PT_PARK();
}
PT_END

static PT_TASK(boss) staff;
static PT_TASK(ready) last;

int main(void)
{
    let_attach();
    if (pt_system_open(&sys, &loop, NULL) != PT_OK)
        return EXIT_FAILURE;
    pt_trace_start(&tracer, &loop, ring, sizeof ring / sizeof ring[0]);
    (void)!PT_START(&loop, &staff, boss);
    (void)!PT_START(&loop, &last, ready);
    pt_loop_run(&loop);
    return EXIT_SUCCESS;
}
