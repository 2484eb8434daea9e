/* local_bare.c - a local of a label-only function is used behind a suspension
 * SPDX-License-Identifier: MIT
 * clang asks at the head of a function whether a warning is on, which the user wrote: in C it
 * says nothing unless -Wall is given.
 * expect together: jump to case label|jumps over|cannot jump|uninitialized
 * expect together c -Wall: jumps over|uninitialized */
#include <pt/pt.h>

int body(pt_label *label);

int body(pt_label *label)
{
    PT_BARE(*label)
    {
        int x = 3;

        PT_BARE_YIELD(1);
        if (x == 3)
            PT_BARE_YIELD(2);
    }
    PT_BARE_END(0);
}
