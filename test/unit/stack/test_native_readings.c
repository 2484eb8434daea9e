/* test_native_readings.c - no delay of a body on a stack counts from an old reading of the clock
 * SPDX-License-Identifier: MIT */
#include "test_native.h"

#if TEST_NATIVE && PT_TIMED_PARKS && PT_TIME_BITS == 64

static char kind;
static int yields;
static pt_time from;

static void wait_as_the_kind_says(struct pt_native *self)
{
    PT_SELECTION(1) choice;
    struct pt_scope limit;
    struct pt_ticker ticker;

    memset(&choice, 0, sizeof choice);
    memset(&limit, 0, sizeof limit);
    if (kind == 'w')
        pt_native_wait(self, PT_MS(10));
    if (kind == 'd')
        pt_native_wait_deadline(self, from + PT_MS(10));
    if (kind == 'p')
        pt_native_park_for(self, PT_MS(10));
    if (kind == 'P')
        pt_native_park_deadline(self, from + PT_MS(10));
    if (kind == 's')
        pt_native_select(self, &choice, PT_CASE_UNTIL(pt_native_now(self) + PT_MS(10)));
    if (kind == 'k') {
        pt_ticker_start(&ticker, pt_native_now(self), PT_MS(10), PT_TICKS_SKIP);
        pt_native_wait_tick(self, &ticker);
    }
    if (kind == 't') {
        pt_native_timeout(self, &limit, PT_MS(10));
        pt_native_park(self);
        pt_native_timeout_end(self, &limit);
    }
}

static pt_status wait_natively(struct pt_native *self)
{
    for (int i = 0; i < yields; i++)
        pt_native_yield(self);
    from = world.clock.now;
    wait_as_the_kind_says(self);
    trace_add("%c%d ", kind, (int)((pt_time)(world.clock.now - from) / PT_MS(1)));
    return PT_OK;
}

/* Keeps the loop busy; the step before the one that takes the time takes a millisecond. */
struct spinner {
    struct pt pt;
    int steps;
};

static PT_ASYNC(spinner, self)
{
    for (self->steps = 0; self->steps < yields + 50; self->steps++) {
        if (self->steps == yields - 1)
            world.clock.now += PT_MS(1);
        PT_YIELD();
    }
}
PT_END

static void check_delay(void)
{
    static PT_TASK(spinner) spinner;
    const char expected[] = {kind, '1', '0', ' ', 0};

    open_natives();
    test_zero(spinner);
    start(0, wait_natively);
    PT_START(&world.loop, &spinner, spinner);
    run_world(expected);
}

START_TEST(no_delay_of_a_native_body_counts_from_an_old_reading)
{
    for (const char *next = "wdpPskt"; *next; next++)
        for (yields = 1; yields < 150; yields++) {
            kind = *next;
            check_delay();
        }
}
END_TEST

Suite *suite_native_readings(void)
{
    Suite *suite = test_suite("native_readings");

    test_add(suite, no_delay_of_a_native_body_counts_from_an_old_reading);
    return suite;
}

#else

Suite *suite_native_readings(void)
{
    return test_suite("native_readings");
}

#endif
