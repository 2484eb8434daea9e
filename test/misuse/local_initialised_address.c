/* local_initialised_address.c - the address of an initialized local is passed after a suspension
 * SPDX-License-Identifier: MIT
 * expect together: jump to case label|jumps over|cannot jump|uninitialized */
#include <pt/pt.h>

struct body {
    struct pt pt;
    int n;
};

void use(int value);
void fill(int *value);

PT_ASYNC(body, self)
{
    int x = self->n;

    fill(&x);
    PT_YIELD();
    fill(&x);
    use(x);
}
PT_END
