/* expanded/06-join.c - the bodies of lesson 06, their macros expanded by hand
 * SPDX-License-Identifier: MIT
 *
 *     PT_JOIN  enter the other task's list of joiners and park; or get a code at once */

static pt_op PT_FN(pizza)(struct pt *pt, struct pt_task *task)
{
    struct pizza *self = (struct pizza *)pt;

    switch (pt->label) {
    case 0:
        if (!pt_wait_(task, self->in_the_oven))
            return pt_return_(pt, task, PT_ERANGE);
        pt->label = 1;
        return (pt_op){PT_OP_WAIT};
    case 1:
        printf("%2u min  the oven opens\n", (unsigned)(pt_now_(task) / PT_SEC(60)));
        if (self->in_the_oven > PT_SEC(900))
            return pt_return_(pt, task, BURNT);
    }
    return pt_end_(pt);
}

static pt_op PT_FN(guest)(struct pt *pt, struct pt_task *task)
{
    struct guest *self = (struct guest *)pt;

    switch (pt->label) {
    case 0:
        if (!pt_wait_(task, self->comes))
            return pt_return_(pt, task, PT_ERANGE);
        pt->label = 1;
        return (pt_op){PT_OP_WAIT};
    case 1:
        if (pt_join_(task, pt, self->waits_for)) {
            pt->label = 2;
            return (pt_op){PT_OP_PARK};
    case 2:;
        }
        printf("%2u min  %s: %s\n", (unsigned)(pt_now_(task) / PT_SEC(60)), self->name,
               verdict(pt->status));
    }
    return pt_end_(pt);
}
