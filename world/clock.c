/* clock.c - the clocks of a machine: each is wrong in its own way
 * SPDX-License-Identifier: MIT
 *
 * The monotonic clock began before the program and drifts by up to 100 parts in a million. The wall
 * clock is off by up to a second. A reading costs 100 nanoseconds, so that a program which waits by
 * reading the clock gets on. */
#include "kernel.h"

#include "calls.h"

#include <errno.h>

enum { READING = 100, MILLION = 1000000 };
static const int64_t NEW_YEAR = INT64_C(1767225600); /* 2026, in seconds since 1970 */

uint64_t clock_now(const struct world_machine *machine)
{
    uint64_t span = machine->world->now - machine->started;

    return span + (uint64_t)((int64_t)(span / MILLION) * machine->drift);
}

uint64_t clock_reaches(const struct world_machine *machine, uint64_t local)
{
    uint64_t now = clock_now(machine), left = local > now ? local - now : 0;

    /* A clock that is fast gets there earlier; the caller looks again, and sleeps again. */
    return machine->world->now + left - left / MILLION * (uint64_t)(machine->drift > 0 ? 100 : 0) +
           (left > 0);
}

uint64_t wait_end(clockid_t which, const struct timespec *time)
{
    uint64_t first = (uint64_t)NEW_YEAR * WORLD_S + (uint64_t)here->wall, local;

    if (!time || time->tv_sec < 0)
        return time ? 0 : NEVER;
    local = (uint64_t)time->tv_sec * WORLD_S + (uint64_t)time->tv_nsec;
    if (which == CLOCK_MONOTONIC)
        return clock_reaches(here, local);
    return local > first ? local - first : 0;
}

bool time_is_valid(const struct timespec *time)
{
    return time->tv_nsec >= 0 && time->tv_nsec < (long)WORLD_S;
}

bool span_is_valid(const struct timespec *span)
{
    return span->tv_sec >= 0 && time_is_valid(span);
}

static struct timespec timespec_of(uint64_t time)
{
    struct timespec span = {(time_t)(time / WORLD_S), (long)(time % WORLD_S)};

    return span;
}

static uint64_t read_clock(clockid_t which)
{
    here->world->now += READING;
    machine_calls();
    switch (which) {
    case CLOCK_MONOTONIC:
    case CLOCK_MONOTONIC_COARSE:
    case CLOCK_MONOTONIC_RAW:
    case CLOCK_BOOTTIME: return clock_now(here);
    case CLOCK_REALTIME:
    case CLOCK_REALTIME_COARSE:
        return (uint64_t)NEW_YEAR * WORLD_S + here->world->now + (uint64_t)here->wall;
    default: world_unknown("clock_gettime of clock %d", (int)which);
    }
}

int call_clock_gettime(clockid_t which, struct timespec *now)
{
    *now = timespec_of(read_clock(which));
    return 0;
}

int call_gettimeofday(struct timeval *now, void *zone)
{
    uint64_t time = read_clock(CLOCK_REALTIME);

    now->tv_sec = (time_t)(time / WORLD_S);
    now->tv_usec = (suseconds_t)(time % WORLD_S / WORLD_US);
    return 0;
}

time_t call_time(time_t *to)
{
    time_t now = (time_t)(read_clock(CLOCK_REALTIME) / WORLD_S);

    if (to)
        *to = now;
    return now;
}

/* 0, or EINTR with what is left. */
static int sleep_until(uint64_t local, struct timespec *left)
{
    while (clock_now(here) < local) {
        if (machine_wait(clock_reaches(here, local)))
            continue;
        if (left)
            *left = timespec_of(local > clock_now(here) ? local - clock_now(here) : 0);
        return EINTR;
    }
    return 0;
}

int call_nanosleep(const struct timespec *span, struct timespec *left)
{
    uint64_t time = (uint64_t)span->tv_sec * WORLD_S + (uint64_t)span->tv_nsec;

    if (!span_is_valid(span))
        return (int)result(-EINVAL);
    return (int)result(-sleep_until(clock_now(here) + time, left));
}

int call_clock_nanosleep(clockid_t which, int flags, const struct timespec *span,
                         struct timespec *left)
{
    uint64_t time = (uint64_t)span->tv_sec * WORLD_S + (uint64_t)span->tv_nsec;

    if (which != CLOCK_MONOTONIC)
        world_unknown("clock_nanosleep of clock %d", (int)which);
    if (!span_is_valid(span))
        return EINVAL;
    return sleep_until(flags & TIMER_ABSTIME ? time : clock_now(here) + time, left);
}

int call_usleep(useconds_t span)
{
    return (int)result(-sleep_until(clock_now(here) + span * WORLD_US, NULL));
}

unsigned call_sleep(unsigned seconds)
{
    struct timespec left = {0, 0};

    sleep_until(clock_now(here) + seconds * WORLD_S, &left);
    return (unsigned)left.tv_sec;
}
