/* expanded/62-own-test.c - the bodies of lesson 62, their macros expanded by hand
 * SPDX-License-Identifier: MIT
 *
 *     LATCH_WAIT    PT_WAIT_EVENT: store a label, and return PARK if the event is not set
 *     PT_YIELD      store a label, return an opcode */

static pt_op PT_FN(counting)(struct pt *pt, struct pt_task *task)
{
    struct counting *self = (struct counting *)pt;

    (void)task;
    switch (pt->label) {
    case 0: pt->label = 1; return (pt_op){PT_OP_YIELD};
    case 1: self->pt.status = latch_count(self->latch);
    }
    return pt_end_(pt);
}

static pt_op PT_FN(waiting)(struct pt *pt, struct pt_task *task)
{
    struct waiting *self = (struct waiting *)pt;

    switch (pt->label) {
    case 0: pt->label = 1; return (pt_op){PT_OP_YIELD};
    case 1:
        self->first = self->latch->left == 2;
        if (pt_event_must_wait_(task, pt, &self->latch->over)) {
            pt->label = 2;
            return (pt_op){PT_OP_PARK};
        case 2:;
        }
        self->left = self->latch->left;
    }
    return pt_end_(pt);
}
