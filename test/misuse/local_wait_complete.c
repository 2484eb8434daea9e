/* local_wait_complete.c - a local is used after a PT_WAIT_COMPLETE
 * SPDX-License-Identifier: MIT
 * expect together: jump to case label|jumps over|cannot jump|uninitialized */
#include <pt/pt.h>

struct body {
    struct pt pt;
    int n;
};

void use(int value);

struct sub {
    struct pt pt;
    int n;
};

static struct sub sub_frame;
PT_DECLARE(sub);

PT_ASYNC(body, self)
{
    int x = self->n;

    PT_WAIT_COMPLETE(&sub_frame, sub, .n = x);
    use(x);
}
PT_END
