/* expanded/61-own-primitive.c - the bodies of lesson 61, their macros expanded by hand
 * SPDX-License-Identifier: MIT
 *
 *     LATCH_WAIT    PT_WAIT_EVENT: if the event is not set, store a label and return PARK */

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
