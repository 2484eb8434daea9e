/* stray_return_value.c - a body returns a value of its own
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
    return self->n;
}
PT_END
