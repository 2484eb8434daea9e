/* detached.c - a call that never returns: its task leaves it, and the program ends
 * SPDX-License-Identifier: MIT
 *
 * What to notice:
 *   - The call goes on in a thread of its own, so what it uses is its own: a copy on the heap.
 *   - A call of pt_blocking would hold the task, and the loop, until it returns. */
#include <pt/host.h>

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* As a name service that does not answer. */
static void ask(void *seconds)
{
    sleep(*(unsigned *)seconds);
    free(seconds);
}

struct caller {
    struct pt pt;
    unsigned *seconds;
    struct pt_scope limit;
    struct pt_detached call;
};

static PT_ASYNC(caller, self)
{
    self->seconds = (unsigned *)malloc(sizeof *self->seconds);
    if (!self->seconds)
        PT_RETURN(PT_ENOMEM);
    *self->seconds = 1000;
    PT_WITH_TIMEOUT(&self->limit, PT_MS(20)) {
        PT_WAIT_COMPLETE(&self->call, pt_detached, .work = ask, .argument = self->seconds);
    }
    puts(pt_timed_out(&self->limit) ? "no answer" : "an answer");
    PT_FINALLY
    if (!self->call.begun)
        free(self->seconds);
}
PT_END

int main(void)
{
    static PT_TASK(caller) caller;
    struct pt_system sys;
    struct pt_loop loop;

    if (pt_system_open(&sys, &loop, NULL) != PT_OK)
        return 1;
    PT_START(&loop, &caller, caller);
    pt_loop_run(&loop);
    pt_system_close(&sys);
    return 0;
}
