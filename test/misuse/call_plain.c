/* call_plain.c - a body is called like a function
 * SPDX-License-Identifier: MIT
 * expect warning: implicit|no matching (function|conversion) */
#include <pt/pt.h>

struct child {
    struct pt pt;
    int n;
};

PT_DECLARE(child);

struct body {
    struct pt pt;
    struct child child;
};

PT_ASYNC(body, self)
{
    child(&self->child);
}
PT_END
