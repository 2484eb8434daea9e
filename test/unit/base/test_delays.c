/* test_delays.c - a delay counts from the end of the step that asks for it, however long the step was
 * SPDX-License-Identifier: MIT */
#include "pt_test.h"

#if PT_HAS_CLOCK_ && PT_TIMED_PARKS && PT_CLEANUP

/* A step works for some milliseconds, and then waits in one of these ways; and what it does first. */
enum way { DELAY, UNTIL, PARK, PARK_TWICE, PARK_UNTIL, BLOCK, CASE, YIELD };
enum act { NOTHING, WAKE, CANCEL, PAUSE, UPDATE, LOOK };

struct delaying {
    struct pt pt;
    PT_IF_(PT_TIMEOUTS, struct pt_scope limit;)
    PT_IF_(PT_SELECTS, PT_SELECTION(2) choice;)
    enum way way;
    enum act act;
    struct pt_task *other;           /* on which it acts */
    int number, works, waits, ended; /* the latter three in ms */
};

enum { DELAYED = 100, LONGEST = -1 };

static PT_TASK(delaying) delayed[DELAYED];
static int times_shown;

static pt_time delay_of(const struct delaying *self)
{
    return self->waits == LONGEST ? PT_DELAY_MAX : (pt_time)self->waits * PT_MS(1);
}

static void work_first(struct delaying *self)
{
    PT_IF_(PT_INSPECT, pt_time deadline = 0;)

    world.clock.now = (pt_time)(world.clock.now + (pt_time)self->works * PT_MS(1));
    if (self->act == WAKE)
        pt_wake(self->other);
    if (self->act == UPDATE)
        pt_loop_update(&world.loop, world.clock.now);
#if PT_CANCEL
    if (self->act == CANCEL)
        pt_cancel(self->other, PT_ECANCELED);
#endif
#if PT_PAUSE
    if (self->act == PAUSE)
        pt_pause(self->other);
#endif
#if PT_INSPECT
    if (self->act == LOOK && pt_task_deadline(self->other, &deadline))
        trace_add("%s until %d ", pt_task_doing(self->other), test_ms(deadline));
#endif
}

static PT_ASYNC(delaying, self)
{
    work_first(self);
    if (self->way == DELAY) {
        PT_WAIT(delay_of(self));
    } else if (self->way == UNTIL) {
        PT_WAIT_DEADLINE(PT_NOW() + delay_of(self));
    } else if (self->way == PARK) {
        PT_PARK_FOR(delay_of(self));
    } else if (self->way == PARK_TWICE) {
        PT_PARK_FOR(delay_of(self));
        PT_PARK();
    } else if (self->way == PARK_UNTIL) {
        PT_PARK_DEADLINE(PT_NOW() + delay_of(self));
#if PT_TIMEOUTS
    } else if (self->way == BLOCK) {
        PT_WITH_TIMEOUT(&self->limit, delay_of(self)) {
            PT_PARK();
        }
#endif
#if PT_SELECTS
    } else if (self->way == CASE) {
        PT_SELECT(&self->choice, PT_CASE_AFTER(delay_of(self)));
#endif
    } else {
        PT_YIELD();
    }
    PT_RETURN(self->pt.status);
    PT_FINALLY
    self->ended = test_ms(PT_NOW());
    trace_add("%d@%d", self->number, self->ended);
    trace_add(self->pt.result ? ":%d " : " ", self->pt.result);
}
PT_END

static pt_time read_shown(void *context)
{
    times_shown++;
    return ((struct pt_virtual *)context)->now;
}

/* A cheap clock is read in each PT_WAIT; a reading of another one is for all delays of a turn. */
enum { CHEAP, DEAR, CLOCKS };

static void open_delays(int clock)
{
    test_zero(delayed);
    test_open(&world);
    times_shown = 0;
    world.clock.port.now = read_shown;
    world.clock.port.is_cheap = clock == CHEAP;
}

/* Task I works for so many milliseconds, and waits for so many. */
static void start_delaying(int i, int works, enum way way, int waits)
{
    if ((way == BLOCK && !PT_TIMEOUTS) || (way == CASE && !PT_SELECTS))
        return;
    ck_assert_int_eq(PT_START(&world.loop, &delayed[i], delaying, .number = i, .works = works,
                              .way = way, .waits = waits),
                     PT_OK);
}

/* What a block, or a case of a select, adds to a trace, if there is one. */
#define OF_BLOCK(text) PT_CHOOSE_(PT_TIMEOUTS, text, "")
#define OF_CASE(text) PT_CHOOSE_(PT_SELECTS, text, "")

/* The same; before it waits it acts on OTHER. */
static void start_acting(int i, int works, enum act act, int other)
{
    ck_assert_int_eq(PT_START(&world.loop, &delayed[i], delaying, .number = i, .works = works,
                              .way = DELAY, .waits = 20, .act = act, .other = &delayed[other].task),
                     PT_OK);
}

