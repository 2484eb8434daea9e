/* spawn_running.c - a task that still runs is spawned again by another task
 * SPDX-License-Identifier: MIT
 * expect output: ^PT_EBUSY$
 * expect trap -DPT_DEBUG=1: the start of body: the task in this storage still runs: join it first; or .* or clear it$ */
#include <pt/pt.h>
#include <stdio.h>

struct body {
    struct pt pt;
    int n;
};

static struct pt_loop loop;
static PT_LOOP_STORAGE(4) room;
static PT_TASK(body) task;
static PT_TASK(body) first;

PT_ASYNC(body, self)
{
    if (self->n == 0)
        PT_PARK();
    PT_SPAWN(&task, body, .n = 0);
    printf("%s\n", pt_status_name(self->pt.status));
}
PT_END

int main(void)
{
    pt_loop_init(&loop, 0);
    pt_loop_use(&loop, &room);
    (void)PT_START(&loop, &task, body, .n = 0);
    (void)PT_START(&loop, &first, body, .n = 1);
    pt_loop_turn(&loop, 0);
    return 0;
}
