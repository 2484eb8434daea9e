/* local_array.c - a local array is filled before a suspension and read after it
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
    int a[4];

    a[0] = self->n;
    PT_YIELD();
    use(a[0]);
}
PT_END
