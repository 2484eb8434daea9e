/* generator_awaited.c - pt_next of a frame that a task awaits
 * SPDX-License-Identifier: MIT
 * expect trap -DPT_DEBUG=1: pt_next: the frame was awaited, and belongs to a task: only that resumes it */
#include <pt/pt.h>

struct values {
    struct pt pt;
    int value;
};

PT_ASYNC(values, self)
{
    for (self->value = 0; self->value < 3; self->value++)
        PT_YIELD();
}
PT_END

struct body {
    struct pt pt;
    struct values inner;
};

PT_ASYNC(body, self)
{
    PT_WAIT_COMPLETE(&self->inner, values);
}
PT_END

int main(void)
{
    static struct pt_loop loop;
    static PT_LOOP_STORAGE(4) storage;
    static PT_TASK(body) task;

    pt_loop_init(&loop, 0);
    pt_loop_use(&loop, &storage);
    (void)PT_START(&loop, &task, body);
    pt_loop_turn(&loop, 1);
    while (pt_next(&task.frame.inner.pt))
        ;
    return 0;
}
