/* expanded/09-cleanup.c - the bodies of lesson 09, their macros expanded by hand
 * SPDX-License-Identifier: MIT
 *
 *     PT_FINALLY  a label to which pt_return_ jumps, and at which the loop resumes the function if
 *                 its task is canceled. After it has been reached, nothing jumps there again.
 *     pt_cancel   a function; it sets a bit that the task's next turn checks */

#define SAY(...) (printf("%2u min  ", (unsigned)(pt_now_(task) / PT_SEC(60))), printf(__VA_ARGS__))

static pt_op PT_FN(bake)(struct pt *pt, struct pt_task *task)
{
    struct bake *self = (struct bake *)pt;

    switch (pt->label) {
    case 0:
        if (self->minutes == 0)
            return pt_return_(pt, task, NO_EGGS);
        if (!pt_wait_(task, PT_SEC(60 * self->minutes)))
            return pt_return_(pt, task, PT_ERANGE);
        pt->label = 1;
        return (pt_op){PT_OP_WAIT};
    case 1:
        SAY("%s eats a cake\n", self->name);
        /* fall through */
    case PT_LABEL_FINALLY_:
        pt->cleaning |= 1; /* odd: this frame is in its own cleanup */
        if (!pt_wait_(task, PT_SEC(60 * 2)))
            return pt_return_(pt, task, PT_ERANGE);
        pt->label = 2;
        return (pt_op){PT_OP_WAIT};
    case 2:
        SAY("%s has washed the bowl\n", self->name);
    }
    return pt_end_(pt); /* pt->status = pt->result */
}

static pt_op PT_FN(cook)(struct pt *pt, struct pt_task *task)
{
    struct cook *self = (struct cook *)pt;

    switch (pt->label) {
    case 0:
        SAY("%s lights the oven\n", self->name);
        pt_init_zeroed_(&self->bake.pt, PT_FN(bake), sizeof self->bake);
        self->bake.name = self->name;
        self->bake.minutes = self->minutes;
        task->node.link.operand = &self->bake.pt;
        pt->label = 1;
        return (pt_op){PT_OP_WAIT_COMPLETE};
    case 1: /* not reached on a cancel: the loop runs one cleanup after the other */
        if (pt->status != PT_OK)
            return pt_return_(pt, task, pt->status);
        /* fall through */
    case PT_LABEL_FINALLY_:
        pt->cleaning |= 1;
        SAY("%s turns the oven off: %d\n", self->name, pt->result);
    }
    return pt_end_(pt);
}

static pt_op PT_FN(warden)(struct pt *pt, struct pt_task *task)
{
    switch (pt->label) {
    case 0:
        if (!pt_wait_(task, PT_SEC(60 * 20)))
            return pt_return_(pt, task, PT_ERANGE);
        pt->label = 1;
        return (pt_op){PT_OP_WAIT};
    case 1:
        SAY("fire!\n");
        pt_cancel(&cid.task, FIRE);
        if (pt_join_(task, pt, &cid.task)) {
            pt->label = 2;
            return (pt_op){PT_OP_PARK};
    case 2:;
        }
        SAY("nobody is left in the kitchen: %d\n", pt->status);
    }
    return pt_end_(pt);
}
