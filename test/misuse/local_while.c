/* local_while.c - a local declared above an endless loop is used in it, after the suspension
 * SPDX-License-Identifier: MIT
 * expect together: jump to case label|jumps over|cannot jump|uninitialized */
#include <pt/pt.h>

struct body {
    struct pt pt;
    int n;
};

void use(int value);

PT_ASYNC(body, self)
{
    int x = self->n;

    for (;;) {
        PT_YIELD();
        use(x++);
    }
}
PT_END
