/* local_assigned.c - a local that was assigned is used after a suspension
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
    int x;

    x = self->n;
    PT_YIELD();
    use(x);
}
PT_END
