/* flags_mask_zero.c - a task waits for any of no flags
 * SPDX-License-Identifier: MIT
 * expect trap -DPT_DEBUG=1: PT_WAIT_FLAGS: the mask is 0: no bit can end the wait
 * expect output -DPT_DEBUG=1 ALL: all of no bits */
#include <pt/posix.h>
#include <stdio.h>
#include "chosen.h"

static struct pt_flags flags;

struct body {
    struct pt pt;
    struct pt_flags_wanted wanted;
    unsigned how;
};

PT_ASYNC(body, self)
{
    PT_WAIT_FLAGS(&flags, &self->wanted, 0, self->how);
    printf("all of no bits\n");
}
PT_END

int main(int argc, char **argv)
{
    static PT_TASK(body) task;
    struct pt_loop loop;

    choose(argc, argv);
    pt_flags_init(&flags);
    pt_loop_open(&loop, &pt_posix);
    (void)PT_START(&loop, &task, body, .how = CHOSEN(ALL) ? PT_FLAGS_ALL : PT_FLAGS_ANY);
    (void)pt_loop_run(&loop);
    return 0;
}
