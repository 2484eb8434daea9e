/* port_missing.c - pt_loop_run of a loop that was not opened on a port
 * SPDX-License-Identifier: MIT
 * expect trap -DPT_DEBUG=1: pt_loop_run: the loop has no port: call pt_loop_open, or pt_loop_turn
 * expect trap -DPT_DEBUG=1 -DEMPTY: pt_loop_run: the loop has no port
 * expect trap -DPT_DEBUG=1 -DCLOSED: pt_loop_run: the loop has no port
 * expect trap -DPT_DEBUG=1 -DZERO: a spawn: its loop has no storage: call pt_loop_use, or open it
 * expect output -DPT_DEBUG=1 -DTURN: ^1$
 * expect output -DPT_DEBUG=1 -DOPEN: ^1$ */
#include <pt/posix.h>
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

static PT_LOOP_STORAGE(2) room;
static PT_TASK(body) task;
static struct pt_loop loop;

int main(void)
{
#if defined(OPEN) || defined(CLOSED)
    pt_loop_open(&loop, &pt_posix);
#elif !defined(ZERO)
    pt_loop_init(&loop, 0);
    pt_loop_use(&loop, &room);
#endif
#if defined(CLOSED)
    pt_loop_close(&loop);
#elif !defined(EMPTY)
    (void)PT_START(&loop, &task, body, .n = 1);
#endif
#if defined(TURN)
    pt_loop_turn(&loop, 0);
#else
    (void)pt_loop_run(&loop);
#endif
    (void)room;
    return 0;
}
