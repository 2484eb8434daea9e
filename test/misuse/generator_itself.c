/* generator_itself.c - a generator yields from a frame that runs already: its own, or one around it
 * SPDX-License-Identifier: MIT
 * expect trap -DPT_DEBUG=1: PT_YIELD_FROM: the frame runs already, and yields from itself
 * expect trap -DPT_DEBUG=1 -DAROUND: PT_YIELD_FROM: the frame runs already, and yields from itself */
#include <pt/pt.h>

struct body {
    struct pt pt;
    struct body *inner;
};

static struct body levels[3];

PT_ASYNC(body, self)
{
    PT_YIELD();
    PT_YIELD_FROM(self->inner, body, PT_KEEP);
}
PT_END

int main(void)
{
#ifdef AROUND
    levels[0].inner = &levels[1];
    levels[1].inner = &levels[2];
    levels[2].inner = &levels[1];
#else
    levels[0].inner = &levels[0];
#endif
    PT_INIT(&levels[0], body, PT_KEEP);
    for (int i = 0; i < 5; i++)
        pt_next(&levels[0].pt);
    return 0;
}
