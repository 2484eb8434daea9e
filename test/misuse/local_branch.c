/* local_branch.c - a local of a branch is used after a suspension in the branch
 * SPDX-License-Identifier: MIT
 * expect together: jump to case label|jumps over|cannot jump|uninitialized */
#include <pt/pt.h>

struct body {
    struct pt pt;
    int n;
};

void use(int value);

PT_ASYNC(body, self)
{
    if (self->n > 3) {
        int x = self->n;

        PT_YIELD();
        use(x);
    }
}
PT_END
