/* stray_return.c - `return;` in a body
 * SPDX-License-Identifier: MIT
 * expect error: with no value|should return a value|non-void function */
#include <pt/pt.h>

struct body {
    struct pt pt;
    int n;
};

PT_ASYNC(body, self)
{
    PT_YIELD();
    if (self->n > 3)
        return;
    PT_YIELD();
}
PT_END
