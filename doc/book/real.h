/* real.h - the system's clock, from 0 at its first reading on: the loop sleeps until a task is due
 * SPDX-License-Identifier: MIT */
#ifndef PT_REAL_H
#define PT_REAL_H

#include "pt.h"

#include <time.h>

//- all
static inline pt_time pt_real_now_(void *context)
{
    static pt_time begin;
    struct timespec clock;
    pt_time now;

    (void)context;
    clock_gettime(CLOCK_MONOTONIC, &clock);
    now = (pt_time)clock.tv_sec * 1000000000u + (pt_time)clock.tv_nsec;
    if (!begin)
        begin = now;
    return now - begin;
}

static inline bool pt_real_idle_(void *context, pt_time now, pt_time until)
{
    pt_time clock = pt_real_now_(context), left = pt_time_before(clock, until) ? until - clock : 0;
    struct timespec delay = {.tv_sec = (time_t)(left / 1000000000u), .tv_nsec = (long)(left % 1000000000u)};

    if (until - now == PT_DELAY_NEVER)
        return false; /* no timer, and nothing comes from outside */
    nanosleep(&delay, NULL);
    return true;
}

static const struct pt_port pt_real = {.now = pt_real_now_, .idle = pt_real_idle_};

//- tail
#endif
