/* address_spawn.c - PT_SPAWN with a task in place of its address
 * SPDX-License-Identifier: MIT
 * expect error: invalid type argument of .->|non-pointer type|is not a pointer */
#include <pt/pt.h>

struct child {
    struct pt pt;
    int n;
};

PT_DECLARE(child);

struct body {
    struct pt pt;
    PT_TASK(child) child;
};

PT_ASYNC(body, self)
{
    PT_SPAWN(self->child, child, .n = 1);
}
PT_END
