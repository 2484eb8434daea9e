/* local_for.c - the counter of a for loop is a local, and the loop suspends
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
    for (int i = 0; i < 3; i++)
        PT_YIELD();
}
PT_END
