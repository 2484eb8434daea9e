/* bench.h - what the tests of devices need from the program of a board
 * SPDX-License-Identifier: MIT
 *
 * A test is a sentence, printed as "ok SENTENCE" or "FAIL SENTENCE". Between two interrupts of a
 * transfer the bench can hold it: a cancel then comes at exactly that place. */
#ifndef BENCH_H
#define BENCH_H

#include "../end.h"
#include "run.h"

static struct pt_loop loop;
static struct pt_waker held;

/* bench_hold_after - after COUNT more interrupts of the bus, keep the next one back, and post `held`
 * bench_release - hold no longer: what was kept back comes now */
void bench_hold_after(unsigned count);
void bench_release(void);

/* For the board's interrupt, behind the driver's: count it. True if the bus is now to be held. */
static struct {
    volatile unsigned left, seen; /* interrupts: until the hold, and all */
    volatile bool holds;
} bench;

static inline bool bench_interrupted(void)
{
    bench.seen++;
    if (!bench.left || --bench.left)
        return false;
    bench.holds = true;
    pt_waker_post(&held);
    return true;
}

static inline void bench_count(unsigned count)
{
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

static unsigned failed; /* tests */

static inline void expect(bool holds, const char *sentence)
{
    say(holds ? "ok " : "FAIL ");
    say(sentence);
    say("\n");
    failed += !holds;
}

/* --- the program ------------------------------------------------------------------------------ */

void board_received(void)
{
}

static inline void bench_open(void)
{
    board_start();
    pt_loop_init(&loop, board_now());
    pt_waker_open(&held, &loop, NULL);
}

/* Run until the task TESTS has ended; returns what main does. */
static inline int bench_run(struct pt_task *tests)
{
    while (pt_task_alive(tests))
        board_turn_posted(&loop);
    return failed != 0;
}

#endif
