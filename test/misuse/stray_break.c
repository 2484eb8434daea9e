/* stray_break.c - `break` outside any loop of the body
 * SPDX-License-Identifier: MIT
 * expect trap: body.*: break leaves the body */
#include <pt/pt.h>

struct body {
    struct pt pt;
    int n;
};

PT_ASYNC(body, self)
{
    if (self->n)
        break;
    PT_YIELD();
}
PT_END

int main(void)
{
    struct body b;

    PT_INIT(&b, body, .n = 1);
    while (pt_next(&b.pt)) {
    }
    return 0;
}
