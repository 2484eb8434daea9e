/* switch_equal_label.c - a case of the user switch has the number of a label
 * SPDX-License-Identifier: MIT
 * expect error: changes value from|overflow|narrow */
#include <pt/pt.h>

struct body {
    struct pt pt;
    int n;
};

PT_ASYNC(body, self)
{
    PT_YIELD();
    switch (self->n) {
    case 1: self->n = 0; break;
    case 2: PT_YIELD(); break;
    default: break;
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
