/* test_ticker.c - periodic ticks without drift, and what happens to missed ticks
 * SPDX-License-Identifier: MIT */
/* with the room group: others of its own have some of its names */
#include "test_talk.h"

#if PT_PORT && PT_TIMERS

/* Counts a number of ticks of 10 ms; the second one takes `ms`. */
struct clerk {
    struct pt pt;
    enum pt_ticks_policy policy;
    int ticks, ms, i;
    struct pt_ticker ticker;
};

static PT_ASYNC(clerk, self)
{
    pt_ticker_start(&self->ticker, PT_NOW(), PT_MS(10), self->policy);
    for (self->i = 1; self->i <= self->ticks; self->i++) {
        PT_WAIT_TICK(&self->ticker);
        trace_add("%d", test_ms(PT_NOW()));
        if (self->ticker.missed)
            trace_add("(%u)", self->ticker.missed);
        trace_add(" ");
        if (self->i == 2)
            PT_WAIT((pt_time)self->ms * PT_MS(1));
    }
}
PT_END

/* Check the trace of a clerk. */
static void count_ticks(enum pt_ticks_policy policy, int ticks, int ms, const char *trace)
{
    static PT_TASK(clerk) clerk;

    test_zero(clerk);
    test_open(&world);
    ck_assert_int_eq(
        PT_START(&world.loop, &clerk, clerk, .policy = policy, .ticks = ticks, .ms = ms), PT_OK);
    run_world(trace);
}

START_TEST(ticks_come_at_their_period_without_drift)
{
    count_ticks(PT_TICKS_BURST, 5, 7, "10 20 30 40 50 ");
    count_ticks(PT_TICKS_DELAY, 5, 7, "10 20 30 40 50 ");
    count_ticks(PT_TICKS_SKIP, 5, 7, "10 20 30 40 50 ");
}
END_TEST

START_TEST(missed_ticks_come_in_a_burst_one_by_one)
{
    count_ticks(PT_TICKS_BURST, 7, 35, "10 20 55 55 55 60 70 ");
}
END_TEST

START_TEST(after_missed_ticks_the_next_comes_a_period_later)
{
    count_ticks(PT_TICKS_DELAY, 5, 35, "10 20 55(2) 65 75 ");
    count_ticks(PT_TICKS_DELAY, 5, 12, "10 20 32 42 52 "); /* late, but no tick was missed */
}
END_TEST

START_TEST(missed_ticks_are_skipped_and_the_next_comes_at_its_regular_time)
{
    count_ticks(PT_TICKS_SKIP, 5, 35, "10 20 55(2) 60 70 ");
    count_ticks(PT_TICKS_SKIP, 5, 12, "10 20 32 40 50 ");
    count_ticks(PT_TICKS_SKIP, 5, 20, "10 20 40(1) 50 60 "); /* late by exactly one period */
}
END_TEST

#if PT_TIME_BITS == 64
/* A period of one clock tick, of which it then misses a number. */
struct latecomer {
    struct pt pt;
    pt_time late;
    struct pt_ticker ticker;
};

static PT_ASYNC(latecomer, self)
{
    pt_ticker_start(&self->ticker, PT_NOW(), 1, PT_TICKS_SKIP);
    PT_WAIT(self->late);
    PT_WAIT_TICK(&self->ticker);
}
PT_END

START_TEST(the_count_of_missed_ticks_saturates)
{
    static const uint64_t missed[] = {7, UINT_MAX, (uint64_t)UINT_MAX + 1, (uint64_t)UINT_MAX + 6};
    static PT_TASK(latecomer) late;

    for (int i = 0; i < 4; i++) {
        test_zero(late);
        test_open(&world);
        PT_START(&world.loop, &late, latecomer, .late = missed[i] + 1);
        run_world("");
        ck_assert_uint_eq(late.frame.ticker.missed, i ? UINT_MAX : 7);
    }
}
END_TEST
#endif

