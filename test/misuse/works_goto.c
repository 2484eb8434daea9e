/* works_goto.c - a goto back across a suspension: not a mistake, it works
 * SPDX-License-Identifier: MIT
 * expect output: ^3$ */
#include <pt/pt.h>
#include <stdio.h>

struct body {
    struct pt pt;
    int n;
};

PT_ASYNC(body, self)
{
again:
    PT_YIELD();
    if (self->n-- > 1)
        goto again;
}
PT_END

int main(void)
{
    struct body b;
    int yields = 0;

    PT_INIT(&b, body, .n = 3);
    while (pt_next(&b.pt))
        yields++;
    printf("%d\n", yields);
    return 0;
}
