/* units.h - seconds, milliseconds and microseconds as ticks
 * SPDX-License-Identifier: MIT */
#ifndef PT_UNITS_H
#define PT_UNITS_H

#include "ticks.h"

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

#endif
