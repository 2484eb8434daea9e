/* stray_break_bare.c - `break` outside any loop of a label-only function
 * SPDX-License-Identifier: MIT
 * expect trap: body: break leaves the body */
#include <pt/pt.h>

static int body(pt_label *label)
{
    PT_BARE(*label)
    {
        PT_BARE_YIELD(1);
        break;
    }
    PT_BARE_END(0);
}

int main(void)
{
    pt_label label = 0;

    body(&label);
    body(&label);
    return 0;
}
