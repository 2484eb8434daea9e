/* stray_continue.c - `continue` outside any loop of the body ends it, like its last brace
 * SPDX-License-Identifier: MIT
 * expect output: ^1 ended with PT_OK$ */
#include <pt/pt.h>
#include <stdio.h>

struct body {
    struct pt pt;
    int n;
};

PT_ASYNC(body, self)
{
    PT_YIELD();
    if (self->n)
        continue;
    PT_YIELD();
}
PT_END

int main(void)
{
    struct body b;
    int yields = 0;

    PT_INIT(&b, body, .n = 1);
    while (pt_next(&b.pt))
        yields++;
    printf("%d ended with %s\n", yields, pt_status_name(b.pt.status));
    return 0;
}
