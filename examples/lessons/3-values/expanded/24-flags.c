/* expanded/24-flags.c - the bodies of lesson 24, their macros expanded by hand
 * SPDX-License-Identifier: MIT
 *
 *     PT_WAIT_FLAGS    nothing, if the bits are there; else enter the queue, with the wanted bits as
 *                      the item, and park. pt_flags_set checks each task in the queue.
 *     PT_WAIT_BARRIER  enter the wait list and park; the last task instead wakes the whole list */

#define SAY(...) (printf("T%+3d min  ", (int)(pt_now_(task) / MINUTES(1)) - 13), printf(__VA_ARGS__))

static pt_op PT_FN(hatch)(struct pt *pt, struct pt_task *task)
{
    struct hatch *self = (struct hatch *)pt;

    switch (pt->label) {
    case 0:
        for (self->times = 1; self->times <= 2; self->times++) {
            if (pt_flags_must_wait_(task, pt, &ready, &self->wanted, KNOCK | BELL,
                               PT_FLAGS_ANY | PT_FLAGS_CLEAR)) {
                pt->label = 1;
                return (pt_op){PT_OP_PARK};
    case 1:
                pt_task_take_(task);
            }
            SAY("the hatch opens: a %s\n", self->wanted.found == BELL ? "bell" : "knock");
        }
    }
    return pt_end_(pt);
}

static pt_op PT_FN(engine)(struct pt *pt, struct pt_task *task)
{
    struct engine *self = (struct engine *)pt;

    switch (pt->label) {
    case 0:
        if (pt_flags_must_wait_(task, pt, &ready, &self->wanted, FUEL | OXYGEN, PT_FLAGS_ALL)) {
            pt->label = 1;
            return (pt_op){PT_OP_PARK};
    case 1:
            pt_task_take_(task);
        }
        SAY("engine %d warms up\n", self->number);
        if (!pt_wait_(task, self->takes))
            return pt_return_(pt, task, PT_ERANGE);
        pt->label = 2;
        return (pt_op){PT_OP_WAIT};
    case 2:
        if (pt_barrier_must_wait_(task, pt, &stages)) {
            pt->label = 3;
            return (pt_op){PT_OP_PARK};
    case 3:
            pt_task_take_(task);
        }
        SAY("engine %d starts\n", self->number);
        if (!pt_wait_(task, self->takes))
            return pt_return_(pt, task, PT_ERANGE);
        pt->label = 4;
        return (pt_op){PT_OP_WAIT};
    case 4:
        if (pt_barrier_must_wait_(task, pt, &stages)) {
            pt->label = 5;
            return (pt_op){PT_OP_PARK};
    case 5:
            pt_task_take_(task);
        }
        SAY("engine %d drops\n", self->number);
    }
    return pt_end_(pt);
}

static pt_op PT_FN(tower)(struct pt *pt, struct pt_task *task)
{
    switch (pt->label) {
    case 0:
        pt_flags_set(&ready, FUEL | KNOCK);
        if (!pt_wait_(task, MINUTES(5)))
            return pt_return_(pt, task, PT_ERANGE);
        pt->label = 1;
        return (pt_op){PT_OP_WAIT};
    case 1:
        pt_flags_clear(&ready, FUEL);
        SAY("a leak\n");
        pt_flags_set(&ready, OXYGEN | BELL);
        if (!pt_wait_(task, MINUTES(5)))
            return pt_return_(pt, task, PT_ERANGE);
        pt->label = 2;
        return (pt_op){PT_OP_WAIT};
    case 2:
        pt_flags_set(&ready, FUEL);
    }
    return pt_end_(pt);
}
