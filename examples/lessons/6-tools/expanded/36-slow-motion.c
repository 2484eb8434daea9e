/* expanded/36-slow-motion.c - the bodies of lesson 36, their macros expanded by hand
 * SPDX-License-Identifier: MIT
 *
 *     Slow motion happens in the loop: no opcode, nothing in a body. */

#define SAY(text) printf("%5u ms  %s\n", (unsigned)(pt_now_(task) / PT_MS(1)), text)

static pt_op PT_FN(hare)(struct pt *pt, struct pt_task *task)
{
    struct hare *self = (struct hare *)pt;

    switch (pt->label) {
    case 0:
        for (self->steps = 0; self->steps < 4; self->steps++) {
            SAY("hare");
            pt->label = 1;
            return (pt_op){PT_OP_YIELD};
    case 1:;
        }
        SAY("hare is there");
    }
    return pt_end_(pt);
}

static pt_op PT_FN(tortoise)(struct pt *pt, struct pt_task *task)
{
    struct tortoise *self = (struct tortoise *)pt;

    switch (pt->label) {
    case 0:
        for (self->steps = 0; self->steps < 4; self->steps++) {
            SAY("      tortoise");
            if (!pt_wait_(task, PT_MS(100)))
                return pt_return_(pt, task, PT_ERANGE);
            pt->label = 1;
            return (pt_op){PT_OP_WAIT};
    case 1:;
        }
        SAY("      tortoise is there");
    }
    return pt_end_(pt);
}
