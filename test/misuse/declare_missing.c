/* declare_missing.c - a function is used above its PT_ASYNC, without a PT_DECLARE
 * SPDX-License-Identifier: MIT
 * expect error: child_pt_. (undeclared|was not declared)|undeclared identifier .child_pt_ */
#include <pt/pt.h>

struct child {
    struct pt pt;
    int n;
};

struct body {
    struct pt pt;
    struct child child;
};

PT_ASYNC(body, self)
{
    PT_WAIT_COMPLETE(&self->child, child, .n = 1);
}
PT_END

PT_ASYNC(child, self)
{
    self->n++;
}
PT_END
