/* semicolon_missing.c - no semicolon after a suspension
 * SPDX-License-Identifier: MIT
 * expect error: expected .;. (before|after) */
#include <pt/pt.h>

struct body {
    struct pt pt;
    int n;
};

/* clang-format off */
PT_ASYNC(body, self)
{
    PT_YIELD()
    self->n++;
}
PT_END
