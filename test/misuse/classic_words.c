/* classic_words.c - words of classic protothreads in a program with <pt/pt.h>
 * SPDX-License-Identifier: MIT
 * expect first -DTHREAD: PT_THREAD_is_classic_use_PT_ASYNC_and_PT_END
 * expect first -DPT_MISUSE=PT_BEGIN(pt_): PT_BEGIN: use PT_ASYNC
 * expect first -DPT_MISUSE=PT_EXIT(pt_): PT_EXIT: use PT_RETURN
 * expect first -DPT_MISUSE=PT_RESTART(pt_): PT_RESTART: put a loop around the body
 * expect first -DPT_MISUSE=PT_WAIT_WHILE(pt_,self->n): PT_WAIT_WHILE: use PT_WAIT_EVENT
 * expect first -DPT_MISUSE=PT_YIELD_UNTIL(pt_,self->n): PT_YIELD_UNTIL: use PT_WAIT_EVENT
 * expect first -DPT_MISUSE=PT_WAIT_THREAD(pt_,child(pt_)): PT_WAIT_THREAD: use PT_WAIT_COMPLETE
 * expect first -DPT_MISUSE=while(PT_SCHEDULE(child(pt_))){}: PT_SCHEDULE_is_classic_use_PT_START
 * expect good -DPT_MISUSE=: */
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
    PT_MISUSE;
    PT_YIELD();
}
PT_END
#endif
