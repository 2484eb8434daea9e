/* yield_value.c - a generator passes its value to PT_YIELD
 * SPDX-License-Identifier: MIT
 * expect error: takes just 0|too many arguments provided */
#include <pt/pt.h>

struct body {
    struct pt pt;
    int n;
};

PT_ASYNC(body, self)
{
    for (; self->n < 10; self->n++)
        PT_YIELD(self->n);
}
PT_END
