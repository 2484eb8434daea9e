/* expanded/61-own-primitive.c - lesson 61 with the macros of its bodies expanded by hand
 * SPDX-License-Identifier: MIT
 *
 *     LATCH_WAIT    PT_WAIT_EVENT: if the event is not set, store a label and return PARK */
#include "../latch.h"

#include <pt/posix.h>
#include <stdio.h>

#define SAY(now, text) printf("%2u min  %s\n", (unsigned)((now) / PT_SEC(60)), text)
static struct latch meal;

struct cook {
    struct pt pt;
    int minutes;
};

static pt_op PT_FN(cook)(struct pt *pt, struct pt_task *task)
{
    struct cook *self = (struct cook *)pt;

    switch (pt->label) {
    case 0:
        if (!pt_wait_(task, PT_SEC(60 * self->minutes)))
            return pt_return_(pt, task, PT_ERANGE);
        pt->label = 1;
        return (pt_op){PT_OP_WAIT};
    case 1: SAY(pt_now_(task), latch_count(&meal) == PT_OK ? "a cook is ready" : "one too many");
    }
    return pt_end_(pt);
}

struct waiter {
    struct pt pt;
};

static pt_op PT_FN(waiter)(struct pt *pt, struct pt_task *task)
{
    switch (pt->label) {
    case 0:
        if (pt_event_must_wait_(task, pt, &meal.over)) {
            pt->label = 1;
            return (pt_op){PT_OP_PARK};
        case 1:;
        }
        SAY(pt_now_(task), "    the waiter serves");
    }
    return pt_end_(pt);
}

static pt_status guest(struct pt_native *self)
{
    struct pt_scope patience;

    pt_native_timeout(self, &patience, PT_SEC(60 * 10));
    latch_wait(self, &meal);
    if (pt_native_timeout_end(self, &patience)) {
        SAY(pt_native_now(self), "    the guest has waited ten minutes, and waits on");
        latch_wait(self, &meal);
    }
    SAY(pt_native_now(self), "    the guest eats");
    return PT_OK;
}
