/* local_timeout.c - a local is used after a block that may time out
 * SPDX-License-Identifier: MIT
 * expect together: jump to case label|jumps over|cannot jump|uninitialized */
#include <pt/pt.h>

struct body {
    struct pt pt;
    struct pt_scope limit;
    int n;
};

void use(int value);
void work(void);

PT_ASYNC(body, self)
{
    int x = self->n;

    PT_WITH_TIMEOUT(&self->limit, PT_MS(5)) {
        work();
    }
    use(x);
}
PT_END
