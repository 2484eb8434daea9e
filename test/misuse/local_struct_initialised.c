/* local_struct_initialised.c - an initialized local struct is read after a suspension
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
    struct point p = {1, 2};

    PT_YIELD();
    use(p.x);
}
PT_END
