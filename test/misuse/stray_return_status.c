/* stray_return_status.c - a body returns a code without PT_RETURN
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
    return PT_ENOMEM;
}
PT_END
