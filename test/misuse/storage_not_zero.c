/* storage_not_zero.c - a task's storage is a local, or from malloc, and was not zeroed
 * SPDX-License-Identifier: MIT
 * Whether it seems to be in use depends on what is there: here it does.
 * expect output: ^PT_EBUSY$
 * expect trap -DPT_DEBUG=1: the start of body: the task in this storage still runs: join it first; or the storage was never zeroed: make it static
 * expect output -DPT_DEBUG=1 -DZERO: ^PT_OK$ */
#include <pt/posix.h>
#include <stdio.h>
#include <string.h>

struct body {
    struct pt pt;
    int n;
};

PT_ASYNC(body, self)
{
    PT_YIELD();
}
PT_END

int main(void)
{
    PT_TASK(body) task;
    struct pt_loop loop;

#if defined(ZERO)
    memset(&task, 0, sizeof task);
#else
    memset(&task, 0xa5, sizeof task); /* what the stack can hold */
#endif
    pt_loop_open(&loop, &pt_posix);
    printf("%s\n", pt_status_name(PT_START(&loop, &task, body)));
    (void)pt_loop_run(&loop);
    pt_loop_close(&loop);
    return 0;
}
