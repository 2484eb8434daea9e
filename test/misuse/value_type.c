/* value_type.c - a value of another type than the channel has
 * SPDX-License-Identifier: MIT
 * expect error: invalid operands|not pointers to compatible types */
#include <pt/pt.h>

static PT_CHANNEL(int) channel;

struct body {
    struct pt pt;
    char letter;
};

PT_ASYNC(body, self)
{
    PT_RECV(&channel, &self->letter);
}
PT_END
