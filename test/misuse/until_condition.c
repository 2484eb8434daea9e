/* until_condition.c - PT_WAIT_UNTIL of classic protothreads: a condition that nothing looks at again
 * SPDX-License-Identifier: MIT
 * expect error: for a condition use PT_WAIT_EVENT, or PT_PARK in a loop and pt_wake; for a time use PT_WAIT_DEADLINE */
#include <pt/pt.h>

struct body {
    struct pt pt;
    bool flag;
};

PT_ASYNC(body, self)
{
    PT_WAIT_UNTIL(self->flag);
}
PT_END
