/* outside_function.c - a suspension in a plain function
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
    self->n = 1;
    PT_YIELD();
}
