/* frame_pt_pointer.c - the frame holds a pointer to struct pt
 * SPDX-License-Identifier: MIT
 * expect error: struct pt must be the first member of the frame */
#include <pt/pt.h>

struct body {
    struct pt *pt;
};

PT_ASYNC(body, self)
{
    PT_YIELD();
}
PT_END
