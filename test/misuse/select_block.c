/* select_block.c - a suspension in the block that adds the cases of a select
 * SPDX-License-Identifier: MIT
 * expect error -DPT_MISUSE=PT_YIELD(): jump|cross|case label|uninitialized
 * expect error -DPT_MISUSE=PT_WAIT(1): jump|cross|case label|uninitialized
 * expect error -DPT_MISUSE=PT_SELECT_FROM(&self->other){}: jump|cross|case label|uninitialized
 * expect good -DPT_MISUSE=: */
#include <pt/pt.h>

static struct pt_event event;

struct body {
    struct pt pt;
    PT_SELECTION(3) next, other;
};

PT_ASYNC(body, self)
{
    PT_SELECT_FROM(&self->next) {
        PT_CASE_EVENT(&event);
        PT_MISUSE;
    }
    if (PT_SELECTED(&self->next) == 0)
        PT_RETURN(PT_OK);
}
PT_END
