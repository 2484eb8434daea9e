/* good_delays.c - not a mistake: a delay that a lambda or a statement computes, and PT_RETURN in a statement
 * SPDX-License-Identifier: MIT
 * expect good: no diagnostic */
#include <pt/pt.h>

struct body {
    struct pt pt;
    struct pt_scope limit;
    pt_time delay;
};

PT_ASYNC(body, self)
{
    PT_WAIT(__extension__({
        pt_time twice = self->delay;

        twice * 2;
    }));
    if (__extension__({
            if (self->delay > PT_SEC(1))
                PT_RETURN(PT_ERANGE);
            self->delay != 0;
        }))
        PT_WAIT(PT_MS(__extension__({ 1 + 1; })));
    PT_WITH_TIMEOUT(&self->limit, PT_MS(__extension__({ 1 + 1; }))) {
        PT_PARK();
    }
#ifdef __cplusplus
    PT_WAIT([] { return PT_MS(1); }());
    PT_PARK_FOR([&] { return 2 * self->delay; }());
    PT_WITH_TIMEOUT(&self->limit, [&] { return self->delay + PT_MS(1); }()) {
        PT_PARK();
    }
#endif
}
PT_END
