/* wakeup.c - the descriptor by which another thread or a signal handler ends a loop's sleep
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "wakeup.h"

#include "../../fork.h"
#include "../../socket.h"

#include <errno.h>
#include <sched.h>
#include <unistd.h>
#if defined(__linux__) && !defined(PT_PLAIN_UNIX)
#include <sys/eventfd.h>
#endif

bool pt_wakeup_open_(struct pt_system *system)
{
#if defined(__linux__) && !defined(PT_PLAIN_UNIX)
    system->wakeup[0] = system->wakeup[1] = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    return system->wakeup[0] >= 0;
#else
    return !pt_pipe_make_(system->wakeup);
#endif
}

void pt_wakeup_close_(struct pt_system *system)
{
    close(system->wakeup[0]);
    if (system->wakeup[1] != system->wakeup[0])
        close(system->wakeup[1]);
}

void pt_wakeup_write_(void *context)
{
    struct pt_system *system = context;
    const uint64_t one = 1;
    int error = errno;

    __atomic_add_fetch(&system->waking, 1, __ATOMIC_SEQ_CST);
    if (!__atomic_load_n(&system->closed, __ATOMIC_SEQ_CST) && !pt_forked_since_(system->forks)) {
        ssize_t ignored = write(system->wakeup[1], &one, sizeof one);

        (void)ignored;
    }
    __atomic_sub_fetch(&system->waking, 1, __ATOMIC_SEQ_CST);
    errno = error;
}

void pt_wakeup_stop_(struct pt_system *system)
{
    __atomic_store_n(&system->closed, true, __ATOMIC_SEQ_CST);
    while (__atomic_load_n(&system->waking, __ATOMIC_SEQ_CST) && !pt_forked_since_(system->forks))
        sched_yield();
}

void pt_wakeup_drain_(const struct pt_system *system)
{
    char bytes[512];

    while (read(system->wakeup[0], bytes, sizeof bytes) == (ssize_t)sizeof bytes) {
    }
}
