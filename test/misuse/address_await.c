/* address_await.c - PT_WAIT_COMPLETE with a frame in place of its address
 * SPDX-License-Identifier: MIT
 * expect error: incompatible type|invalid type argument|indirection requires|cannot convert|no viable conversion|operand of type */
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
    PT_WAIT_COMPLETE(self->child, child, .n = 1);
}
PT_END
