/* urgent.c - what the example in the head of run/urgent.h needs: another ready queue than core.c's
 * SPDX-License-Identifier: MIT */
#define PT_READY PT_READY_URGENT
#include <pt/pt.h>

static struct pt_loop loop;

struct brake {
    struct pt pt;
};

static PT_ASYNC(brake, self)
{
    PT_PARK();
}
PT_END

void head_of_urgent(void);
void head_of_urgent(void)
{
    static PT_TASK(brake) storage;

    //@ run/urgent.h 1
}
