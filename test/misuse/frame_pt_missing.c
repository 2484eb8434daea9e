/* frame_pt_missing.c - the frame has no struct pt
 * SPDX-License-Identifier: MIT
 * expect error: has no member named .pt|no member named .pt */
#include <pt/pt.h>

struct body {
    int n;
};

PT_ASYNC(body, self)
{
    self->n++;
}
PT_END
