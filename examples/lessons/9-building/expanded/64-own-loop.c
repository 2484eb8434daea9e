/* expanded/64-own-loop.c - lesson 64 with the macros of its bodies expanded by hand
 * SPDX-License-Identifier: MIT
 *
 *     PT_WAIT    add the delay to node.at, store a label, return an opcode
 *     PT_INIT    set the fields of a frame and its function */
#include <pt/pt.h>

#include <stdio.h>

struct light {
    struct pt pt;
    const char *name;
    int times;
    pt_time period;
};

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

static struct pt_fifo ready;
static struct pt_heap sleeping;

static void resume(struct pt_task *task, pt_time now)
{
    pt_fn *body = task->top->fn;
    pt_op op;

    task->node.at = now;
    op = body(task->top, task);
    if (op.code == PT_OP_YIELD)
        pt_fifo_push(&ready, &task->node);
    else if (op.code == PT_OP_WAIT)
        pt_heap_push(&sleeping, &task->node); /* node.at is the deadline now */
    else
        printf("%s ", pt_op_name((enum pt_opcode)op.code));
}
