/* switch_unsigned.c - a suspension in a switch on an unsigned
 * SPDX-License-Identifier: MIT
 * expect error: changes value from|overflow|narrow */
#include <pt/pt.h>

struct body {
    struct pt pt;
    int n;
};

PT_ASYNC(body, self)
{
    switch ((unsigned)self->n) {
    case 9: break;
    default: PT_YIELD();
    }
}
PT_END

int main(void)
{
    struct body b;

    PT_INIT(&b, body, .n = 100);
    while (pt_next(&b.pt)) {
    }
    return 0;
}
