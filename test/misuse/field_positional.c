/* field_positional.c - a field of the started function is not named, as an argument of a call is not
 * SPDX-License-Identifier: MIT
 * expect error -DIN=&self->in: invalid operands|no match for
 * expect error -DIN=self->n: expected */
#include <pt/pt.h>

struct child {
    struct pt pt;
    int *in;
    int n;
};

PT_DECLARE(child);

struct body {
    struct pt pt;
    int in, n;
    struct child child;
};

PT_ASYNC(body, self)
{
    PT_WAIT_COMPLETE(&self->child, child, IN);
}
PT_END
