/* windows.h - the port for Windows: its counter, its sleep, its heap; header-only
 * SPDX-License-Identifier: MIT
 *
 * A loop is opened on &pt_windows as on &pt_posix; examples/windows.c is a whole program.
 *
 * Any number of loops can use it, each in its thread, and any thread can post to them (remote.h).
 * It needs Windows Vista and no library besides kernel32. A post ends the sleeps of all loops on
 * this port; the others sleep again. A sleep never ends early; it ends late by as much as the
 * system's timer is coarse: 15.6 ms, or 1 ms behind timeBeginPeriod(1). It includes <windows.h>,
 * without the macros min and max. */
#ifndef PT_PORTS_WINDOWS_H
#define PT_PORTS_WINDOWS_H

#ifndef _WIN32
#error "windows.h is for Windows: on a Unix include <pt/posix.h>, and open a loop on &pt_posix"
#endif

#include "../base/port.h"

#include <stdlib.h>

#ifndef WIN32_LEAN_AND_MEAN
#define WIN32_LEAN_AND_MEAN
#endif
#ifndef NOMINMAX
#define NOMINMAX
#endif
#include <windows.h>

PT_STATIC_ASSERT((PT_TICKS_PER_SEC) <= 1000000000,
                 "the clock has at most a billion ticks a second");

PT_API pt_time pt_windows_now_(void *context);
PT_API bool pt_windows_idle_(void *context, pt_time now, pt_time until);
PT_API void *pt_windows_resize_(void *context, void *block, size_t bytes);
PT_API void pt_windows_kick_(void *context);

/* pt_windows - the port
 * Its counter has at least a million steps a second. */
static const struct pt_port pt_windows PT_MAYBE_UNUSED = {pt_windows_now_,
                                                          pt_windows_idle_,
                                                          pt_windows_resize_,
                                                          NULL,
                                                          pt_windows_kick_,
                                                          NULL,
                                                          1 + (PT_TICKS_PER_SEC) / 1000000,
                                                          false};

/* --- implementation ------------------------------------------------------------------------ */

PT_QUIET_OPEN_

PT_API pt_time pt_windows_now_(void *context)
{
    LARGE_INTEGER count, each;
    uint64_t counted, second;

    (void)QueryPerformanceFrequency(&each);
    (void)QueryPerformanceCounter(&count);
    counted = (uint64_t)count.QuadPart;
    second = (uint64_t)each.QuadPart;
    return (pt_time)(counted / second * (PT_TICKS_PER_SEC) +
                     counted % second * (PT_TICKS_PER_SEC) / second);
}

/* The milliseconds left until UNTIL, by the counter, since the turn that began at NOW took time.
 * They are rounded up, so that a sleep never ends early, and 0 if UNTIL is past. */
PT_API DWORD pt_windows_left_(pt_time now, pt_time until)
{
    const DWORD most = 1000000000; /* eleven days: then the loop looks again */
    pt_time delay = pt_time_until_(now, until), late = pt_windows_now_(NULL) - now;
    pt_time left = late < delay ? (pt_time)(delay - late) : 0;

    if (left / (PT_TICKS_PER_SEC) >= most / 1000)
        return most;
    return (DWORD)(((uint64_t)left * 1000 + (PT_TICKS_PER_SEC)-1) / (PT_TICKS_PER_SEC));
}

static SRWLOCK pt_windows_lock_;              /* guards what follows; zero: it is free */
static CONDITION_VARIABLE pt_windows_kicked_; /* there was a kick */
static unsigned pt_windows_kicks_;            /* how many there were; wraps */

/* A kick ends the sleep of every thread, or the next one if it does not sleep yet. */
PT_API void pt_windows_kick_(void *context)
{
    AcquireSRWLockExclusive(&pt_windows_lock_);
    pt_windows_kicks_++;
    ReleaseSRWLockExclusive(&pt_windows_lock_);
    WakeAllConditionVariable(&pt_windows_kicked_);
}

/* Without a deadline the port expects nothing. If a post can come, the loop gives it one. */
PT_API bool pt_windows_idle_(void *context, pt_time now, pt_time until)
{
    static __thread unsigned seen; /* the kicks before the last sleep of this thread ended */
    DWORD left;

    if ((pt_time)(until - now) == PT_DELAY_NEVER)
        return false;
    AcquireSRWLockExclusive(&pt_windows_lock_);
    while (pt_windows_kicks_ == seen && (left = pt_windows_left_(now, until)) > 0)
        (void)SleepConditionVariableSRW(&pt_windows_kicked_, &pt_windows_lock_, left, 0);
    seen = pt_windows_kicks_;
    ReleaseSRWLockExclusive(&pt_windows_lock_);
    return true;
}

PT_API void *pt_windows_resize_(void *context, void *block, size_t bytes)
{
    if (bytes)
        return realloc(block, bytes);
    free(block);
    return NULL;
}

PT_QUIET_CLOSE_

#endif
