/* outside_by_hand.c - a suspension in a function that takes pt_ and pt_current_ itself
 * SPDX-License-Identifier: MIT
 * expect error: pt_suspension_outside_PT_ASYNC */
#include <pt/pt.h>

pt_op helper(struct pt *pt_, struct pt_task *pt_current_);

pt_op helper(struct pt *pt_, struct pt_task *pt_current_)
{
    PT_WAIT(PT_MS(1));
    return pt_end_(pt_);
}
