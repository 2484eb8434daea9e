/* finally_loop.c - PT_FINALLY in a loop: the cleanup would run in each round
 * SPDX-License-Identifier: MIT
 * expect output: ^2 cleanups$
 * expect trap -DPT_DEBUG=1: body.*: PT_FINALLY is in a loop: put it at the end of the body */
#include <pt/pt.h>
#include <stdio.h>

struct body {
    struct pt pt;
    int n, cleanups;
};

PT_ASYNC(body, self)
{
    for (self->n = 0; self->n < 2; self->n++) {
        PT_YIELD();
        PT_FINALLY
        self->cleanups++;
    }
}
PT_END

int main(void)
{
    struct body b;

    PT_INIT(&b, body, .cleanups = 0);
    while (pt_next(&b.pt)) {
    }
    printf("%d cleanups\n", b.cleanups);
    return 0;
}
