/* local_for_outside.c - the counter of a for loop is declared above it, and the loop suspends
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
    int i;

    for (i = 0; i < self->n; i++)
        PT_YIELD();
}
PT_END
