/* expanded/45-own-port.c - the bodies of lesson 45, their macros expanded by hand
 * SPDX-License-Identifier: MIT
 *
 *     A port is below the opcodes: a body and a port do not know each other. */

static pt_op PT_FN(shutter)(struct pt *pt, struct pt_task *task)
{
    struct shutter *self = (struct shutter *)pt;

    switch (pt->label) {
    case 0:
        for (;;) {
            for (self->pressed = false; !self->pressed;) {
                pt->label = 1;
                return (pt_op){PT_OP_PARK};
    case 1:;
            }
            printf("%4u us  click", (unsigned)(pt_now_(task) / PT_US(1)));
            if (!pt_wait_(task, self->open))
                return pt_return_(pt, task, PT_ERANGE);
            pt->label = 2;
            return (pt_op){PT_OP_WAIT};
    case 2:
            printf(", and clack at %u us\n", (unsigned)(pt_now_(task) / PT_US(1)));
        }
    }
    return pt_end_(pt);
}
