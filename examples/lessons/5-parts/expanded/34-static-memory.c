/* expanded/34-static-memory.c - the bodies of lesson 34, their macros expanded by hand
 * SPDX-License-Identifier: MIT
 *
 *     In a loop that never ends, the switch jumps into the loop. */

static pt_op PT_FN(led)(struct pt *pt, struct pt_task *task)
{
    struct led *self = (struct led *)pt;

    switch (pt->label) {
    case 0:
        for (;;) {
            self->on = !self->on;
            printf("led %s, ", self->on ? "on" : "off");
            if (!pt_wait_(task, self->period))
                return pt_return_(pt, task, PT_ERANGE);
            pt->label = 1;
            return (pt_op){PT_OP_WAIT};
    case 1:;
        }
    }
    return pt_end_(pt);
}

static pt_op PT_FN(button)(struct pt *pt, struct pt_task *task)
{
    struct button *self = (struct button *)pt;

    (void)task;
    switch (pt->label) {
    case 0:
        for (;;) {
            while (!self->pressed) {
                pt->label = 1;
                return (pt_op){PT_OP_PARK};
    case 1:;
            }
            self->pressed = false;
            printf("click, ");
        }
    }
    return pt_end_(pt);
}
