/* local_wait.c - a local is used after a PT_WAIT
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

    PT_WAIT(PT_MS(5));
    use(x);
}
PT_END
