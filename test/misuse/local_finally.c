/* local_finally.c - a local is used in PT_FINALLY, which can be reached from anywhere
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

    use(x);
    PT_FINALLY
        use(x);
}
PT_END
