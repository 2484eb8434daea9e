/* storage_changes.c - an expression for a storage that is another one at each evaluation
 * SPDX-License-Identifier: MIT
 * expect output: ^started$
 * expect trap -DPT_DEBUG=1: PT_INIT, or a start or an await: an argument has a side effect, and is evaluated several times */
#include <pt/pt.h>
#include <stdio.h>

struct body {
    struct pt pt;
    int n;
};

static PT_TASK(body) tasks[9];
static int used;

PT_ASYNC(body, self)
{
    PT_PARK();
}
PT_END

static struct body *next_frame(void)
{
    return &tasks[used++].frame;
}

int main(void)
{
    PT_INIT(next_frame(), body, .n = 1);
    printf("started\n");
    return 0;
}