/* --- from where a wait counts --- */

START_TEST(a_delay_counts_from_the_end_of_a_long_step)
{
    for (int clock = 0; clock < CLOCKS; clock++) {
        open_delays(clock);
        start_delaying(0, 50, DELAY, 20);
        run_world("0@70 ");
        open_delays(clock);
        start_delaying(0, 50, PARK, 20);
        run_world("0@70:-7 ");
    }
}
END_TEST

START_TEST(a_delay_of_a_task_after_a_long_step_is_not_shorter)
{
    for (int clock = 0; clock < CLOCKS; clock++) {
        open_delays(clock);
        start_delaying(0, 50, DELAY, 30);
        start_delaying(1, 0, DELAY, 20);
        start_delaying(2, 0, PARK, 25);
        run_world("1@70 2@75:-7 0@80 ");
    }
}
END_TEST

START_TEST(a_delay_can_begin_at_the_end_of_the_turn)
{
    open_delays(CHEAP);
    start_delaying(0, 5, DELAY, 20);
    start_delaying(1, 50, DELAY, 20);
    run_world("0@55 1@75 "); /* the second step was in the way */
    open_delays(DEAR);
    start_delaying(0, 5, DELAY, 20);
    start_delaying(1, 50, DELAY, 20);
    run_world("0@75 1@75 ");
}
END_TEST

START_TEST(what_is_not_a_delay_counts_from_the_time_of_the_turn)
{
    for (int clock = 0; clock < CLOCKS; clock++) {
        open_delays(clock);
        start_delaying(0, 5, UNTIL, 20);
        start_delaying(1, 5, PARK_UNTIL, 21);
        start_delaying(2, 5, BLOCK, 22);
        start_delaying(3, 5, CASE, 23);
        run_world("0@20 1@21:-7 " OF_BLOCK("2@22:-7 ") OF_CASE("3@23 "));
    }
}
END_TEST

START_TEST(a_delay_of_0_ends_in_the_next_turn)
{
    for (int clock = 0; clock < CLOCKS; clock++) {
        open_delays(clock);
        start_delaying(0, 5, DELAY, 0);
        start_delaying(1, 5, YIELD, 0);
        start_delaying(2, 5, PARK, 0);
        run_world("1@15 0@15 2@15:-7 ");
    }
}
END_TEST

START_TEST(the_longest_delay_does_not_get_longer)
{
    for (int clock = 0; clock < CLOCKS; clock++) {
        open_delays(clock);
        start_delaying(0, 5, DELAY, LONGEST);
        start_delaying(1, 5, PARK, LONGEST);
        ck_assert_int_eq(pt_loop_run(&world.loop), PT_OK);
        ck_assert(world.clock.now == (pt_time)(TEST_START + PT_DELAY_MAX));
        test_close(&world);
        trace_take();
    }
}
END_TEST

START_TEST(a_turn_by_hand_counts_from_its_time)
{
    for (int clock = 0; clock < CLOCKS; clock++) {
        open_delays(clock);
        start_delaying(0, 50, DELAY, 20);
        start_delaying(1, 0, PARK, 20);
        ck_assert_int_eq(test_ms(pt_loop_turn(&world.loop, TEST_START)), 20);
        ck_assert_int_eq(times_shown, 0);
        run_world("0@50 1@50:-7 ");
    }
}
END_TEST

/* --- before the delay has begun, by a clock that is not cheap --- */

START_TEST(a_wake_ends_a_park_that_has_not_begun_to_count)
{
    for (int clock = 0; clock < CLOCKS; clock++) {
        open_delays(clock);
        start_delaying(0, 5, PARK, 1);
        start_acting(1, 5, WAKE, 0);
        run_world("0@10 1@30 ");
    }
}
END_TEST

START_TEST(a_park_that_has_not_begun_to_count_leaves_no_timer)
{
    for (int clock = 0; clock < CLOCKS; clock++) {
        open_delays(clock);
        start_delaying(0, 5, PARK_TWICE, 1000);
        start_acting(1, 5, WAKE, 0);
        ck_assert_int_eq(pt_loop_run(&world.loop), PT_EDEADLK);
        ck_assert_int_eq(test_ms(world.clock.now), 30); /* nothing was waited for after that */
        pt_wake(&delayed[0].task);
        run_world("1@30 0@30 ");
    }
}
END_TEST

START_TEST(a_wake_does_not_end_a_sleep_that_has_not_begun_to_count)
{
    open_delays(DEAR);
    start_delaying(0, 5, DELAY, 10);
    start_acting(1, 5, WAKE, 0);
    run_world("0@20 1@30 ");
}
END_TEST

