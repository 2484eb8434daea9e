/* test_two_files_b.c - defines the coroutine that test_two_files.h declares
 * SPDX-License-Identifier: MIT */
#include "test_two_files.h"

PT_ASYNC(stairs, self)
{
    for (; self->step < self->top; self->step++) {
        trace_add("step%d ", self->step);
        PT_YIELD();
    }
    PT_RETURN(-64);
}
PT_END
