/* 64-own-loop.c - a loop of your own with timers: a queue, a heap, and a clock
 * SPDX-License-Identifier: MIT
 *
 * Lesson 42 had a scheduler without time. This one adds a heap of sleeping tasks.
 *
 *     pt_fn           the type of a body: it returns an opcode, and its operand is in the task's
 *                     node
 *     PT_OP_WAIT      the opcode of PT_WAIT: the task's node.at is the deadline
 *     pt_heap_rebase  move the heap's epoch forward, to the present time
 *
 * What to notice:
 *   - Any body can be resumed by hand: write the time to node.at, call it, and do what it asks for.
 *   - The heap compares deadlines relative to its epoch. With pt_heap_rebase now and then, the
 *     clock may wrap: this one starts five seconds before it does.
 *   - The clock jumps to the next deadline. A real one would sleep until then.
 *
 * Try: give both lights the same period. Which one comes first then? */
#include <pt/pt.h>

#include <stdio.h>

struct light {
    struct pt pt;
    const char *name;
    int times;
    pt_time period;
};

PT_ASYNC(light, self)
{
    for (; self->times > 0; self->times--) {
        printf("%s ", self->name);
        PT_WAIT(self->period);
    }
}
PT_END

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

int main(void)
{
    static PT_TASK(light) lights[2];
    struct pt_heap_entry entries[2];
    pt_time start = (pt_time)0 - PT_SEC(5), now = start;

    pt_fifo_init(&ready);
    pt_heap_init(&sleeping, now);
    pt_heap_storage(&sleeping, entries, 2);
    for (int i = 0; i < 2; i++) {
        PT_INIT(&lights[i].frame, light, .name = i ? "tock" : "tick", .times = 4 - i,
                .period = PT_SEC(2 + i));
        lights[i].task.top = &lights[i].frame.pt;
        pt_fifo_push(&ready, &lights[i].task.node);
    }
    for (;;) {
        printf("\n%2u s  ", (unsigned)((now - start) / PT_SEC(1)));
        while (!pt_fifo_empty(&ready))
            resume(pt_task_of(pt_fifo_pop(&ready)), now);
        if (!pt_heap_first(&sleeping))
            break;
        now = pt_heap_first(&sleeping)->at;
        while (pt_heap_first(&sleeping) && pt_heap_first(&sleeping)->at == now)
            pt_fifo_push(&ready, pt_heap_pop(&sleeping));
        pt_heap_rebase(&sleeping, now);
    }
    puts("");
}
