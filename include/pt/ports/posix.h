/* posix.h - the port for Unix: its monotonic clock, its sleep, its heap; header-only
 * SPDX-License-Identifier: MIT
 *
 *     pt_loop_open(&loop, &pt_posix);
 *     PT_START(&loop, &task, rocket, .delay = PT_SEC(1));
 *     pt_loop_run(&loop);
 *     pt_loop_close(&loop);
 *
 * Any number of loops can use it, each in its thread. A thread or a signal handler can post to them
 * (remote.h). It needs no thread library: on 64-bit Linux a loop sleeps in a futex, elsewhere it
 * looks for posts every 10 ms. A post ends the sleeps of all loops on this port; the others sleep
 * again. On Linux the clock stands still while the computer is suspended; doc/recipes.md has a wait
 * for a time of the day. */
#ifndef PT_PORTS_POSIX_H
#define PT_PORTS_POSIX_H

#ifdef _WIN32
#error "posix.h is for a Unix: on Windows include <pt/windows.h>, and open a loop on &pt_windows"
#endif

#include "../base/port.h"

#include <stdlib.h>
#include <time.h>

/* Whether futex(2) takes a timespec as it is, and can be called: not if only POSIX is declared. */
#ifndef PT_POSIX_FUTEX_
#if defined(__linux__) && defined(__LP64__) && \
    (defined(_DEFAULT_SOURCE) || defined(_GNU_SOURCE) || defined(_BSD_SOURCE))
#define PT_POSIX_FUTEX_ 1
#else
#define PT_POSIX_FUTEX_ 0
#endif
#endif
#if PT_POSIX_FUTEX_
#include <errno.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

#ifndef CLOCK_MONOTONIC
#error "posix.h needs POSIX.1-2008: compile with -std=gnu99 or -D_POSIX_C_SOURCE=200809L"
#endif

PT_STATIC_ASSERT((PT_TICKS_PER_SEC) <= 1000000000, "the Unix clock has a billion ticks a second");

PT_API pt_time pt_posix_now_(void *context);
PT_API bool pt_posix_idle_(void *context, pt_time now, pt_time until);
PT_API void *pt_posix_resize_(void *context, void *block, size_t bytes);
PT_API void pt_posix_kick_(void *context);

/* pt_posix - the port */
static const struct pt_port pt_posix PT_MAYBE_UNUSED = {pt_posix_now_,
                                                        pt_posix_idle_,
                                                        pt_posix_resize_,
                                                        NULL,
                                                        pt_posix_kick_,
                                                        NULL,
                                                        (PT_TICKS_PER_SEC) < 100000000,
                                                        false};

/* --- implementation ------------------------------------------------------------------------ */

PT_QUIET_OPEN_

PT_API pt_time pt_posix_now_(void *context)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (pt_time)((uint64_t)now.tv_sec * (PT_TICKS_PER_SEC) +
                     (uint64_t)now.tv_nsec * (PT_TICKS_PER_SEC) / 1000000000u);
}

/* The time left until UNTIL, by the clock, since the turn that began at NOW took time. It is
 * rounded up, so that a sleep never ends early, and 0 if UNTIL is past. */
PT_API struct timespec pt_posix_left_(pt_time now, pt_time until)
{
    pt_time delay = pt_time_until_(now, until), late = pt_posix_now_(NULL) - now;
    pt_time left = late < delay ? (pt_time)(delay - late) : 0;
    struct timespec span;

    span.tv_sec = (time_t)(left / (PT_TICKS_PER_SEC));
    span.tv_nsec =
        (long)(((uint64_t)(left % (PT_TICKS_PER_SEC)) * 1000000000u + (PT_TICKS_PER_SEC)-1) /
               (PT_TICKS_PER_SEC));
    return span;
}

static unsigned pt_posix_kicks_; /* how many there were; wraps; atomic */

/* Sleep for LEFT, or until there are other kicks than SEEN. Returns whether to look again. Wake all
 * threads that sleep so. */
#if PT_POSIX_FUTEX_
PT_API bool pt_posix_sleep_(unsigned seen, struct timespec left)
{
    const int wait = 128; /* FUTEX_WAIT_PRIVATE */

    (void)syscall(SYS_futex, &pt_posix_kicks_, wait, seen, &left, NULL, 0);
    return false;
}

PT_API void pt_posix_wake_(void)
{
    const int wake = 129, all = 0x7fffffff, error = errno; /* FUTEX_WAKE_PRIVATE */

    (void)syscall(SYS_futex, &pt_posix_kicks_, wake, all, NULL, NULL, 0);
    errno = error; /* a signal handler may post */
}
#else
PT_API bool pt_posix_sleep_(unsigned seen, struct timespec left)
{
    const struct timespec slice = {0, 10000000};

    if (left.tv_sec || left.tv_nsec > slice.tv_nsec)
        left = slice;
    return !nanosleep(&left, NULL);
}

PT_API void pt_posix_wake_(void)
{
}
#endif

/* A kick ends the sleep of every thread, or the next one if it does not sleep yet. */
PT_API void pt_posix_kick_(void *context)
{
    __atomic_add_fetch(&pt_posix_kicks_, 1, __ATOMIC_SEQ_CST);
    pt_posix_wake_();
}

/* Without a deadline the port expects nothing. If a post can come, the loop gives it one. After an
 * interrupted sleep, the loop reads the clock again. */
PT_API bool pt_posix_idle_(void *context, pt_time now, pt_time until)
{
    static __thread unsigned seen; /* the kicks before the last sleep of this thread ended */
    struct timespec left;

    if ((pt_time)(until - now) == PT_DELAY_NEVER)
        return false;
    do
        left = pt_posix_left_(now, until);
    while (__atomic_load_n(&pt_posix_kicks_, __ATOMIC_SEQ_CST) == seen &&
           (left.tv_sec || left.tv_nsec) && pt_posix_sleep_(seen, left));
    seen = __atomic_load_n(&pt_posix_kicks_, __ATOMIC_SEQ_CST);
    return true;
}

PT_API void *pt_posix_resize_(void *context, void *block, size_t bytes)
{
    if (bytes)
        return realloc(block, bytes);
    free(block);
    return NULL;
}

PT_QUIET_CLOSE_

#endif
