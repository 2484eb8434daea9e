/* switch_finally.c - PT_FINALLY in a switch of the user
 * SPDX-License-Identifier: MIT
 * expect error: changes value from|overflow|narrow */
#include <pt/pt.h>

struct body {
    struct pt pt;
    int n;
};

PT_ASYNC(body, self)
{
    switch (self->n) {
    case 9: break;
    default: ;
        PT_FINALLY
            self->n = 0;
    }
}
PT_END
