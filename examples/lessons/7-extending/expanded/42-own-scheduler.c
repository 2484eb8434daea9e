/* expanded/42-own-scheduler.c - lesson 42 with the macros of its bodies expanded by hand
 * SPDX-License-Identifier: MIT
 *
 *     The scheduler has no macros to expand: it receives the opcodes. */
#include <pt/pt.h>

#include <stdio.h>

struct think {
    struct pt pt;
    int name, steps, grain;
};

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

struct actor {
    struct pt pt;
    struct think think;
    int name, grain;
};

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

/* Resume a task until it yields or ends; returns true if it yielded. */
static bool run(struct pt_task *task)
{
    for (;;) {
        struct pt *frame = task->top;
        pt_op op = frame->fn(frame, task);
        if (op.code == PT_OP_YIELD)
            return true;
        if (op.code == PT_OP_WAIT_COMPLETE) {
            task->top = (struct pt *)task->node.link.operand;
            task->top->caller = frame;
        } else if (op.code == PT_OP_DONE && frame->caller) {
            task->top = frame->caller;
        } else {
            printf("%s\n", pt_op_name((enum pt_opcode)op.code));
            return false;
        }
    }
}
