/* local_accumulator_assigned.c - a sum, zero by assignment, is kept while the loop suspends
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
    int sum;

    sum = 0;
    for (; self->n > 0; self->n--) {
        sum += self->n;
        PT_YIELD();
    }
    use(sum);
}
PT_END
