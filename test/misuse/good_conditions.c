/* good_conditions.c - the ways to wait for a condition, and until a time
 * SPDX-License-Identifier: MIT
 * expect good: */
#include <pt/pt.h>

struct body {
    struct pt pt;
    struct pt_event *event;
    pt_time strike;
    volatile bool flag;
};

PT_ASYNC(body, self)
{
    PT_WAIT_EVENT(self->event);
    while (!self->flag)
        PT_PARK();
    while (!self->flag)
        PT_WAIT(PT_MS(10));
    PT_WAIT_DEADLINE(self->strike += PT_SEC(1));
    PT_WAIT_DEADLINE(PT_NOW());
}
PT_END
