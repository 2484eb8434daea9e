/* frame_pt_second.c - struct pt is not the first member of the frame
 * SPDX-License-Identifier: MIT
 * expect error: struct pt must be the first member of the frame
 * expect error c -std=c99: struct pt must be the first member of the frame */
#include <pt/pt.h>

struct body {
    int n;
    struct pt pt;
};

PT_ASYNC(body, self)
{
    self->n++;
}
PT_END
