/* expanded/17-events.c - the bodies of lesson 17, their macros expanded by hand
 * SPDX-License-Identifier: MIT
 *
 *     PT_WAIT_EVENT  nothing, if the event is set; else enter its wait list, and park */

#define SAY(...) (printf("%2u h  ", (unsigned)(pt_now_(task) / HOURS(1))), printf(__VA_ARGS__))

static pt_op PT_FN(visitor)(struct pt *pt, struct pt_task *task)
{
    struct visitor *self = (struct visitor *)pt;

    switch (pt->label) {
    case 0: /* the label of the block is 3 */
        if (!pt_wait_until_(task, pt_time_until_(pt_now_(task), self->comes)))
            return pt_return_(pt, task, PT_ERANGE);
        pt->label = 1;
        return (pt_op){PT_OP_WAIT};
    case 1:
        SAY("%s %s\n", self->name, open.set ? "finds the gate open" : "waits at the gate");
        if (pt_event_must_wait_(task, pt, &open)) {
            pt->label = 2;
            return (pt_op){PT_OP_PARK};
    case 2:;
        }
        SAY("    %s is in\n", self->name);
        if (!pt_timeout_open_(task, &self->patience, HOURS(3), 3))
            return pt_return_(pt, task, pt->status);
        if (pt_event_must_wait_(task, pt, &meal)) {
            pt->label = 4;
            return (pt_op){PT_OP_PARK};
    case 4:;
        }
        SAY("    %s sees the lions eat\n", self->name);
        /* fall through */
    case 3:
        pt_scope_leave_(task, &self->patience);
        if (pt_timed_out(&self->patience))
            SAY("    %s goes home\n", self->name);
    }
    return pt_end_(pt);
}

static pt_op PT_FN(keeper)(struct pt *pt, struct pt_task *task)
{
    switch (pt->label) {
    case 0:
        if (!pt_wait_until_(task, pt_time_until_(pt_now_(task), HOURS(9))))
            return pt_return_(pt, task, PT_ERANGE);
        pt->label = 1;
        return (pt_op){PT_OP_WAIT};
    case 1:
        SAY("the zoo opens\n");
        pt_event_set(&open);
        if (!pt_wait_until_(task, pt_time_until_(pt_now_(task), HOURS(10))))
            return pt_return_(pt, task, PT_ERANGE);
        pt->label = 2;
        return (pt_op){PT_OP_WAIT};
    case 2:
        SAY("the lions are fed\n");
        pt_event_trigger(&meal);
        if (!pt_wait_until_(task, pt_time_until_(pt_now_(task), HOURS(12))))
            return pt_return_(pt, task, PT_ERANGE);
        pt->label = 3;
        return (pt_op){PT_OP_WAIT};
    case 3:
        SAY("the gate is closed for lunch\n");
        pt_event_clear(&open);
        if (!pt_wait_until_(task, pt_time_until_(pt_now_(task), HOURS(14))))
            return pt_return_(pt, task, PT_ERANGE);
        pt->label = 4;
        return (pt_op){PT_OP_WAIT};
    case 4:
        pt_event_set(&open);
        if (!pt_wait_until_(task, pt_time_until_(pt_now_(task), HOURS(15))))
            return pt_return_(pt, task, PT_ERANGE);
        pt->label = 5;
        return (pt_op){PT_OP_WAIT};
    case 5:
        SAY("the lions are fed\n");
        pt_event_trigger(&meal);
    }
    return pt_end_(pt);
}
