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

/* The delay, in ticks, that means "never": the furthest ahead that a stamp can be. */
#define PT_DELAY_NEVER ((pt_time)((pt_time) ~(pt_time)0 >> 1))

/* The longest delay of a wait: one tick less. A wait with a longer delay fails with PT_ERANGE. */
#define PT_DELAY_MAX ((pt_time)(PT_DELAY_NEVER - 1))

/* Seconds, milli- and microseconds as ticks, rounded up: a delay is never too short. N is an
 * integer, and is evaluated several times. The result is constant if N is.
 *
 * Half a second is PT_MS(500); PT_SEC(0.5) is a compile error. So is a constant over PT_DELAY_MAX.
 * A variable over it or below 0 gives PT_DELAY_NEVER: a wait for that fails with PT_ERANGE.
 *
 * On a part a variable costs a multiplication at a rate that is a multiple of the unit's (PT_MS at
 * 1,000 or 16,000,000 ticks a second), else a division of 32 bits. Only a variable of 64 bits, or a
 * rate that has little in common with the unit's (PT_US at 3,579,545), can link a division of 64
 * bits: 350 bytes on AVR, 700 on Cortex-M0, 800 on M3, 1,240 on RV32. */
#define PT_SEC(n) PT_TIME_OF_(n, PT_SEC_MOST_, PT_SEC_TICKS_, PT_SEC_UNITS_)
#define PT_MS(n) PT_TIME_OF_(n, PT_MS_MOST_, PT_MS_TICKS_, PT_MS_UNITS_)
#define PT_US(n) PT_TIME_OF_(n, PT_US_MOST_, PT_US_TICKS_, PT_US_UNITS_)

/* pt_time_before - whether A comes before B, across a wrap */
PT_ALWAYS bool pt_time_before(pt_time a, pt_time b);

/* --- implementation ------------------------------------------------------------------------ */

PT_STATIC_ASSERT((PT_TICKS_PER_SEC) > 0, "PT_TICKS_PER_SEC is a number of ticks");

/* FACTOR if the rate is a multiple of POWER, else 1. */
#define PT_ONCE_MORE_(factor, power) (((PT_TICKS_PER_SEC) % (power) == 0) * ((factor)-1) + 1)

/* How many units are in PT_DELAY_MAX; no more than 63 bits. */
#define PT_UNITS_IN_DELAY_(ticks, units)                           \
    (PT_DELAY_MAX / (uint64_t)ticks >= INT64_MAX / (uint64_t)units \
         ? (uint64_t)INT64_MAX                                     \
         : PT_DELAY_MAX / (uint64_t)ticks * (uint64_t)units +      \
               PT_DELAY_MAX % (uint64_t)ticks * (uint64_t)units / (uint64_t)ticks)

/* The most units that a delay can have, and the ratio of ticks to units, reduced: so many ticks
 * last as long as so many units. A rate and a million have only factors 2 and 5 in common. */
PT_EXTENSION enum {
    PT_SEC_TICKS_ = (PT_TICKS_PER_SEC),
    PT_SEC_UNITS_ = 1,
    PT_SEC_MOST_ = PT_UNITS_IN_DELAY_(PT_SEC_TICKS_, PT_SEC_UNITS_),

    PT_MS_COMMON_ = PT_ONCE_MORE_(2, 2) * PT_ONCE_MORE_(2, 4) * PT_ONCE_MORE_(2, 8) *
                    PT_ONCE_MORE_(5, 5) * PT_ONCE_MORE_(5, 25) * PT_ONCE_MORE_(5, 125),
    PT_MS_TICKS_ = (PT_TICKS_PER_SEC) / PT_MS_COMMON_,
    PT_MS_UNITS_ = 1000 / PT_MS_COMMON_,
    PT_MS_MOST_ = PT_UNITS_IN_DELAY_(PT_MS_TICKS_, PT_MS_UNITS_),

    PT_US_COMMON_ = PT_MS_COMMON_ * PT_ONCE_MORE_(2L, 16) * PT_ONCE_MORE_(2, 32) *
                    PT_ONCE_MORE_(2, 64) * PT_ONCE_MORE_(5, 625) * PT_ONCE_MORE_(5, 3125) *
                    PT_ONCE_MORE_(5, 15625),
    PT_US_TICKS_ = (PT_TICKS_PER_SEC) / PT_US_COMMON_,
    PT_US_UNITS_ = 1000000 / PT_US_COMMON_,
    PT_US_MOST_ = PT_UNITS_IN_DELAY_(PT_US_TICKS_, PT_US_UNITS_)
};

/* N units. */
#define PT_TIME_OF_(n, most, ticks, units)                                       \
    ((pt_time)(PT_WHOLE_(n) + PT_IN_TIME_(n, PT_OVER_(n, most)) +                \
               (PT_OVER_(n, most) ? PT_DELAY_NEVER                               \
                : PT_IS_SHORT_(n, most, ticks, units)                            \
                    ? PT_TICKS_((uint32_t)(n), (uint32_t)ticks, (uint32_t)units) \
                    : PT_TICKS_((uint64_t)(n), (uint64_t)ticks, (uint64_t)units))))

/* The ticks of whole UNITS and of the rest are computed separately, so that neither overflows. */
#define PT_TICKS_(n, ticks, units) \
    (n / units * (PT_UINT_(PT_TIME_BITS))ticks + (n % units * ticks + units - 1) / units)

/* Whether 32 bits are enough for that: a division by a variable of 64 bits is a function. */
#define PT_IS_SHORT_(n, most, ticks, units)                    \
    ((sizeof((n) + 0) <= 4 || (uint64_t)most <= UINT32_MAX) && \
     (uint64_t)ticks * (uint64_t)units <= INT32_MAX)

/* Whether N is over MOST, or negative; in 32 bits, if these are enough. For a
 * comparison of unsigned numbers gcc would warn if N's type cannot hold that many:
 * these are signed ones, in the same order. */
#define PT_OVER_(n, most)                                       \
    (sizeof((n) + 0) <= 4 && (uint64_t)most <= INT32_MAX        \
         ? PT_SIGNED_(32, (uint32_t)(n)) > PT_SIGNED_(32, most) \
         : PT_SIGNED_(64, (uint64_t)(n)) > PT_SIGNED_(64, most))
#define PT_SIGNED_(bits, n) \
    ((PT_GLUE_(PT_GLUE_(int, bits), _t))((n) ^ ((PT_UINT_(bits))1 << (bits - 1))))

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

/* The comparison is a division for the reason given above. */
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
