/* ticks.h - time as a number of ticks that wraps
 * SPDX-License-Identifier: MIT
 *
 * A time stamp counts ticks since an arbitrary moment and wraps to zero; only differences mean
 * something. Two stamps compare correctly if they are less than half the range apart, so a delay
 * has a limit: 32 s at 16 bits and 1 kHz, 24 days at 32 bits, 292 years at 64 bits of
 * nanoseconds. */
#ifndef PT_TICKS_H
#define PT_TICKS_H

#include "config.h"

/* pt_time - a time stamp or a delay, in ticks; of PT_TIME_BITS bits: 64 on a PC, in ns */
#if PT_TIME_BITS == 64
typedef uint64_t pt_time;
#elif PT_TIME_BITS == 32
typedef uint32_t pt_time;
#else
typedef uint16_t pt_time;
#endif

/* The delay, in ticks, that means "never": the furthest ahead that a stamp can be.
 * A deadline so far ahead never comes. A wait that only its time can end fails with PT_ERANGE. */
#define PT_DELAY_NEVER ((pt_time)((pt_time) ~(pt_time)0 >> 1))

/* The longest delay of a wait: one tick less. A wait with a longer delay fails with PT_ERANGE. */
#define PT_DELAY_MAX ((pt_time)(PT_DELAY_NEVER - 1))

/* pt_time_before - whether A comes before B, across a wrap */
PT_ALWAYS bool pt_time_before(pt_time a, pt_time b);

/* --- implementation ------------------------------------------------------------------------ */

PT_ALWAYS bool pt_time_before(pt_time a, pt_time b)
{
    return (pt_time)(a - b) > PT_DELAY_NEVER;
}

#define PT_TIME_LAST_ ((pt_time) ~(pt_time)0)

/* A delay as a body gives it. One that does not fit in a stamp counts as too long. A constant that
 * is over MOST is a compile error. PT_DELAY_OF_: the delay of the operation NAME in the function
 * WHERE. PT_DEBUG stops if it is over MOST; or if it is negative, as a time that has passed minus
 * the present is: then it names the form that takes a time. PT_ANY_DELAY_: PT_DELAY_OF_ for an
 * operation that returns PT_ERANGE, and nobody stops it. */
#define PT_DELAY_(delay, most) (PT_CHECK_DELAY_(delay, most), pt_delay_(delay))
#define PT_DELAY_OF_(delay, most, where, name, instead)                                           \
    (PT_CHECK_DELAY_(delay, most),                                                                \
     PT_CHOOSE_(                                                                                  \
         PT_DEBUG,                                                                                \
         pt_delay_checked_(delay, most, PT_LATE_(name, instead), PT_FAR_(name), where, __LINE__), \
         pt_delay_(delay)))
#define PT_ANY_DELAY_(delay, where, name, instead)                                           \
    ((void)PT_WHOLE_(delay),                                                                 \
     PT_CHOOSE_(                                                                             \
         PT_DEBUG,                                                                           \
         pt_delay_checked_(delay, UINT64_MAX, PT_LATE_(name, instead), "", where, __LINE__), \
         pt_delay_(delay)))
#define PT_LATE_(name, instead) \
    name " with a negative delay: for a time that may have passed use " instead
#define PT_FAR_(name)                                                                          \
    name " with a delay over PT_DELAY_MAX: use a wider PT_TIME_BITS or slower ticks, or wait " \
         "several times; or PT_MS of a negative number: wait only for a time that has not passed"

/* A comparison would be with a number that the type of DELAY may not hold: a division is not. */
#define PT_CHECK_DELAY_(delay, most) \
    ((void)PT_WHOLE_(delay), (void)PT_IN_TIME_(delay, (uint64_t)(delay) / (UINT64_C(1) + (most))))

PT_ALWAYS pt_time pt_delay_(uint64_t delay)
{
    return delay > PT_TIME_LAST_ ? PT_TIME_LAST_ : (pt_time)delay;
}

/* Half of the range of negative delays: one that is further from 0 can be meant as a long one. */
PT_API pt_time pt_delay_checked_(uint64_t delay, uint64_t most, const char *late,
                                 const char *too_far, const char *where, unsigned line)
{
    uint64_t before = (delay > PT_TIME_LAST_ ? UINT64_MAX : PT_TIME_LAST_) - delay;

    if (before < PT_DELAY_NEVER / 2)
        PT_PANIC(late, where, line);
    if (delay > most)
        PT_PANIC(too_far, where, line);
    return pt_delay_(delay);
}

/* The delay from NOW to a deadline; 0 if it is past. A deadline that was computed in a wider type
 * can be unwrapped, or negative. One over any stamp plus any delay counts as too far ahead. */
PT_ALWAYS pt_time pt_time_until_(pt_time now, uint64_t deadline)
{
    if (PT_TIME_BITS < 64 && deadline > (uint64_t)PT_TIME_LAST_ + PT_DELAY_MAX &&
        deadline <= INT64_MAX)
        return PT_TIME_LAST_;
    return pt_time_before((pt_time)deadline, now) ? 0 : (pt_time)((pt_time)deadline - now);
}

#endif
