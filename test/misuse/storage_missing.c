/* storage_missing.c - a loop with queues that need storage gets none, and no port with memory
 * SPDX-License-Identifier: MIT
 * In every build: a program that ignores the code of a start would do nothing, without a word.
 * expect trap: a spawn: its loop has no storage: call pt_loop_use, or open it on a port with memory
 * expect trap -DPT_DEBUG=1: a spawn: its loop has no storage: call pt_loop_use
 * expect trap -DPT_NESTING=0 -DPT_SLOWMO=0 -DPT_INSPECT=0 -DPT_PORT=0: no storage: call pt_loop_use
 * expect trap -DPT_READY=PT_READY_LIST: its loop has no storage
 * expect trap -DPT_TIMERS=PT_TIMERS_HEAP: its loop has no storage
 * expect output -DPT_TIMERS=PT_TIMERS_HEAP -DPT_READY=PT_READY_LIST: ^1$ */
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
    (void)PT_START(&loop, &task, body, .n = 1);
    pt_loop_turn(&loop, 0);
    return 0;
}
