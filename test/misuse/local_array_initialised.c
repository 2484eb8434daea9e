/* local_array_initialised.c - an initialized local array is read after a suspension
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
    int a[4] = {1, 2, 3, 4};

    PT_YIELD();
    use(a[self->n]);
}
PT_END
