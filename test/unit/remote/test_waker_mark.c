/* test_waker_mark.c - the tests of test_waker.c on wakers that are marks, as on a part
 * SPDX-License-Identifier: MIT */
#undef PT_WAKERS
#define PT_OTHER_KNOBS 1
#if !defined(PT_REMOTE) || PT_REMOTE
#define PT_WAKERS 1
#endif
#define PT_ATOMIC_STEP_(fences) step()
#define WAKER_SUITE suite_waker_mark
#define WAKER_NAME "waker_mark"

static void step(void);

#include "test_waker.c"