START_TEST(other_tasks_run_between_the_ticks_of_a_burst)
{
    static PT_TASK(clerk) one, two;

    test_zero(one);
    test_zero(two);
    test_open(&world);
    PT_START(&world.loop, &one, clerk, .policy = PT_TICKS_BURST, .ticks = 4, .ms = 0);
    PT_START(&world.loop, &two, clerk, .policy = PT_TICKS_SKIP, .ticks = 4, .ms = 0);
    turn(0);
    for (int i = 0; i < 4; i++)
        turn(35); /* the clock jumped */
    ck_assert_trace("35 35(2) 35 35 ");
    run_world("40 40 50 60 ");
}
END_TEST

/* Parks for a long time, then waits for three ticks. */
struct idler {
    struct pt pt;
    enum pt_ticks_policy policy;
    int ticks;
    struct pt_ticker ticker;
};

static PT_ASYNC(idler, self)
{
    pt_ticker_start(&self->ticker, PT_NOW(), PT_MS(10), self->policy);
    PT_PARK();
    for (; self->ticks < 3; self->ticks++)
        PT_WAIT_TICK(&self->ticker);
}
PT_END

/* Count the ticks that come at once after more than half the range of the clock. */
static int count_old_ticks(enum pt_ticks_policy policy)
{
    static PT_TASK(idler) idler;
    int ticks;

    test_zero(idler);
    test_open(&world);
    PT_START(&world.loop, &idler, idler, .policy = policy, .ticks = 0);
    turn(0);
    pt_loop_turn(&world.loop, (pt_time)(world.loop.now + PT_DELAY_MAX));
    pt_loop_turn(&world.loop, (pt_time)(world.loop.now + PT_DELAY_MAX / 2));
    pt_wake(&idler.task);
    for (int i = 0; i < 4; i++)
        pt_loop_turn(&world.loop, world.loop.now);
    ticks = idler.frame.ticks;
    run_world("");
    return ticks;
}

START_TEST(ticks_missed_for_most_of_the_clock_range_come_at_once)
{
    ck_assert_int_eq(count_old_ticks(PT_TICKS_BURST), 3);
    ck_assert_int_eq(count_old_ticks(PT_TICKS_DELAY), 1);
    ck_assert_int_eq(count_old_ticks(PT_TICKS_SKIP), 1);
}
END_TEST

/* Waits for five ticks of period zero, and 7 ms later for one more. */
struct drummer {
    struct pt pt;
    enum pt_ticks_policy policy;
    int ticks;
    struct pt_ticker ticker;
};

static PT_ASYNC(drummer, self)
{
    pt_ticker_start(&self->ticker, PT_NOW(), 0, self->policy);
    for (; self->ticks < 5; self->ticks++) {
        PT_WAIT_TICK(&self->ticker);
        trace_add("%d(%u) ", test_ms(PT_NOW()), self->ticker.missed);
    }
    PT_WAIT(PT_MS(7));
    PT_WAIT_TICK(&self->ticker);
    trace_add("%d(%u) ", test_ms(PT_NOW()), self->ticker.missed);
}
PT_END

START_TEST(a_ticker_without_a_period_ticks_in_each_turn)
{
    static PT_TASK(drummer) drummer;

    for (int policy = PT_TICKS_BURST; policy <= PT_TICKS_SKIP; policy++) {
        test_zero(drummer);
        test_open(&world);
        PT_START(&world.loop, &drummer, drummer, .policy = (enum pt_ticks_policy)policy);
        for (int ticks = 0; ticks < 5; ticks++) {
            pt_loop_turn(&world.loop, TEST_START); /* the first turn starts the ticker */
            ck_assert_int_eq(drummer.frame.ticks, ticks);
        }
        run_world("0(0) 0(0) 0(0) 0(0) 0(0) 7(0) ");
    }
}
END_TEST

