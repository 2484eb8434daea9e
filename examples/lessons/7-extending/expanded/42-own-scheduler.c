/* expanded/42-own-scheduler.c - the bodies of lesson 42, their macros expanded by hand
 * SPDX-License-Identifier: MIT
 *
 *     The scheduler has no macros to expand: it receives the opcodes. */

static pt_op PT_FN(think)(struct pt *pt, struct pt_task *task)
{
    struct think *self = (struct think *)pt;

    (void)task;
    switch (pt->label) {
    case 0:
        while (self->steps < 6) {
            printf("%c%d ", self->name, ++self->steps);
            if (self->steps % self->grain == 0) {
                pt->label = 1;
                return (pt_op){PT_OP_YIELD};
    case 1:;
            }
        }
    }
    return pt_end_(pt);
}

static pt_op PT_FN(actor)(struct pt *pt, struct pt_task *task)
{
    struct actor *self = (struct actor *)pt;

    switch (pt->label) {
    case 0:
        pt_init_zeroed_(&self->think.pt, PT_FN(think), sizeof self->think);
        self->think.name = self->name;
        self->think.steps = 0;
        self->think.grain = self->grain;
        task->node.link.operand = &self->think.pt;
        pt->label = 1;
        return (pt_op){PT_OP_WAIT_COMPLETE};
    case 1:
        printf("%c: ", self->name);
    }
    return pt_end_(pt);
}
