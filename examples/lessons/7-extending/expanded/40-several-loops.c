/* expanded/40-several-loops.c - the bodies of lesson 40, their macros expanded by hand
 * SPDX-License-Identifier: MIT
 *
 *     A suspension can stand after an `if`: the label is then a case inside that block. */

static pt_op PT_FN(worker)(struct pt *pt, struct pt_task *task)
{
    struct worker *self = (struct worker *)pt;

    (void)task;
    switch (pt->label) {
    case 0:
        for (; self->parts > 0; self->parts--) {
            log_line(self->loop, "works");
            if (pt_loop_ready(self->loop)) {
                pt->label = 1;
                return (pt_op){PT_OP_YIELD};
    case 1:;
            }
        }
        log_line(self->loop, "leaves");
    }
    return pt_end_(pt);
}
