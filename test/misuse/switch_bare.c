/* switch_bare.c - a suspension in a switch of a label-only function
 * SPDX-License-Identifier: MIT
 * expect error: changes value from|overflow|narrow */
#include <pt/pt.h>

static int body(pt_label *label, int n)
{
    PT_BARE(*label)
    {
        switch (n) {
        case 9: break;
        default: PT_BARE_YIELD(1);
        }
    }
    PT_BARE_END(0);
}

int main(void)
{
    pt_label label = 0;

    body(&label, 100);
    body(&label, 100);
    return 0;
}
