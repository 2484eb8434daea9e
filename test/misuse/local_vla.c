/* local_vla.c - a local array of variable length is used after a suspension
 * SPDX-License-Identifier: MIT
 * expect error c: variably modified|variable length array */
#include <pt/pt.h>

struct body {
    struct pt pt;
    int n;
};

void use(int value);

PT_ASYNC(body, self)
{
    int a[self->n];

    a[0] = self->n;
    PT_YIELD();
    use(a[0]);
}
PT_END
