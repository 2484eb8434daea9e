/* generator_timeout.c - a generator opens a block that only a loop could end
 * SPDX-License-Identifier: MIT
 * expect trap: PT_WITH_...: a generator has no loop */
#include <pt/pt.h>

struct body {
    struct pt pt;
    struct pt_scope limit;
};

PT_ASYNC(body, self)
{
    PT_WITH_TIMEOUT(&self->limit, PT_SEC(1)) {
        PT_YIELD();
    }
}
PT_END

int main(void)
{
    struct body b;

    PT_INIT(&b, body, .limit.state = 0);
    pt_next(&b.pt);
    return 0;
}
