/* local_struct.c - a local struct is filled before a suspension and read after it
 * SPDX-License-Identifier: MIT
 * expect together: jump to case label|jumps over|cannot jump|uninitialized */
#include <pt/pt.h>

struct body {
    struct pt pt;
    int n;
};

void use(int value);

struct point {
    int x, y;
};

PT_ASYNC(body, self)
{
    struct point p;

    p.x = self->n;
    PT_YIELD();
    use(p.x);
}
PT_END
