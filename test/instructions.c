/* instructions.c - tasks that only yield, for test/instructions to count what a yield costs
 * SPDX-License-Identifier: MIT
 *
 *     instructions TASKS TURNS        up to 110 tasks */
#include <pt/posix.h>

#define TASKS 110

struct spin {
    struct pt pt;
};

static PT_ASYNC(spin, self)
{
    for (;;)
        PT_YIELD();
}
PT_END

int main(int argc, char **argv)
{
    static PT_TASK(spin) tasks[TASKS];
    static struct pt_loop loop;
    int count = argc > 1 ? atoi(argv[1]) : 0;

    pt_loop_open(&loop, &pt_posix);
    for (int i = 0; i < count && i < TASKS; i++)
        if (PT_START(&loop, &tasks[i], spin) != PT_OK)
            return 1;
    for (int turns = argc > 2 ? atoi(argv[2]) : 0; turns > 0; turns--)
        pt_loop_turn(&loop, 0);
    return 0;
}