/* Starts a ticker again, with another period. */
struct tuner {
    struct pt pt;
    struct pt_ticker *ticker;
    enum pt_ticks_policy policy;
    int at;
    pt_time period;
};

static PT_ASYNC(tuner, self)
{
    PT_WAIT((pt_time)self->at * PT_MS(1));
    pt_ticker_start(self->ticker, PT_NOW(), self->period, self->policy);
}
PT_END

/* Check the trace of a clerk whose ticker gets another period while the clerk waits for a tick. */
static void tune(enum pt_ticks_policy policy, int at, pt_time period, const char *trace)
{
    static PT_TASK(clerk) clerk;
    static PT_TASK(tuner) tuner;

    test_zero(clerk);
    test_zero(tuner);
    test_open(&world);
    PT_START(&world.loop, &clerk, clerk, .policy = policy, .ticks = 4, .ms = 0);
    PT_START(&world.loop, &tuner, tuner, .ticker = &clerk.frame.ticker, .policy = policy, .at = at,
             .period = period);
    run_world(trace);
    if (period > PT_DELAY_MAX)
        ck_assert_int_eq(pt_task_status(&clerk.task), PT_ERANGE);
}

START_TEST(a_task_that_waits_for_a_tick_waits_on_if_the_ticker_is_given_a_longer_period)
{
    tune(PT_TICKS_BURST, 25, PT_MS(90), "10 20 115 205 ");
    tune(PT_TICKS_DELAY, 25, PT_MS(90), "10 20 115 205 ");
    tune(PT_TICKS_SKIP, 25, PT_MS(90), "10 20 115 205 ");
    tune(PT_TICKS_SKIP, 25, PT_DELAY_NEVER, "10 20 ");
}
END_TEST

START_TEST(a_shorter_period_counts_from_the_start_but_does_not_end_a_wait_that_has_begun)
{
    tune(PT_TICKS_BURST, 25, PT_MS(2), "10 20 30 30 ");
    tune(PT_TICKS_DELAY, 25, PT_MS(2), "10 20 30(1) 32 ");
    tune(PT_TICKS_SKIP, 25, PT_MS(2), "10 20 30(1) 31 ");
    tune(PT_TICKS_SKIP, 25, 0, "10 20 30 30 ");
}
END_TEST

/* --- alarms -------------------------------------------------------------------------------- */

static PT_TASK(pt_alarm) alarm_task;

static void ring(void *argument)
{
    trace_add("%s@%d ", (const char *)argument, test_ms(world.loop.now));
}

static void open_alarm(int delay, int period)
{
    static char gong[] = "ding";

    test_zero(alarm_task);
    test_open(&world);
    PT_START(&world.loop, &alarm_task, pt_alarm, .delay = (pt_time)delay * PT_MS(1),
             .period = (pt_time)period * PT_MS(1), .call = ring, .argument = gong);
}

START_TEST(an_alarm_fires_once)
{
    open_alarm(5, 0);
    run_world("ding@5 ");
    ck_assert_int_eq(pt_task_status(&alarm_task.task), PT_OK);
}
END_TEST

#if PT_CANCEL
START_TEST(a_periodic_alarm_fires_until_it_is_canceled)
{
    open_alarm(5, 2);
    turn(0);
    for (int ms = 5; ms <= 9; ms++)
        turn(ms);
    turn(14); /* late: no time is skipped */
    turn(14);
    turn(14);
    pt_cancel(&alarm_task.task, PT_ECANCELED);
    run_world("ding@5 ding@7 ding@9 ding@14 ding@14 ");
}
END_TEST

START_TEST(an_alarm_that_is_canceled_before_its_time_never_fires)
{
    open_alarm(5, 0);
    turn(4);
    pt_cancel(&alarm_task.task, PT_ECANCELED);
    run_world("");
    ck_assert_int_eq(pt_task_status(&alarm_task.task), PT_ECANCELED);
}
END_TEST

