/* there.c - which operations there are, as pt is configured
 * SPDX-License-Identifier: MIT */
#include "script.h"

#include <pt/pt.h>

bool op_there(int kind)
{
    (void)kind;
    return true;
}

bool wish_there(enum wish wish)
{
    (void)wish;
    return true;
}

bool observers_there(void)
{
    return PT_INSPECT;
}
