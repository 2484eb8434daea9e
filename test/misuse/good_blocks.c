/* good_blocks.c - blocks with timeouts, in every place where they are allowed
 * SPDX-License-Identifier: MIT
 * expect good: no diagnostic
 * expect good -DPT_DEBUG=1: no diagnostic
 * expect good -DPT_COUNTER_=0: no diagnostic */
#include <pt/pt.h>

struct body {
    struct pt pt;
    struct pt_scope a, b;
    pt_time deadline;
    int n;
};

PT_DECLARE(body);

PT_ASYNC(body, self)
{
    PT_WITH_TIMEOUT(&self->a, PT_SEC(1)) {
    }
    for (self->n = 0; self->n < 3; self->n++)
        PT_WITH_TIMEOUT(&self->a, PT_SEC(1))
            PT_WITH_DEADLINE(&self->b, self->deadline) {
                if (self->n == 1)
                    break;
                if (self->n == 2)
                    continue;
                PT_REARM(&self->a, PT_MS(1));
                PT_WAIT(PT_MS(1));
            }
    if (pt_timed_out(&self->a)) {
        PT_WITH_TIMEOUT(&self->b, PT_DELAY_NEVER)
            PT_PARK();
    } else {
        PT_WITH_TIMEOUT(&self->b, PT_MS(2)) {
            switch (self->n) {
            case 1: self->n = 2; break;
            default: PT_RETURN(PT_EINVAL);
            }
        }
    }
    PT_FINALLY
    PT_WITH_TIMEOUT(&self->b, PT_MS(2)) {
        while (self->n--)
            PT_YIELD();
    }
}
PT_END
