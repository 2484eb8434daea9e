/* generator_wait_complete.c - a generator returns WAIT_COMPLETE, but has no loop
 * SPDX-License-Identifier: MIT
 * expect trap: WAIT_COMPLETE: a generator has no loop */
#include <pt/pt.h>

struct body {
    struct pt pt;
    int n;
};

static struct body other;

PT_ASYNC(body, self)
{
    PT_WAIT_COMPLETE(&other, body);
}
PT_END

int main(void)
{
    struct body b;

    PT_INIT(&b, body);
    pt_next(&b.pt);
    return 0;
}
