/* local_passed_twice.c - a local array is filled by a function, and filled on after a suspension
 * SPDX-License-Identifier: MIT
 * expect missed: jump to case label|jumps over|cannot jump|uninitialized */
#include <pt/pt.h>

struct body {
    struct pt pt;
    int n;
};

void use(int value);
void fill(char *line);

PT_ASYNC(body, self)
{
    char line[8];

    fill(line);
    PT_YIELD();
    fill(line);
}
PT_END
