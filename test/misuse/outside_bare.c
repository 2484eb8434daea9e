/* outside_bare.c - a PT_BARE_YIELD in a plain function
 * SPDX-License-Identifier: MIT
 * expect error: pt_suspension_outside_PT_ASYNC */
#include <pt/pt.h>

int helper(pt_label *label);

int helper(pt_label *label)
{
    PT_BARE_YIELD(1);
    return *label;
}
