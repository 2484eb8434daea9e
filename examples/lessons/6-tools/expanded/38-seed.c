/* expanded/38-seed.c - the bodies of lesson 38, their macros expanded by hand
 * SPDX-License-Identifier: MIT
 *
 *     The simulation has nothing to expand: it is a port and an observer of the loop. */

static pt_op PT_FN(clerk)(struct pt *pt, struct pt_task *task)
{
    switch (pt->label) {
    case 0:
        if (!pt_wait_(task, PT_SEC(17 * 3600)))
            return pt_return_(pt, task, PT_ERANGE);
        pt->label = 1;
        return (pt_op){PT_OP_WAIT};
    case 1:
        letters++;
    }
    return pt_end_(pt);
}

static pt_op PT_FN(messenger)(struct pt *pt, struct pt_task *task)
{
    struct messenger *self = (struct messenger *)pt;

    switch (pt->label) {
    case 0:
        if (!pt_wait_(task, PT_SEC(17 * 3600)))
            return pt_return_(pt, task, PT_ERANGE);
        pt->label = 1;
        return (pt_op){PT_OP_WAIT};
    case 1:
        if (self->asked) {
            if (pt_join_(task, pt, self->asked)) {
                pt->label = 2;
                return (pt_op){PT_OP_PARK};
    case 2:;
            }
        }
        taken = letters;
    }
    return pt_end_(pt);
}
