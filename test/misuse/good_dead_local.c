/* good_dead_local.c - a local that is used up before the first suspension
 * SPDX-License-Identifier: MIT
 * expect good: */
#include <pt/pt.h>

struct body {
    struct pt pt;
    int total;
};

int measure(int n);

PT_ASYNC(body, self)
{
    int first;

    first = measure(1); /* assigned, not initialized: a label may stand behind it */
    self->total = first * first;
    {
        int second = measure(2);

        self->total += second * second;
    }
    PT_YIELD();
    self->total++;

    PT_FINALLY
    self->total = 0;
}
PT_END
