/* generator_wait.c - a generator returns WAIT, but has no loop
 * SPDX-License-Identifier: MIT
 * expect trap: WAIT: a generator has no loop */
#include <pt/pt.h>

struct body {
    struct pt pt;
    int n;
};

PT_ASYNC(body, self)
{
    PT_WAIT(PT_MS(1));
}
PT_END

int main(void)
{
    struct body b;

    PT_INIT(&b, body);
    pt_next(&b.pt);
    return 0;
}
