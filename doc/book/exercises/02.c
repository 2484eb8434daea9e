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
    static const int expected[] = {1, 2, 3, 2, 1, 2, 3, 2, 1};
    struct wave wave = {{0}, 0};

    for (int i = 0; i < 9; i++) {
        if (!wave_next(&wave)) {
            printf("FAIL: it ended after %d values\n", i);
            return 1;
        }
        if (wave.value != expected[i]) {
            printf("FAIL: value %d is %d, not %d\n", i, wave.value, expected[i]);
            return 1;
        }
        overwrite(3);
    }
    printf("passed\n");
    return 0;
}
