/* local_accumulator.c - a sum is kept in a local while the loop suspends
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
    int sum = 0;

    for (; self->n > 0; self->n--) {
        sum += self->n;
        PT_YIELD();
    }
    use(sum);
}
PT_END
