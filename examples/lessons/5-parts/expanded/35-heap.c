/* expanded/35-heap.c - the bodies of lesson 35, their macros expanded by hand
 * SPDX-License-Identifier: MIT
 *
 *     PT_WAIT  turn the delay into a deadline in the task's node; the loop's heap takes the node */

static pt_op PT_FN(sleeper)(struct pt *pt, struct pt_task *task)
{
    struct sleeper *self = (struct sleeper *)pt;

    switch (pt->label) {
    case 0:
        if (!pt_wait_(task, PT_SEC(self->name[0] - '0'))) /* node.at += delay */
            return pt_return_(pt, task, PT_ERANGE);
        pt->label = 1;
        return (pt_op){PT_OP_WAIT};
    case 1:
        printf("%s ", self->name);
    }
    return pt_end_(pt);
}
