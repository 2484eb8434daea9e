/* local_bare.c - a local of a label-only function is used after a suspension
 * SPDX-License-Identifier: MIT
 * clang checks at the head of the function, which the user wrote, whether a warning is on: in C it
 * warns only with -Wall.
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
