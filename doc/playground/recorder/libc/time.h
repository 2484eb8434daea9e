/* time.h - a clock that jumps: a sleep takes no time
 * SPDX-License-Identifier: MIT */
#ifndef PLAY_TIME_H
#define PLAY_TIME_H

typedef long long time_t;
typedef int clockid_t;
struct timespec {
    time_t tv_sec;
    long tv_nsec;
};
#define CLOCK_MONOTONIC 1

int clock_gettime(clockid_t clock, struct timespec *now);
int nanosleep(const struct timespec *span, struct timespec *left);

#endif
