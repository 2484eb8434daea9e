/* good_locals_last.c - a local after the last suspension needs no block of its own
 * SPDX-License-Identifier: MIT
 * expect good: no diagnostic */
#include <pt/pt.h>

struct body {
    struct pt pt;
    int n;
};

int measure(void);
void use(int value);

PT_ASYNC(body, self)
{
    for (; self->n > 0; self->n--)
        PT_WAIT(PT_MS(1));
    PT_YIELD();
    int total = measure();

    for (int i = 0; i < total; i++)
        use(i);
}
PT_END
