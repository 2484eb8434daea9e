/* A wave: 1 2 3 2 1 2 3 2 ... Write the body of `wave`, with loops and PT_YIELD(). */
#include "pt.h"
#include <stdio.h>

struct wave {
    struct pt pt;
    int value;
};

static PT_ASYNC(wave, self)
{
#ifdef SOLUTION
    for (;;) {
        for (self->value = 1; self->value < 3; self->value++)
            PT_YIELD();
        for (; self->value > 1; self->value--)
            PT_YIELD();
    }
#else
    /* your code */
    (void)self;
#endif
}
PT_END

/* --- the test: leave it as it is --- */

/* A local of the body lived in this memory. */
static int overwrite(int depth)
{
    volatile int block[64];

    for (int i = 0; i < 64; i++)
        block[i] = 7;
    return block[depth];
}

int main(void)
{
    static const int expected[] = {1, 2, 3, 2, 1, 2, 3, 2, 1, 2, 3};
    struct wave waves[] = {{{0}, 0}, {{0}, 0}};

    for (int i = 0; i < 11; i++)
        for (int which = 0; which < 2 && i >= 2 * which; which++) { /* the second wave is two values behind */
            int at = i - 2 * which;

            if (!wave_next(&waves[which])) {
                printf("FAIL: wave %d ended after %d values\n", which + 1, at);
                return 1;
            }
            if (waves[which].value != expected[at]) {
                printf("FAIL: wave %d: value %d is %d, not %d\n", which + 1, at, waves[which].value, expected[at]);
                return 1;
            }
            overwrite(3);
        }
    printf("passed\n");
    return 0;
}
