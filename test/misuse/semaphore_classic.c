/* semaphore_classic.c - the operations of classic protothreads on a semaphore
 * SPDX-License-Identifier: MIT
 * expect first -DWAIT: PT_SEM_WAIT: use PT_ACQUIRE, with a struct pt_semaphore
 * expect first -DSIGNAL: PT_SEM_SIGNAL: use pt_semaphore_release, with a struct
 * expect good: */
#include <pt/pt.h>

struct body {
    struct pt pt;
    int n;
};

static struct pt_semaphore filled;

PT_ASYNC(body, self)
{
#if defined(WAIT)
    PT_SEM_WAIT(pt_, &filled);
#elif defined(SIGNAL)
    PT_SEM_SIGNAL(pt_, &filled);
#endif
    PT_ACQUIRE(&filled);
    (void)pt_semaphore_release(&filled);
}
PT_END
