/* good_flow.c - nested loops, break and continue, if and else without braces
 * SPDX-License-Identifier: MIT
 * expect good: no diagnostic */
#include <pt/pt.h>

struct body {
    struct pt pt;
    int i, j;
    bool loud;
};

struct sub {
    struct pt pt;
};

static struct sub frame;
PT_DECLARE(sub);

PT_ASYNC(body, self)
{
    if (self->loud)
        PT_YIELD();
    if (self->loud)
        PT_YIELD();
    else
        PT_WAIT(PT_MS(1));
    if (self->i == 1)
        PT_YIELD();
    else if (self->i == 2)
        PT_WAIT_COMPLETE(&frame, sub);
    else if (self->i == 3)
        PT_TRY(&frame, sub);
    else
        PT_RETURN(PT_EINVAL);
    for (self->i = 0; self->i < 3; self->i++) {
        for (self->j = 0; self->j < 3; self->j++) {
            if (self->i == self->j)
                continue;
            if (self->j == 2)
                break;
            PT_YIELD();
        }
        do
            PT_PARK();
        while (self->j-- > 0);
        if (self->loud)
            break;
    }
again:
    while (self->i-- > 0)
        PT_YIELD();
    if (self->loud) {
        self->loud = false;
        goto again;
    }
    for (;;)
        PT_PARK();
}
PT_END
