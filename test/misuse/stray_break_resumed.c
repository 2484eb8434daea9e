/* stray_break_resumed.c - `break` outside any loop, after a suspension
 * SPDX-License-Identifier: MIT
 * expect trap: body.*: break leaves the body */
#include <pt/pt.h>

struct body {
    struct pt pt;
    int n;
};

PT_ASYNC(body, self)
{
    PT_YIELD();
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
