/* works_line.c - two suspensions on one line: not a mistake, unless labels are line numbers
 * SPDX-License-Identifier: MIT
 * expect output: ^2 2$
 * expect error -DPT_COUNTER_=0: duplicate case|redefinition of|previously used */
#include <pt/pt.h>
#include <stdio.h>

struct body {
    struct pt pt;
    int n;
};

PT_ASYNC(body, self)
{
    PT_YIELD(); self->n++; PT_YIELD(); self->n++;
}
PT_END

int main(void)
{
    struct body b;
    int yields = 0;

    PT_INIT(&b, body, .n = 0);
    while (pt_next(&b.pt))
        yields++;
    printf("%d %d\n", yields, b.n);
    return 0;
}