#if PT_CANCEL
START_TEST(a_cancel_ends_a_sleep_that_has_not_begun_to_count)
{
    open_delays(DEAR);
    start_delaying(0, 5, DELAY, 10);
    start_acting(1, 5, CANCEL, 0);
    start_delaying(2, 5, PARK, 10);
    start_acting(3, 5, CANCEL, 2);
    run_world("0@20:-1 2@20:-1 1@40 3@40 ");
}
END_TEST
#endif

#if PT_PAUSE
START_TEST(a_paused_task_sleeps_for_its_delay_and_waits_for_the_resume)
{
    for (int clock = 0; clock < CLOCKS; clock++) {
        open_delays(clock);
        start_delaying(0, 5, DELAY, 10);
        start_acting(1, 5, PAUSE, 0);
        ck_assert_int_eq(pt_loop_run(&world.loop), PT_EDEADLK);
        ck_assert_trace("1@30 ");
        pt_resume(&delayed[0].task);
        run_world("0@30 ");
    }
}
END_TEST
#endif

START_TEST(an_update_of_the_time_is_a_reading_for_the_delays_before_it)
{
    open_delays(DEAR);
    start_delaying(0, 5, DELAY, 10);
    start_acting(1, 5, UPDATE, 0);
    start_delaying(2, 5, UNTIL, 10); /* the time of the turn is 10 now */
    run_world("0@20 2@20 1@35 ");
}
END_TEST

#if PT_INSPECT
START_TEST(a_task_can_be_looked_at_before_its_delay_has_begun_to_count)
{
    open_delays(DEAR);
    start_delaying(0, 5, DELAY, 10);
    start_acting(1, 5, LOOK, 0);
    run_world("sleeps until 10 0@20 1@30 ");
}
END_TEST
#endif

/* --- order, and how often the clock is read --- */

START_TEST(timers_are_armed_in_the_order_of_the_requests)
{
    for (int grain = 0; grain < 4; grain++) {
        open_delays(grain / 2);
        world.clock.port.grain = (pt_time)(grain % 2) * PT_MS(1);
        start_delaying(0, 0, DELAY, 11 - grain % 2);
        start_delaying(1, 0, UNTIL, 11);
        start_delaying(2, 0, PARK, 11 - grain % 2);
        start_delaying(3, 0, BLOCK, 11);
        start_delaying(4, 0, DELAY, 11 - grain % 2);
        start_delaying(5, 0, PARK_UNTIL, 11);
        start_delaying(6, 0, CASE, 11);
        start_delaying(7, 0, DELAY, 11 - grain % 2);
        run_world(
            "0@11 1@11 2@11:-7 " OF_BLOCK("3@11:-7 ") "4@11 5@11:-7 " OF_CASE("6@11 ") "7@11 ");
    }
}
END_TEST

START_TEST(one_reading_is_for_many_delays_and_none_is_too_short)
{
    const int readings = (DELAYED + (int)PT_SLEEPERS_ - 1) / (int)PT_SLEEPERS_;

    open_delays(DEAR);
    for (int i = 0; i < DELAYED; i++)
        start_delaying(i, 1, DELAY, 1000);
    while (pt_loop_live(&world.loop))
        ck_assert_int_eq(pt_loop_run(&world.loop), PT_OK);
    for (int i = 0; i < DELAYED; i++) {
        ck_assert_int_ge(delayed[i].frame.ended, i + 1 + 1000);
        ck_assert_int_le(delayed[i].frame.ended, i + 1 + 1000 + (int)PT_SLEEPERS_);
    }
    ck_assert_int_eq(times_shown, 1 + readings + readings); /* the turns; for their delays */
    test_close(&world);
    trace_take();
}
END_TEST

START_TEST(a_clock_that_shows_whole_ticks_adds_one_to_a_delay)
{
    open_delays(DEAR);
    world.clock.port.grain = PT_MS(1);
    start_delaying(0, 5, DELAY, 10);
    start_delaying(1, 0, DELAY, 0);
    start_delaying(2, 0, UNTIL, 10);
    start_delaying(3, 0, PARK, 10);
    run_world("1@5 2@10 0@16 3@16:-7 ");
}
END_TEST

/* Yields, or waits for the next turn, and looks how often the other one did. */
struct racer {
    struct pt pt;
    bool waits;
    int laps, most, seen;
    struct racer *other;
};

static PT_ASYNC(racer, self)
{
    for (; self->laps < 1000; self->laps++) {
        if (self->most < self->other->laps - self->seen)
            self->most = self->other->laps - self->seen;
        self->seen = self->other->laps;
        if (self->waits)
            PT_WAIT(0);
        else
            PT_YIELD();
    }
}
PT_END

