/* value_direct.c - a channel is given a value in place of its address
 * SPDX-License-Identifier: MIT
 * expect error: invalid type argument of unary|indirection requires|invalid .static_cast|cannot cast */
#include <pt/pt.h>

static PT_CHANNEL(int) channel;

struct body {
    struct pt pt;
    int n;
};

PT_ASYNC(body, self)
{
    PT_SEND(&channel, self->n);
}
PT_END
