/* deep_clock.h - a clock that stands in deep sleep is put right by a low-power timer that goes on
 * SPDX-License-Identifier: MIT
 *
 *     static struct deep_clock deep = {.count = rtc_count, .mask = 0xffffff,
 *                                      .ticks = 125, .counts = 4096};     1000 Hz for 32768 Hz
 *
 *     static void stop(pt_time until)          a mode of sleep.h
 *     {
 *         RTC_COMPARE = deep_clock_count_at(&deep, until);
 *         ... stop the clock, sleep, start it again
 *         clock_skip(deep_clock_stood(&deep, board_now()));
 *     }
 *
 * A deep sleep stops the fast oscillator, and the clock that counts it. What goes on is a slow
 * counter: an RTC, a low-power timer, at 32,768 Hz or less. To add what it counted in each sleep
 * would lose a part of a count each time, always in the same direction: 15 us in each of ten sleeps
 * a second are 13 seconds a day. So the sum is kept by the slow counter alone, since the open, with
 * the remainder of its division. After each deep sleep the clock is set to that:
 *
 *     the slow counter:   |       |       |       |       |       |       |
 *     the clock:          ....................           .............
 *                                             ^ stands   ^ + what it lacks
 *
 * So it is late by less than a tick and a count, however often the part sleeps, and in the long run
 * as exact as the slow counter's crystal. Between sleeps it goes by its own. If it is ahead, because its crystal
 * is faster, the sleep adds so much less. It never goes back. */
#ifndef DRIVERS_DEEP_CLOCK_H
#define DRIVERS_DEEP_CLOCK_H

#include "board.h"

struct deep_clock {
    uint32_t (*count)(void); /* the slow counter, which counts up and wraps behind MASK */
    uint32_t mask;
    uint32_t ticks, counts; /* so many ticks take so many counts; reduced: the product is < 2^31 */
    /* private: */
    uint32_t seen, rest; /* what it counted; what is left of a tick then, in 1/COUNTS */
    pt_time at;          /* the time then */
};

/* deep_clock_open - NOW is the time; O(1) */
void deep_clock_open(struct deep_clock *it, pt_time now);

/* deep_clock_now - the time by the slow counter; O(1)
 * Call this, or the next two, at least once in each round of the counter. */
pt_time deep_clock_now(struct deep_clock *it);

/* deep_clock_count_at - what the counter reaches at the time UNTIL, or just before; O(1)
 * It is at most half a round ahead: the sleep then ends early, and the next one goes on. It can be
 * the current count, or be over when the comparator is set: read the counter behind that, as for
 * each alarm. */
uint32_t deep_clock_count_at(struct deep_clock *it, pt_time until);

/* deep_clock_stood - how many ticks to add to the clock, whose time is NOW, behind a sleep; O(1) */
pt_time deep_clock_stood(struct deep_clock *it, pt_time now);

#endif