START_TEST(the_first_delay_of_an_alarm_can_be_longer_than_its_period)
{
    open_alarm(50, 2);
    turn(0);
    turn(49);
    turn(51); /* late: the next time is not */
    turn(52);
    pt_cancel(&alarm_task.task, PT_ECANCELED);
    run_world("ding@51 ding@52 ");
}
END_TEST
#endif

#if PT_SYNC
struct sleeper {
    struct pt pt;
    struct pt_event *event;
};

static PT_ASYNC(sleeper, self)
{
    PT_WAIT_EVENT(self->event);
    trace_add("woken@%d ", test_ms(PT_NOW()));
}
PT_END

START_TEST(an_alarm_triggers_an_event)
{
    static PT_TASK(sleeper) sleeper;
    static struct pt_event event;

    test_zero(alarm_task);
    test_zero(sleeper);
    test_zero(event);
    test_open(&world);
    PT_START(&world.loop, &sleeper, sleeper, .event = &event);
    PT_START(&world.loop, &alarm_task, pt_alarm, .delay = PT_MS(6), .event = &event);
    run_world("woken@6 ");
    ck_assert(!event.set);
}
END_TEST
#endif

/* Check that the alarm is refused. */
static void check_refused(pt_time delay, pt_time period)
{
    test_zero(alarm_task);
    test_open(&world);
    PT_START(&world.loop, &alarm_task, pt_alarm, .delay = delay, .period = period, .call = ring);
    run_world("");
    ck_assert_int_eq(pt_task_status(&alarm_task.task), PT_ERANGE);
}

START_TEST(an_alarm_with_a_delay_that_is_too_long_fails_with_a_code)
{
    if (PT_DEBUG)
        return; /* it stops: test/misuse/delay_long.c */
    check_refused(PT_DELAY_NEVER, 0);
    check_refused(PT_DELAY_NEVER, PT_MS(1));
}
END_TEST

START_TEST(an_alarm_with_a_period_that_is_too_long_fails_before_it_fires)
{
    check_refused(PT_MS(1), PT_DELAY_NEVER);
}
END_TEST

Suite *suite_ticker(void)
{
    Suite *suite = test_suite("ticker");

    test_add(suite, ticks_come_at_their_period_without_drift);
    test_add(suite, missed_ticks_come_in_a_burst_one_by_one);
    test_add(suite, after_missed_ticks_the_next_comes_a_period_later);
    test_add(suite, missed_ticks_are_skipped_and_the_next_comes_at_its_regular_time);
#if PT_TIME_BITS == 64
    test_add(suite, the_count_of_missed_ticks_saturates);
#endif
    test_add(suite, other_tasks_run_between_the_ticks_of_a_burst);
    test_add(suite, a_ticker_without_a_period_ticks_in_each_turn);
    test_add(suite, ticks_missed_for_most_of_the_clock_range_come_at_once);
    test_add(suite, a_task_that_waits_for_a_tick_waits_on_if_the_ticker_is_given_a_longer_period);
    test_add(suite, a_shorter_period_counts_from_the_start_but_does_not_end_a_wait_that_has_begun);
    test_add(suite, an_alarm_fires_once);
#if PT_CANCEL
    test_add(suite, a_periodic_alarm_fires_until_it_is_canceled);
    test_add(suite, an_alarm_that_is_canceled_before_its_time_never_fires);
    test_add(suite, the_first_delay_of_an_alarm_can_be_longer_than_its_period);
#endif
#if PT_SYNC
    test_add(suite, an_alarm_triggers_an_event);
#endif
    test_add(suite, an_alarm_with_a_delay_that_is_too_long_fails_with_a_code);
    test_add(suite, an_alarm_with_a_period_that_is_too_long_fails_before_it_fires);
    return suite;
}
#else

Suite *suite_ticker(void)
{
    return test_suite("ticker");
}

#endif
