/* test_readings.h - a loop whose clock moves under its tasks, and tasks that yield, for the tests of
 * pt_loop_run and the clock
 * SPDX-License-Identifier: MIT */
#ifndef TEST_READINGS_H
#define TEST_READINGS_H

#include "pt_test.h"

#if PT_PORT && PT_TIMERS && PT_CLEANUP && PT_TIME_BITS == 64
#define TEST_READINGS 1

static int readings;

/* A step takes time: the clock moves under the body. */
static inline void burn(pt_time ticks)
{
    world.clock.now = (pt_time)(world.clock.now + ticks);
}

static inline pt_time counted_now(void *context)
{
    readings++;
    return pt_virtual_now_(context);
}

static inline void open_world(void)
{
    test_open(&world);
    world.clock.port.now = counted_now;
    readings = 0;
}

static inline void end_world(void)
{
    ck_assert_int_eq(pt_loop_run(&world.loop), PT_OK);
    test_close(&world);
}

/* Yields; from its step FROM on each step takes time. */
struct spinner {
    struct pt pt;
    int steps, from, left;
    pt_time takes;
};

static PT_ASYNC(spinner, self)
{
    for (self->steps = 0; self->steps < self->left; self->steps++) {
        if (self->steps >= self->from)
            burn(self->takes);
        PT_YIELD();
    }
}
PT_END

enum { CROWD = 1000 };

static PT_TASK(spinner) spinners[CROWD];

static inline void start_spinner(int i, int from, int left, pt_time takes)
{
    PT_START(&world.loop, &spinners[i], spinner, .from = from, .left = left, .takes = takes);
}

#else
#define TEST_READINGS 0
#endif
#endif
