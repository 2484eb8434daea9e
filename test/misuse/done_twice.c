/* done_twice.c - foreign code calls back again; a wait for it without a start, or in a generator
 * SPDX-License-Identifier: MIT
 * By the second call the frame may be that of another function.
 * expect trap -DPT_DEBUG=1 SOON: pt_foreign_done: it is done already
 * expect trap -DPT_DEBUG=1 LATE: pt_foreign_done: it is done already
 * expect trap NO_START: pt_foreign: it has no .start
 * expect trap GENERATOR: pt_foreign: a generator cannot wait for foreign code
 * expect output -DPT_DEBUG=1: ^done$ */
#include <pt/posix.h>
#include <stdio.h>
#include "chosen.h"

static struct pt_foreign *asked;

static void begin(struct pt_foreign *asking)
{
    asked = asking;
    pt_foreign_done(asking, PT_OK);
    if (CHOSEN(SOON))
        pt_foreign_done(asking, PT_OK);
}

struct asker {
    struct pt pt;
    struct pt_foreign asking;
};

PT_ASYNC(asker, self)
{
    PT_WAIT_COMPLETE(&self->asking, pt_foreign, .start = CHOSEN(NO_START) ? NULL : begin);
    if (CHOSEN(LATE))
        pt_foreign_done(asked, PT_OK);
    puts("done");
}
PT_END

int main(int argc, char **argv)
{
    static PT_TASK(asker) task;
    static struct asker generator;
    struct pt_loop loop;

    choose(argc, argv);
    if (CHOSEN(GENERATOR)) {
        PT_INIT(&generator, asker);
        (void)pt_next(&generator.pt);
    }
    pt_loop_open(&loop, &pt_posix);
    (void)PT_START(&loop, &task, asker);
    (void)pt_loop_run(&loop);
    pt_loop_close(&loop);
    return 0;
}
