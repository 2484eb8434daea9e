/* good_hundred.c - a body with a hundred suspensions
 * SPDX-License-Identifier: MIT
 * expect good: no diagnostic */
#include <pt/pt.h>

struct body {
    struct pt pt;
    int n;
};

/* clang-format off */
#define Y10 PT_YIELD(); PT_YIELD(); PT_YIELD(); PT_YIELD(); PT_YIELD(); \
            PT_YIELD(); PT_YIELD(); PT_YIELD(); PT_YIELD(); PT_YIELD();

PT_ASYNC(body, self)
{
    while (self->n-- > 0) {
        Y10 Y10 Y10 Y10 Y10
        if (self->n == 3) {
            Y10 Y10 Y10 Y10 Y10
        }
    }
}
PT_END
