/* blink.c - a classic thread that does not know of the loop, and the function that its task calls
 * SPDX-License-Identifier: MIT */
#include "pt.h"
#include "adapted.h"

int blink_go;
static struct pt blink_pt;
void *const blink_state = &blink_pt;

static PT_THREAD(blink(struct pt *pt))
{
    PT_BEGIN(pt);
    PT_WAIT_UNTIL(pt, blink_go > 0);
    PT_YIELD(pt);
    PT_WAIT_WHILE(pt, blink_go == 1);
    if (blink_go == 2)
        PT_EXIT(pt);
    PT_END(pt);
}

char blink_step(void *state)
{
    return blink((struct pt *)state);
}
