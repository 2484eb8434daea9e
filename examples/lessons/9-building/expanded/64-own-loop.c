/* expanded/64-own-loop.c - the bodies of lesson 64, their macros expanded by hand
 * SPDX-License-Identifier: MIT
 *
 *     PT_WAIT    add the delay to node.at, store a label, return an opcode
 *     PT_INIT    set the fields of a frame and its function */

static pt_op PT_FN(light)(struct pt *pt, struct pt_task *task)
{
    struct light *self = (struct light *)pt;

    switch (pt->label) {
    case 0:
        for (; self->times > 0; self->times--) {
            printf("%s ", self->name);
            pt_wait_(task, self->period);
            pt->label = 1;
            return (pt_op){PT_OP_WAIT};
        case 1:;
        }
    }
    return pt_end_(pt);
}
