/* switch_loop.c - a suspension in a loop in a switch in a loop
 * SPDX-License-Identifier: MIT
 * expect error: changes value from|overflow|narrow */
#include <pt/pt.h>

struct body {
    struct pt pt;
    int n;
};

PT_ASYNC(body, self)
{
    for (;;) {
        switch (self->n) {
        case 9: break;
        default:
            while (self->n > 0)
                PT_YIELD();
        }
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
