/* start_running.c - a task that still runs is started again
 * SPDX-License-Identifier: MIT
 * expect output: ^PT_EBUSY$
 * expect trap -DPT_DEBUG=1: the start of body: the task in this storage still runs: join it first; or */
#include <pt/pt.h>
#include <stdio.h>

struct body {
    struct pt pt;
    int n;
};

static struct pt_loop loop;
static PT_LOOP_STORAGE(4) room;
static PT_TASK(body) task;

PT_ASYNC(body, self)
{
    PT_PARK();
}
PT_END

int main(void)
{
    pt_loop_init(&loop, 0);
    pt_loop_use(&loop, &room);
    (void)PT_START(&loop, &task, body);
    printf("%s\n", pt_status_name(PT_START(&loop, &task, body)));
    return 0;
}
