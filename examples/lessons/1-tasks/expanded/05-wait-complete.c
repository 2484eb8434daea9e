/* expanded/05-wait-complete.c - the bodies of lesson 05, their macros expanded by hand
 * SPDX-License-Identifier: MIT
 *
 *     PT_WAIT_COMPLETE  zero a frame, set its fields, store it as the operand, return WAIT_COMPLETE
 *     PT_RETURN         store the result, and jump to PT_FINALLY if there is one
 *     PT_TRY            both
 *     PT_KEEP           do not zero the frame */

static pt_op PT_FN(countdown)(struct pt *pt, struct pt_task *task)
{
    struct countdown *self = (struct countdown *)pt;

    switch (pt->label) {
    case 0:
        for (; self->count > 0; self->count--) {
            printf("%2u s  %s %d\n", (unsigned)(pt_now_(task) / PT_SEC(1)), self->name,
                   self->count);
            if (!pt_wait_(task, PT_SEC(1)))
                return pt_return_(pt, task, PT_ERANGE);
            pt->label = 1;
            return (pt_op){PT_OP_WAIT};
    case 1:
            if (self->hold && self->count == 2) {
                pt_init_zeroed_(&self->hold->pt, PT_FN(countdown), sizeof *self->hold);
                self->hold->name = "  hold";
                self->hold->count = 2;
                task->node.link.operand = &self->hold->pt;
                pt->label = 2;
                return (pt_op){PT_OP_WAIT_COMPLETE};
    case 2:;
            }
        }
    }
    return pt_end_(pt);
}

static pt_op PT_FN(fill)(struct pt *pt, struct pt_task *task)
{
    struct fill *self = (struct fill *)pt;

    switch (pt->label) {
    case 0:
        for (; self->litres < 90; self->litres += 30) {
            if (!pt_wait_(task, PT_SEC(1)))
                return pt_return_(pt, task, PT_ERANGE);
            pt->label = 1;
            return (pt_op){PT_OP_WAIT};
    case 1:;
        }
        return pt_return_(pt, task, LEAK);
    }
    return pt_end_(pt);
}

static pt_op PT_FN(launch)(struct pt *pt, struct pt_task *task)
{
    struct launch *self = (struct launch *)pt;

    switch (pt->label) {
    case 0:
        pt_init_zeroed_(&self->countdown.pt, PT_FN(countdown), sizeof self->countdown);
        self->countdown.name = "test";
        self->countdown.count = 3;
        self->countdown.hold = &self->hold;
        task->node.link.operand = &self->countdown.pt;
        pt->label = 1;
        return (pt_op){PT_OP_WAIT_COMPLETE};
    case 1: /* the loop has stored the countdown's result in pt->status */
        if (pt->status != PT_OK)
            return pt_return_(pt, task, pt->status);
        pt_init_zeroed_(&self->fill.pt, PT_FN(fill), sizeof self->fill);
        task->node.link.operand = &self->fill.pt;
        pt->label = 2;
        return (pt_op){PT_OP_WAIT_COMPLETE};
    case 2:
        printf("%2u s  code %d after %d litres: once more\n", (unsigned)(pt_now_(task) / PT_SEC(1)),
               pt->status, self->fill.litres);
        pt_init_zeroed_(&self->fill.pt, PT_FN(fill), sizeof self->fill);
        task->node.link.operand = &self->fill.pt;
        pt->label = 3;
        return (pt_op){PT_OP_WAIT_COMPLETE};
    case 3:
        printf("%2u s  %d litres again\n", (unsigned)(pt_now_(task) / PT_SEC(1)),
               self->fill.litres);
        pt_init_(&self->fill.pt, PT_FN(fill)); /* litres is still 90 */
        task->node.link.operand = &self->fill.pt;
        pt->label = 4;
        return (pt_op){PT_OP_WAIT_COMPLETE};
    case 4:
        if (pt->status != PT_OK)
            return pt_return_(pt, task, pt->status);
        printf("never reached\n");
    }
    return pt_end_(pt);
}
