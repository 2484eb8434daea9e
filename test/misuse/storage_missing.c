/* storage_missing.c - a loop with queues that need storage gets none, and no port with memory
 * SPDX-License-Identifier: MIT
 * expect output: ^PT_ENOMEM$
 * expect trap -DPT_DEBUG=1: a spawn: its loop has no storage: call pt_loop_use
 * expect trap -DPT_DEBUG=1 -DPT_NESTING=0 -DPT_SLOWMO=0 -DPT_INSPECT=0 -DPT_PORT=0: no storage: call pt_loop_use */
#include <pt/pt.h>
#include <stdio.h>

struct body {
    struct pt pt;
    int n;
};

PT_ASYNC(body, self)
{
    printf("%d\n", self->n);
}
PT_END

int main(void)
{
    static PT_TASK(body) task;
    struct pt_loop loop;

    pt_loop_init(&loop, 0);
    printf("%s\n", pt_status_name(PT_START(&loop, &task, body, .n = 1)));
    pt_loop_turn(&loop, 0);
    return 0;
}