START_TEST(a_delay_of_0_ends_in_the_next_turn_when_turns_share_a_reading)
{
    static PT_TASK(racer) racers[2];

    for (int clock = 0; clock < CLOCKS; clock++) {
        open_delays(clock);
        test_zero(racers);
        for (int i = 0; i < 2; i++)
            ck_assert_int_eq(PT_START(&world.loop, &racers[i], racer, .waits = i == 0,
                                      .other = &racers[1 - i].frame),
                             PT_OK);
        run_world("");
        ck_assert_int_le(racers[0].frame.most, 2);
    }
}
END_TEST

/* --- other loops --- */

#if PT_NESTING
START_TEST(a_delay_in_a_nested_loop_counts_from_the_end_of_its_step)
{
    static PT_TASK(pt_loop_async) host;
    struct pt_loop inner;

    for (int clock = 0; clock < CLOCKS; clock++) {
        open_delays(clock);
        test_zero(host);
        pt_loop_open(&inner, &world.clock.port);
        for (int i = 0; i < 2; i++)
            ck_assert_int_eq(PT_START(&inner, &delayed[i], delaying, .number = i,
                                      .works = 50 * (1 - i), .waits = 20 + i),
                             PT_OK);
        ck_assert_int_eq(PT_START(&world.loop, &host, pt_loop_async, .loop = &inner), PT_OK);
        ck_assert_int_eq(pt_loop_run(&world.loop), PT_OK);
        ck_assert_trace("0@70 1@71 ");
        pt_loop_close(&inner);
        test_close(&world);
    }
}
END_TEST

START_TEST(a_loop_that_was_nested_counts_from_the_time_of_a_turn_by_hand)
{
    static PT_TASK(pt_loop_async) host;
    struct pt_loop inner;

    for (int clock = 0; clock < CLOCKS; clock++) {
        open_delays(clock);
        test_zero(host);
        pt_loop_open(&inner, &world.clock.port);
        ck_assert_int_eq(PT_START(&inner, &delayed[0], delaying, .waits = 1), PT_OK);
        ck_assert_int_eq(PT_START(&world.loop, &host, pt_loop_async, .loop = &inner), PT_OK);
        ck_assert_int_eq(pt_loop_run(&world.loop), PT_OK);
        ck_assert_trace("0@1 ");
        ck_assert_int_eq(
            PT_START(&inner, &delayed[1], delaying, .number = 1, .works = 50, .waits = 20), PT_OK);
        ck_assert_int_eq(test_ms(pt_loop_turn(&inner, test_at(1))), 21);
        pt_loop_turn(&inner, test_at(21));
        ck_assert_trace("1@21 ");
        pt_loop_close(&inner);
        test_close(&world);
    }
}
END_TEST
#endif

Suite *suite_delays(void)
{
    Suite *suite = test_suite("delays");

    test_add(suite, a_delay_counts_from_the_end_of_a_long_step);
    test_add(suite, a_delay_of_a_task_after_a_long_step_is_not_shorter);
    test_add(suite, a_delay_can_begin_at_the_end_of_the_turn);
    test_add(suite, what_is_not_a_delay_counts_from_the_time_of_the_turn);
    test_add(suite, a_delay_of_0_ends_in_the_next_turn);
    test_add(suite, the_longest_delay_does_not_get_longer);
    test_add(suite, a_turn_by_hand_counts_from_its_time);
    test_add(suite, a_wake_ends_a_park_that_has_not_begun_to_count);
    test_add(suite, a_park_that_has_not_begun_to_count_leaves_no_timer);
    test_add(suite, a_wake_does_not_end_a_sleep_that_has_not_begun_to_count);
#if PT_CANCEL
    test_add(suite, a_cancel_ends_a_sleep_that_has_not_begun_to_count);
#endif
#if PT_PAUSE
    test_add(suite, a_paused_task_sleeps_for_its_delay_and_waits_for_the_resume);
#endif
    test_add(suite, an_update_of_the_time_is_a_reading_for_the_delays_before_it);
#if PT_INSPECT
    test_add(suite, a_task_can_be_looked_at_before_its_delay_has_begun_to_count);
#endif
    test_add(suite, timers_are_armed_in_the_order_of_the_requests);
    test_add(suite, one_reading_is_for_many_delays_and_none_is_too_short);
    test_add(suite, a_clock_that_shows_whole_ticks_adds_one_to_a_delay);
    test_add(suite, a_delay_of_0_ends_in_the_next_turn_when_turns_share_a_reading);
#if PT_NESTING
    test_add(suite, a_delay_in_a_nested_loop_counts_from_the_end_of_its_step);
    test_add(suite, a_loop_that_was_nested_counts_from_the_time_of_a_turn_by_hand);
#endif
    return suite;
}
#else

Suite *suite_delays(void)
{
    return test_suite("delays");
}

#endif
