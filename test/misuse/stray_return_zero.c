/* stray_return_zero.c - `return 0;` in a body
 * SPDX-License-Identifier: MIT
 * expect error: incompatible (result )?type|could not convert|no viable conversion */
#include <pt/pt.h>

struct body {
    struct pt pt;
    int n;
};

PT_ASYNC(body, self)
{
    PT_YIELD();
    if (self->n > 3)
        return 0;
    PT_YIELD();
}
PT_END
