/* local_struct_copied.c - a local struct is assigned as a whole and passed on after a suspension
 * SPDX-License-Identifier: MIT
 * expect together c: jump to case label|jumps over|cannot jump|uninitialized
 * expect missed c++: uninitialized */
#include <pt/pt.h>

struct body {
    struct pt pt;
    int n;
};

void use(int value);

struct point {
    int x, y;
};

struct point where(void);
void move(struct point p);

PT_ASYNC(body, self)
{
    struct point p;

    p = where();
    PT_YIELD();
    move(p);
}
PT_END
