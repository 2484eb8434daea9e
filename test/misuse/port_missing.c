/* port_missing.c - pt_loop_run of a loop that was not opened on a port
 * SPDX-License-Identifier: MIT
 * expect trap -DPT_DEBUG=1: pt_loop_run: the loop has no port: call pt_loop_open, or pt_loop_turn
 * expect trap -DPT_DEBUG=1 EMPTY: pt_loop_run: the loop has no port
 * expect trap -DPT_DEBUG=1 CLOSED: pt_loop_run: the loop has no port
 * expect trap -DPT_DEBUG=1 ZERO: a spawn: its loop has no storage: call pt_loop_use, or open it
 * expect output -DPT_DEBUG=1 TURN: ^1$
 * expect output -DPT_DEBUG=1 OPEN: ^1$ */
#include <pt/posix.h>
#include <stdio.h>
#include "chosen.h"

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

int main(int argc, char **argv)
{
    choose(argc, argv);
    if (CHOSEN(OPEN) || CHOSEN(CLOSED)) {
        pt_loop_open(&loop, &pt_posix);
    } else if (!CHOSEN(ZERO)) {
        pt_loop_init(&loop, 0);
        pt_loop_use(&loop, &room);
    }
    if (CHOSEN(CLOSED))
        pt_loop_close(&loop);
    else if (!CHOSEN(EMPTY))
        (void)PT_START(&loop, &task, body, .n = 1);
    if (CHOSEN(TURN))
        pt_loop_turn(&loop, 0);
    else
        (void)pt_loop_run(&loop);
    return 0;
}
