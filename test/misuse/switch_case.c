/* switch_case.c - a suspension in a switch of the user
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
    case 5: break;
    case 100: PT_YIELD(); break;
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
