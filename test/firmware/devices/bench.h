/* bench.h - what the tests of devices need from the program of a board
 * SPDX-License-Identifier: MIT
 *
 * A test is a sentence, printed as "ok SENTENCE" or "FAIL SENTENCE". Between two interrupts of a
 * transfer the bench can hold it: a cancel then comes at exactly that place. */
#ifndef BENCH_H
#define BENCH_H

#include "../end.h"
#include "run.h"

/* bench_hold_after - after COUNT more interrupts of the bus, keep the next one back, and post HELD
 * bench_release - hold no longer: what was kept back comes now */
void bench_hold_after(unsigned count, struct pt_waker *held);
void bench_release(void);

/* For the board's interrupt, behind the driver's: count it. True if the bus is now to be held. */
static struct {
    volatile unsigned left, seen; /* interrupts: until the hold, and all */
    struct pt_waker *held;
    volatile bool holds;
} bench;

static inline bool bench_interrupted(void)
{
    bench.seen++;
    if (!bench.left || --bench.left)
        return false;
    bench.holds = true;
    pt_waker_post(bench.held);
    return true;
}

static inline void bench_count(unsigned count, struct pt_waker *held)
{
    bench.held = held;
    bench.holds = false;
    bench.left = count;
}

static inline bool equals(const uint8_t *bytes, const uint8_t *others, unsigned length)
{
    while (length && *bytes == *others)
        bytes++, others++, length--;
    return !length;
}

static inline bool all_are(const uint8_t *bytes, unsigned length, uint8_t value)
{
    while (length && *bytes == value)
        bytes++, length--;
    return !length;
}

static unsigned failed;

static inline void expect(bool holds, const char *sentence)
{
    say(holds ? "ok " : "FAIL ");
    say(sentence);
    say("\n");
    failed += !holds;
}

#endif
