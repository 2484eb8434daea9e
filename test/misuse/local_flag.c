/* local_flag.c - a local decides whether the loop continues
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
    bool more = true;

    while (more) {
        PT_YIELD();
        more = self->n-- > 0;
    }
}
PT_END
