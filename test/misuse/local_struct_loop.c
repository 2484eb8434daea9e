/* local_struct_loop.c - a field of a local struct is written in a loop that suspends
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
    struct {
        int x, y;
    } s;

    for (; self->n < 4; self->n++) {
        s.x = self->n;
        PT_YIELD();
    }
    use(s.x);
}
PT_END
