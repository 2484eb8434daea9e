/* expanded/40-several-loops.c - lesson 40 with the macros of its bodies expanded by hand
 * SPDX-License-Identifier: MIT
 *
 *     A suspension can stand after an `if`: the label is then a case inside that block. */
#include <pt/posix.h>

#include <stdio.h>

struct worker {
    struct pt pt;
    struct pt_loop *loop;
    const char *name;
    int parts;
};

/* Prints what it can find out about the running task. */
static void log_line(struct pt_loop *loop, const char *text)
{
    struct pt_task *task = pt_loop_current(loop);
    const char *name = task ? ((struct worker *)(void *)task->top)->name : "nobody";

    printf("%-6s %-7s ready %u, live %u\n", name, text, (unsigned)pt_loop_ready(loop),
           pt_loop_live(loop));
}

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
