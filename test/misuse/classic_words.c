/* classic_words.c - words of classic protothreads in a program with <pt/pt.h>
 * SPDX-License-Identifier: MIT
 * expect first -DTHREAD: PT_THREAD_is_classic_use_PT_ASYNC_and_PT_END
 * expect first -DWORD=0: PT_BEGIN: use PT_ASYNC
 * expect first -DWORD=1: PT_EXIT: use PT_RETURN
 * expect first -DWORD=2: PT_RESTART: put a loop around the body
 * expect first -DWORD=3: PT_WAIT_WHILE: use PT_WAIT_EVENT
 * expect first -DWORD=4: PT_YIELD_UNTIL: use PT_WAIT_EVENT
 * expect first -DWORD=5: PT_WAIT_THREAD: use PT_WAIT_COMPLETE
 * expect first -DWORD=6: PT_SCHEDULE_is_classic_use_PT_START_and_pt_loop_turn
 * expect good: */
#include <pt/pt.h>

struct body {
    struct pt pt;
    int n;
};

#if defined(THREAD)
static PT_THREAD(blink(struct pt *pt))
{
    PT_BEGIN(pt);
    PT_END(pt);
}
#else
PT_ASYNC(body, self)
{
#if !defined(WORD)
    PT_YIELD();
#elif WORD == 0
    PT_BEGIN(pt_);
#elif WORD == 1
    PT_EXIT(pt_);
#elif WORD == 2
    PT_RESTART(pt_);
#elif WORD == 3
    PT_WAIT_WHILE(pt_, self->n);
#elif WORD == 4
    PT_YIELD_UNTIL(pt_, self->n);
#elif WORD == 5
    PT_WAIT_THREAD(pt_, child(pt_));
#else
    while (PT_SCHEDULE(child(pt_))) {
    }
#endif
}
PT_END
#endif
