/* expanded/43-own-owner.c - the bodies of lesson 43, their macros expanded by hand
 * SPDX-License-Identifier: MIT
 *
 *     The owner has nothing to expand: the loop calls it when a base frame returns DONE. */

static pt_op PT_FN(bulb)(struct pt *pt, struct pt_task *task)
{
    struct bulb *self = (struct bulb *)pt;

    switch (pt->label) {
    case 0:
        printf("%2u h  a bulb for %d hours\n", (unsigned)(pt_now_(task) / PT_SEC(3600)),
               self->hours);
        if (!pt_wait_(task, PT_SEC(3600 * self->hours)))
            return pt_return_(pt, task, PT_ERANGE);
        pt->label = 1;
        return (pt_op){PT_OP_WAIT};
    case 1:;
    }
    return pt_end_(pt);
}

static pt_op PT_FN(reader)(struct pt *pt, struct pt_task *task)
{
    struct reader *self = (struct reader *)pt;

    switch (pt->label) {
    case 0:
        if (pt_join_(task, pt, self->light)) {
            pt->label = 1;
            return (pt_op){PT_OP_PARK};
    case 1:;
        }
        printf("%2u h  time to sleep\n", (unsigned)(pt_now_(task) / PT_SEC(3600)));
    }
    return pt_end_(pt);
}
