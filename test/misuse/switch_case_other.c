/* switch_case_other.c - a suspension in a switch in which no case equals a label
 * SPDX-License-Identifier: MIT
 * expect error: changes value from|overflow|narrow */
#include <pt/pt.h>

struct body {
    struct pt pt;
    int n;
};

PT_ASYNC(body, self)
{
    switch (self->n) {
    case 200: break;
    default:
        self->n = 0;
        PT_YIELD();
    }
    PT_YIELD();
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
