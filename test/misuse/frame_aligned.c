/* frame_aligned.c - a frame from the heap that needs a larger alignment than the heap's
 * SPDX-License-Identifier: MIT
 * expect error: size of unnamed array is negative|array size is negative|aligned more than the heap
 * expect error -DSTART: size of unnamed array is negative|array size is negative|aligned more than the heap
 * expect good -DALIGNMENT=16: */
#include <pt/pt.h>

#ifndef ALIGNMENT
#define ALIGNMENT 64
#endif

struct wide {
    struct pt pt;
    __attribute__((aligned(ALIGNMENT))) char line[64];
};

struct parent {
    struct pt pt;
};

PT_DECLARE(wide);
PT_DECLARE(parent);
pt_status start(struct pt_loop *loop);

#ifdef START
pt_status start(struct pt_loop *loop)
{
    return PT_START_NEW(loop, wide);
}
#else
PT_ASYNC(parent, self)
{
    PT_SPAWN_NEW(wide);
}
PT_END
#endif
