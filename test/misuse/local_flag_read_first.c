/* local_flag_read_first.c - a local is tested at the head of a loop that suspends further down
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
    bool first;

    first = true;
    while (self->n-- > 0) {
        if (!first)
            use(self->n);
        first = false;
        PT_YIELD();
    }
}
PT_END
