/* time_back.c - a counter of 16 bits as a time of 32: it goes back when it wraps
 * SPDX-License-Identifier: MIT
 * expect trap -DPT_DEBUG=1 -DPT_TIME_BITS=32: pt_loop_turn: the time went back: a counter must wrap at PT_TIME_BITS bits
 * expect trap -DPT_DEBUG=1 -DPT_TIME_BITS=32 -DPT_ALL=0: pt_loop_turn: the time went back: a counter must wrap at PT_TIME_BITS bits
 * expect output -DPT_DEBUG=1 -DPT_TIME_BITS=16: ^1
 * expect output -DPT_DEBUG=1 -DPT_TIME_BITS=16 -DPARKED: ^0
 * expect output -DPT_TIME_BITS=32: ^0 */
#include <pt/pt.h>
#include <stdio.h>

struct body {
    struct pt pt;
};

static int woken;
static struct pt_loop loop;
static PT_LOOP_STORAGE(4) room;
static PT_TASK(body) task;

PT_ASYNC(body, self)
{
#if defined(PARKED)
    PT_PARK(); /* for longer than half of the range: no timer can be confused by that */
#endif
    PT_WAIT(PT_MS(2000));
    woken++;
}
PT_END

int main(void)
{
    uint16_t counter = 65000;

    pt_loop_init(&loop, counter);
    pt_loop_use(&loop, &room);
    (void)PT_START(&loop, &task, body);
    pt_loop_turn(&loop, counter);
#if defined(PARKED)
    counter = (uint16_t)(counter + 50000);
#else
    counter = (uint16_t)(counter + 3000);
#endif
    pt_loop_turn(&loop, counter);
    printf("%d\n", woken);
    return 0;
}
