/* outside_wait.c - a PT_WAIT in a plain function
 * SPDX-License-Identifier: MIT
 * expect error: pt_suspension_outside_PT_ASYNC */
#include <pt/pt.h>

struct body {
    struct pt pt;
    int n;
};

void helper(struct body *self);

void helper(struct body *self)
{
    PT_WAIT((pt_time)self->n);
}
