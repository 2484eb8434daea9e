/* generator_wait_complete.c - a generator returns WAIT_COMPLETE, but has no loop
 * SPDX-License-Identifier: MIT
 * expect trap -DPT_SUBGENERATORS=0: WAIT_COMPLETE: a generator has no loop
 * expect trap: WAIT: a generator has no loop */
#include <pt/pt.h>

struct body {
    struct pt pt;
    int n;
};

static struct body other;

PT_ASYNC(body, self)
{
    if (self->n)
        PT_WAIT_COMPLETE(&other, body, .n = 0);
    PT_WAIT(PT_MS(1));
}
PT_END

int main(void)
{
    struct body b;

    PT_INIT(&b, body, .n = 1);
    pt_next(&b.pt);
    return 0;
}
