/* generator_of_a_task.c - pt_next of the frame of a task
 * SPDX-License-Identifier: MIT
 * expect trap -DPT_DEBUG=1: pt_next: the frame is that of a task: only the task's loop resumes it */
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

int main(void)
{
    static struct pt_loop loop;
    static PT_LOOP_STORAGE(4) storage;
    static PT_TASK(values) task;

    pt_loop_init(&loop, 0);
    pt_loop_use(&loop, &storage);
    (void)PT_START(&loop, &task, values);
    pt_loop_turn(&loop, 1);
    while (pt_next(&task.frame.pt))
        ;
    return 0;
}
