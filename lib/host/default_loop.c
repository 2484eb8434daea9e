/* default_loop.c - the default loop: one for each thread, opened at its first use
 * SPDX-License-Identifier: MIT */
#include <pt/host.h>

struct pt_loop *pt_loop_default(void)
{
    static __thread struct pt_loop loop;

    if (!loop.port)
        pt_loop_open(&loop, &pt_posix);
    return &loop;
}
