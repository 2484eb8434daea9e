/* frame_below.c - a frame holds the task of a struct that is defined below it
 * SPDX-License-Identifier: MIT
 * expect error: has incomplete type */
#include <pt/pt.h>

struct body {
    struct pt pt;
    PT_TASK(child) child;
};

struct child {
    struct pt pt;
    int n;
};

PT_DECLARE(child);

PT_ASYNC(body, self)
{
    PT_SPAWN(&self->child, child, .n = 1);
}
PT_END
