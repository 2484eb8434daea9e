/* local_array_initialised_address.c - an initialized local array is passed on after a suspension
 * SPDX-License-Identifier: MIT
 * expect together: jump to case label|jumps over|cannot jump|uninitialized */
#include <pt/pt.h>

struct body {
    struct pt pt;
    int n;
};

void use(int value);
void fill(char *line);

PT_ASYNC(body, self)
{
    char line[8] = "";

    fill(line);
    PT_YIELD();
    fill(line);
}
PT_END
