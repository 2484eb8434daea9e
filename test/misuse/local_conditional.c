/* local_conditional.c - a local is used after a suspension that only one branch has
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

    if (self->n > 3)
        PT_YIELD();
    use(x);
}
PT_END
