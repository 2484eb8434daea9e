/* histogram.h - how long something takes: a histogram of durations
 * SPDX-License-Identifier: MIT
 *
 *     static struct pt_histogram steps;
 *
 *     pt_histogram_add(&steps, ticks);
 *     worst = pt_histogram_quantile(&steps, 99);    what 99 of 100 do not exceed
 *
 * It has a fixed size and needs no floating point: each power of two has four buckets, so a
 * quantile is at most a quarter too high. */
#ifndef PT_HISTOGRAM_H
#define PT_HISTOGRAM_H

#include "../base/ticks.h"

#if PT_TRACE && PT_HAS_TIMERS_

/* How many. With 64-bit time it never wraps. A part with shorter time has 32 bits, to save memory:
 * when one wraps, Prometheus takes the program for one that was started again. */
#if PT_TIME_BITS == 64
typedef uint64_t pt_tally_;
#else
typedef uint32_t pt_tally_;
#endif

/* A histogram of durations, in ticks. Read `count`, `sum` and `most`. All zeros: it is empty. */
struct pt_histogram {
    pt_tally_ buckets[(PT_TIME_BITS - 1) * 4]; /* private */
    pt_tally_ count;                           /* how many durations */
    uint64_t sum;                              /* of all of them */
    pt_time most;                              /* the longest */
};

/* pt_histogram_add - add a duration; O(1) */
PT_API void pt_histogram_add(struct pt_histogram *histogram, pt_time ticks);

/* pt_histogram_quantile - what PERCENT of the durations do not exceed; 0 if there are none
 * The upper end of a bucket: at most a quarter too high, never above the longest. O(buckets). */
PT_API pt_time pt_histogram_quantile(const struct pt_histogram *histogram, unsigned percent);

/* --- implementation ------------------------------------------------------------------------ */

/* The number of the bucket of a duration. 0 to 4 ticks have their own; then each power of two has
 * 4. A bucket includes its upper end, as those of Prometheus do. */
PT_API unsigned pt_histogram_bucket_(pt_time ticks)
{
    unsigned shift = 0;

    if (ticks)
        ticks--;
    while ((pt_time)(ticks >> shift) > 7)
        shift++;
    return 4 * shift + (unsigned)(pt_time)(ticks >> shift);
}

/* The longest duration of a bucket. */
PT_API uint64_t pt_histogram_end_(unsigned bucket)
{
    if (bucket >= 251)
        return UINT64_MAX; /* the last one of 64 bits */
    return bucket < 4 ? bucket + 1u : (uint64_t)(bucket % 4 + 5) << (bucket / 4 - 1);
}

PT_API void pt_histogram_add(struct pt_histogram *histogram, pt_time ticks)
{
    histogram->buckets[pt_histogram_bucket_(ticks)]++;
    histogram->count++;
    histogram->sum += ticks;
    if (ticks > histogram->most)
        histogram->most = ticks;
}

PT_API pt_time pt_histogram_quantile(const struct pt_histogram *histogram, unsigned percent)
{
    const unsigned buckets = sizeof histogram->buckets / sizeof histogram->buckets[0];
    uint64_t total = 0, wanted, seen = 0;

    for (unsigned i = 0; i < buckets; i++)
        total += histogram->buckets[i]; /* not the count, which wraps at another time */
    wanted = (total * percent + 99) / 100;
    for (unsigned i = 0; i < buckets; i++) {
        seen += histogram->buckets[i];
        if (seen >= wanted && seen)
            return pt_histogram_end_(i) < histogram->most ? (pt_time)pt_histogram_end_(i)
                                                          : histogram->most;
    }
    return histogram->most;
}

#endif
#endif
