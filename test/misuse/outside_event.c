/* outside_event.c - a PT_WAIT_EVENT in a plain function
 * SPDX-License-Identifier: MIT
 * expect error: pt_suspension_outside_PT_ASYNC */
#include <pt/pt.h>

static struct pt_event event;

void helper(void);

void helper(void)
{
    PT_WAIT_EVENT(&event);
}
