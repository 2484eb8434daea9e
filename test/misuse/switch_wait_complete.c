/* switch_wait_complete.c - a PT_WAIT_COMPLETE in a switch of the user
 * SPDX-License-Identifier: MIT
 * expect error: changes value from|overflow|narrow */
#include <pt/pt.h>

struct sub {
    struct pt pt;
};

static struct sub sub_frame;
PT_DECLARE(sub);

struct body {
    struct pt pt;
    int n;
};

PT_ASYNC(body, self)
{
    switch (self->n) {
    case 9: break;
    default: PT_WAIT_COMPLETE(&sub_frame, sub);
    }
}
PT_END
