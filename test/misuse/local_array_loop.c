/* local_array_loop.c - a local array is filled, one element per iteration, while the loop suspends
 * SPDX-License-Identifier: MIT
 * expect together: uninitialized */
#include <pt/pt.h>

struct body {
    struct pt pt;
    int n;
};

void use(int value);

PT_ASYNC(body, self)
{
    int a[4];

    for (; self->n < 4; self->n++) {
        a[self->n] = self->n;
        PT_YIELD();
    }
    use(a[1]);
}
PT_END
