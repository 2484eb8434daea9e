/* turn_nested.c - a task runs a turn of the loop that runs it
 * SPDX-License-Identifier: MIT
 * expect trap -DPT_DEBUG=1: pt_loop_turn: called from a task of the same loop */
#include <pt/pt.h>

struct body {
    struct pt pt;
    int n;
};

static struct pt_loop loop;
static PT_LOOP_STORAGE(4) room;
static PT_TASK(body) task;

PT_ASYNC(body, self)
{
    pt_loop_turn(&loop, 0);
}
PT_END

int main(void)
{
    pt_loop_init(&loop, 0);
    pt_loop_use(&loop, &room);
    (void)PT_START(&loop, &task, body);
    pt_loop_turn(&loop, 0);
    return 0;
}
