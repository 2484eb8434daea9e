/* own.c - threads with local continuations of the program's own
 * SPDX-License-Identifier: MIT */
#undef LC_INCLUDE
#define LC_INCLUDE "own_lc.h"
#include "pt.h"
#include "trace.h"

static struct pt state;
static int flag;

static PT_THREAD(child(struct pt *pt))
{
    PT_BEGIN(pt);
    PT_YIELD(pt);
    put('.');
    PT_END(pt);
}

static PT_THREAD(thread(struct pt *pt))
{
    static struct pt pt_child;

    PT_BEGIN(pt);
    put('a');
    PT_WAIT_UNTIL(pt, flag);
    put('b');
    PT_YIELD_UNTIL(pt, flag > 1);
    PT_SPAWN(pt, &pt_child, child(&pt_child));
    put((char)('0' + pt->lc.resumed));
    PT_END(pt);
}

int a_program_has_local_continuations_of_its_own(void)
{
    static const int flags[] = {0, 1, 1, 2, 2};
    unsigned i;

    PT_INIT(&state);
    for (i = 0; i < sizeof flags / sizeof flags[0]; i++) {
        flag = flags[i];
        put_said(thread(&state));
    }
    return traced("aWbYYW.5E");
}
