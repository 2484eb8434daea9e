/* 42-own-scheduler.c - your own scheduler runs the same functions
 * SPDX-License-Identifier: MIT
 *
 * Two actors of a game think in turn: resume a task, look at its opcode, queue it again.
 *
 *     pt_op                what a body returns; its member `code` is an enum pt_opcode, and
 *                          pt_op_name has its name
 *     PT_OP_YIELD          the body wants to run again
 *     PT_OP_WAIT_COMPLETE  run another frame first: it becomes task->top, the frame that runs
 *     PT_OP_DONE           the frame is complete: its `caller` runs again, if it has one
 *     struct pt_fifo       a queue of nodes: pt_fifo_init, pt_fifo_push, pt_fifo_pop, pt_fifo_empty
 *     pt_task_of           the task to which a node belongs
 *
 * What to notice:
 *   - A body knows nothing about its loop, so it does not need pt's loop: it returns an opcode.
 *   - Each task has a node: queuing takes no memory.
 *   - An actor yields after `grain` steps. Few steps: others run sooner. Many: fewer resumes.
 *
 * Try: make a third actor, with a grain of 2. */
#include <pt/pt.h>

#include <stdio.h>

struct think {
    struct pt pt;
    int name, steps, grain;
};

PT_ASYNC(think, self)
{
    while (self->steps < 6) {
        printf("%c%d ", self->name, ++self->steps);
        if (self->steps % self->grain == 0)
            PT_YIELD();
    }
}
PT_END

struct actor {
    struct pt pt;
    struct think think;
    int name, grain;
};

PT_ASYNC(actor, self)
{
    PT_WAIT_COMPLETE(&self->think, think, .name = self->name, .steps = 0, .grain = self->grain);
    printf("%c: ", self->name);
}
PT_END

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

int main(void)
{
    static PT_TASK(actor) actors[2]; /* zeroed: a task without a loop */
    struct pt_fifo ready;

    pt_fifo_init(&ready);
    for (int i = 0; i < 2; i++) {
        PT_INIT(&actors[i].frame, actor, .name = i ? 'B' : 'A', .grain = i ? 1 : 3);
        actors[i].task.top = &actors[i].frame.pt;
        pt_fifo_push(&ready, &actors[i].task.node);
    }
    while (!pt_fifo_empty(&ready)) {
        struct pt_task *task = pt_task_of(pt_fifo_pop(&ready));

        if (run(task))
            pt_fifo_push(&ready, &task->node);
    }
    return 0;
}
