/* expanded/03-sleeping.c - lesson 03 with its macros expanded by hand
 * SPDX-License-Identifier: MIT
 *
 *     PT_FN(cat)  the name of the function that PT_ASYNC(cat, self) defines: cat_pt_. It differs from
 *                 the struct's, so that no compiler warns; lessons 01 and 02 did without
 *     PT_NOW      the time of the turn
 *     PT_WAIT     the time of the turn and the delay are the deadline, in the task's `at`; return WAIT */

static pt_op PT_FN(cat)(struct pt *pt, struct pt_task *task)
{
    switch (pt->label) {
    case 0:
        printf("%4u ms  the cat lies down\n", ms(pt_now_(task)));
        if (!pt_wait_(task, PT_MS(1500))) /* the operand: when to resume */
            return pt_return_(pt, task, PT_ERANGE); /* a delay that is too long ends the function */
        pt->label = 1;
        return (pt_op){PT_OP_WAIT};
    case 1:
        printf("%4u ms  the cat is awake\n", ms(pt_now_(task)));
    }
    return pt_end_(pt);
}

static pt_op PT_FN(church)(struct pt *pt, struct pt_task *task)
{
    struct church *self = (struct church *)pt;

    switch (pt->label) {
    case 0:
        self->strike = pt_now_(task);
        for (self->count = 1; self->count <= 3; self->count++) {
            self->strike += PT_SEC(1);
            if (!pt_wait_until_(task, pt_time_until_(pt_now_(task), self->strike)))
                return pt_return_(pt, task, PT_ERANGE);
            pt->label = 1;
            return (pt_op){PT_OP_WAIT};
    case 1:
            printf("%4u ms  dong, %d\n", ms(pt_now_(task)), self->count);
        }
    }
    return pt_end_(pt);
}
