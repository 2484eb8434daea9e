/* local_conditional_assigned.c - a local, assigned, is used after a suspension that one branch has
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
    if (self->n > 3)
        PT_YIELD();
    use(x);
}
PT_END
