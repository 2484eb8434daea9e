/* posix.h - the port for Unix: its monotonic clock, its sleep, its heap; header-only
 * SPDX-License-Identifier: MIT
 *
 *     pt_loop_open(&loop, &pt_posix);
 *     PT_START(&loop, &task, rocket, .delay = PT_SEC(1));
 *     pt_loop_run(&loop);
 *     pt_loop_close(&loop);
 */
#ifndef PT_PORTS_POSIX_H
#define PT_PORTS_POSIX_H

#include "../base/port.h"

#include <stdlib.h>
#include <time.h>

#ifndef CLOCK_MONOTONIC
#error "posix.h needs POSIX.1-2008: compile with -std=gnu99 or -D_POSIX_C_SOURCE=200809L"
#endif

PT_STATIC_ASSERT((PT_TICKS_PER_SEC) <= 1000000000, "the Unix clock has a billion ticks a second");

PT_API pt_time pt_posix_now_(void *context);
PT_API bool pt_posix_idle_(void *context, pt_time now, pt_time until);
PT_API void *pt_posix_resize_(void *context, void *block, size_t bytes);

/* pt_posix - the port */
static const struct pt_port pt_posix PT_MAYBE_UNUSED = {
    pt_posix_now_, pt_posix_idle_, pt_posix_resize_, NULL, NULL, NULL};

/* --- implementation ------------------------------------------------------------------------ */

PT_API pt_time pt_posix_now_(void *context)
{
    struct timespec now;

    (void)context;
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

/* Without a deadline there is nothing to wait for: this port has no kick, so nothing outside
 * the loop is expected to wake a task. */
PT_API bool pt_posix_idle_(void *context, pt_time now, pt_time until)
{
    struct timespec left;

    (void)context;
    if ((pt_time)(until - now) == PT_DELAY_NEVER)
        return false;
    left = pt_posix_left_(now, until);
    nanosleep(&left, NULL); /* after an interrupted sleep, the loop reads the clock again */
    return true;
}

PT_API void *pt_posix_resize_(void *context, void *block, size_t bytes)
{
    (void)context;
    if (bytes)
        return realloc(block, bytes);
    free(block);
    return NULL;
}

#endif
