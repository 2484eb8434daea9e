/* value_const.c - a value is received into a constant
 * SPDX-License-Identifier: MIT
 * expect error: array is negative|size is negative|static_cast */
#include <pt/pt.h>

static PT_CHANNEL(int) channel;

static const int limit = 3;

struct body {
    struct pt pt;
    int n;
};

PT_ASYNC(body, self)
{
    PT_RECV(&channel, &limit);
}
PT_END
