/* end_missing.c - PT_END is missing, and another function follows
 * SPDX-License-Identifier: MIT
 * expect error: expected .while. (before|in do) */
#include <pt/pt.h>

struct body {
    struct pt pt;
    int n;
};

PT_ASYNC(body, self)
{
    PT_YIELD();
}

int next(void);

int next(void)
{
    return 0;
}
