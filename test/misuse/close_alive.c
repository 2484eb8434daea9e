/* close_alive.c - a loop is closed while one of its tasks is alive
 * SPDX-License-Identifier: MIT
 * expect trap -DPT_DEBUG=1: pt_loop_close: tasks are still alive */
#include <pt/posix.h>

struct body {
    struct pt pt;
    int n;
};

static struct pt_loop loop;
static PT_TASK(body) task;

PT_ASYNC(body, self)
{
    PT_PARK();
}
PT_END

int main(void)
{
    pt_loop_open(&loop, &pt_posix);
    (void)PT_START(&loop, &task, body);
    pt_loop_close(&loop);
    return 0;
}
