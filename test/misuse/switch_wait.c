/* switch_wait.c - a PT_WAIT in a switch of the user
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
    default: PT_WAIT(PT_MS(1));
    }
}
PT_END
