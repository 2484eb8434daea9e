/* test_time.c - PT_WAIT and PT_WAIT_DEADLINE: when, in which order, and across the wrap
 * SPDX-License-Identifier: MIT */
#include "pt_test.h"

#if PT_PORT && PT_TIMERS && PT_CLEANUP

/* Traces the time of each wakeup. */
struct beat {
    struct pt pt;
    char name;
    pt_time delay;
    int times;
};

static PT_ASYNC(beat, self)
{
    for (; self->times > 0; self->times--) {
        PT_WAIT(self->delay);
        trace_add("%c@%d ", self->name, test_ms(PT_NOW()));
    }
}
PT_END

typedef PT_TASK(beat) beat_task;

static beat_task beats[6];

static void open_beats(void)
{
    test_zero(beats);
    test_open(&world);
}

/* Start the task NAME with a delay in milliseconds. */
static void start_beat(char name, int ms, int times)
{
    ck_assert_int_eq(PT_START(&world.loop, &beats[name - 'a'], beat, .name = name,
                              .delay = (pt_time)((pt_time)ms * PT_MS(1)), .times = times),
                     PT_OK);
}

START_TEST(a_task_sleeps_for_its_delay)
{
    open_beats();
    start_beat('a', 5, 3);
    run_world("a@5 a@10 a@15 ");
    ck_assert_int_eq(test_ms(world.clock.now), 15);
}
END_TEST

START_TEST(sleepers_wake_by_deadline_across_the_wrap)
{
    open_beats();
    start_beat('a', 6, 1);
    start_beat('b', 3, 1);
    start_beat('c', 1, 1);
    start_beat('d', 4, 1);
    start_beat('e', 2, 1);
    start_beat('f', 5, 1);
    run_world("c@1 e@2 b@3 d@4 f@5 a@6 ");
}
END_TEST

START_TEST(equal_deadlines_fire_in_arming_order)
{
    open_beats();
    start_beat('c', 4, 2);
    start_beat('a', 2, 4);
    start_beat('b', 8, 1);
    start_beat('d', 4, 2);
    run_world("a@2 c@4 d@4 a@4 a@6 b@8 c@8 d@8 a@8 ");
}
END_TEST

START_TEST(a_wait_of_zero_waits_for_a_turn)
{
    open_beats();
    start_beat('a', 0, 2);
    start_beat('b', 0, 2);
    ck_assert_uint_eq(pt_loop_turn(&world.loop, TEST_START), TEST_START);
    ck_assert_trace("");
    ck_assert_uint_eq(pt_loop_turn(&world.loop, TEST_START), TEST_START);
    ck_assert_trace("a@0 b@0 ");
    run_world("a@0 b@0 ");
}
END_TEST

START_TEST(a_late_turn_fires_all_due_timers_in_order)
{
    open_beats();
    start_beat('a', 3, 1);
    start_beat('b', 1, 1);
    start_beat('c', 2, 2);
    pt_loop_turn(&world.loop, TEST_START);
    ck_assert_uint_eq(pt_loop_turn(&world.loop, test_at(10)), test_at(12));
    ck_assert_trace("b@10 c@10 a@10 ");
    world.clock.now = test_at(12);
    run_world("c@12 ");
}
END_TEST

START_TEST(a_turn_before_the_deadline_fires_nothing)
{
    open_beats();
    start_beat('a', 5, 1);
    pt_loop_turn(&world.loop, TEST_START);
    for (int ms = 1; ms < 5; ms++)
        ck_assert_uint_eq(pt_loop_turn(&world.loop, test_at(ms)), test_at(5));
    ck_assert_uint_eq(pt_loop_turn(&world.loop, (pt_time)(test_at(5) - 1)), test_at(5));
    ck_assert_trace("");
    pt_loop_turn(&world.loop, test_at(5));
    run_world("a@5 ");
}
END_TEST

/* --- limits --- */

struct extreme {
    struct pt pt;
    pt_time delay;
};

static PT_ASYNC(extreme, self)
{
    PT_WAIT(self->delay);
    trace_add("woke ");

    PT_FINALLY
    trace_add("end ");
}
PT_END

static PT_TASK(extreme) sleeper;

START_TEST(a_delay_that_is_too_long_fails_with_a_code)
{
    if (PT_DEBUG)
        return; /* it stops: test/misuse/delay_long.c */
    open_beats();
    test_zero(sleeper);
    PT_START(&world.loop, &sleeper, extreme, .delay = (pt_time)(PT_DELAY_MAX + 1));
    run_world("end ");
    ck_assert_int_eq(pt_task_status(&sleeper.task), PT_ERANGE);
}
END_TEST

START_TEST(the_longest_delay_passes)
{
    open_beats();
    test_zero(sleeper);
    PT_START(&world.loop, &sleeper, extreme, .delay = PT_DELAY_MAX);
    run_world("woke end ");
    ck_assert_int_eq(pt_task_status(&sleeper.task), PT_OK);
    ck_assert_uint_eq(world.clock.now, (pt_time)(TEST_START + PT_DELAY_MAX));
}
END_TEST

/* The clock wraps several times; the deadlines stay right. */
struct far {
    struct pt pt;
    int times;
    pt_time from;
};

static PT_ASYNC(far, self)
{
    for (; self->times > 0; self->times--) {
        self->from = PT_NOW();
        PT_WAIT((pt_time)(PT_DELAY_MAX / 3 * 2));
        trace_add("%d", (pt_time)(PT_NOW() - self->from) == PT_DELAY_MAX / 3 * 2);
    }
}
PT_END

static PT_TASK(far) travellers[2];

START_TEST(long_delays_hold_while_the_clock_wraps)
{
    open_beats();
    test_zero(travellers);
    for (int i = 0; i < 2; i++)
        PT_START(&world.loop, &travellers[i], far, .times = 10);
    run_world("11111111111111111111");
}
END_TEST

/* --- many sleepers --- */

static int resumes;

struct blinker {
    struct pt pt;
    pt_time delay;
};

static PT_ASYNC(blinker, self)
{
    resumes++;
    PT_WAIT(self->delay);
    resumes++;
}
PT_END

START_TEST(a_turn_resumes_no_sleeping_task)
{
    static PT_TASK(blinker) dozers[300], awake;
    pt_time now = TEST_START;

    test_zero(dozers);
    test_zero(awake);
    open_beats();
    resumes = 0;
    for (int i = 0; i < 300; i++)
        PT_START(&world.loop, &dozers[i], blinker, .delay = PT_MS(20 + i % 7));
    pt_loop_turn(&world.loop, now);
    ck_assert_int_eq(resumes, 300);
    for (int i = 0; i < 15; i++) { /* turns with something else to do */
        PT_START(&world.loop, &awake, blinker, .delay = PT_MS(1));
        pt_loop_turn(&world.loop, now);
        now = (pt_time)(now + PT_MS(1));
        pt_loop_turn(&world.loop, now);
    }
    ck_assert_int_eq(resumes, 300 + 15 * 2);
    world.clock.now = now;
    run_world("");
    ck_assert_int_eq(resumes, 2 * (300 + 15));
}
END_TEST

/* --- deadlines --- */

struct metronome {
    struct pt pt;
    pt_time next;
    int times;
};

static PT_ASYNC(metronome, self)
{
    self->next = PT_NOW();
    for (; self->times > 0; self->times--) {
        self->next = (pt_time)(self->next + PT_MS(10));
        PT_WAIT_DEADLINE(self->next);
        trace_add("%d@%d ", test_ms(self->next), test_ms(PT_NOW()));
    }
}
PT_END

static PT_TASK(metronome) steady;

START_TEST(a_periodic_wait_for_deadlines_does_not_drift)
{
    open_beats();
    test_zero(steady);
    PT_START(&world.loop, &steady, metronome, .times = 5);
    for (int ms = 0; pt_loop_live(&world.loop); ms += 7)
        pt_loop_turn(&world.loop, test_at(ms));
    run_world("10@14 20@21 30@35 40@42 50@56 ");
}
END_TEST

START_TEST(a_past_deadline_is_due_at_once)
{
    open_beats();
    test_zero(steady);
    PT_START(&world.loop, &steady, metronome, .times = 3);
    pt_loop_turn(&world.loop, TEST_START);
    ck_assert_uint_eq(pt_loop_turn(&world.loop, test_at(35)), test_at(35));
    ck_assert_trace("10@35 ");
    ck_assert_uint_eq(pt_loop_turn(&world.loop, test_at(35)), test_at(35));
    ck_assert_trace("20@35 ");
    world.clock.now = test_at(35);
    run_world("30@35 ");
}
END_TEST

#if PT_TIME_BITS < 64
/* A deadline that was computed in a wider type, below 0. */
struct wide {
    struct pt pt;
    int64_t deadline;
};

static PT_ASYNC(wide, self)
{
    PT_WAIT_DEADLINE((uint64_t)self->deadline);
    trace_add("%d@%d ", self->pt.status, test_ms(PT_NOW()));
}
PT_END

START_TEST(a_negative_deadline_in_a_wider_type_is_a_time_before_the_wrap)
{
    static PT_TASK(wide) wides[2];

    test_zero(wides);
    test_open(&world);
    PT_START(&world.loop, &wides[0], wide, .deadline = -(int64_t)PT_MS(1));
    PT_START(&world.loop, &wides[1], wide, .deadline = -(int64_t)PT_MS(5));
    pt_loop_turn(&world.loop, TEST_START); /* 3 ms before the wrap */
    run_world("0@0 0@2 ");
}
END_TEST
#endif

/* --- the most important rule --- */

enum { RANDOM_SLEEPERS = 40 };

struct random_sleeper {
    struct pt pt;
    struct pt_random chance;
    pt_time deadline;
    int times;
    int *early;
};

static PT_ASYNC(random_sleeper, self)
{
    for (; self->times > 0; self->times--) {
        self->deadline = (pt_time)(PT_NOW() + (pt_time)pt_random_below(&self->chance, 200));
        PT_WAIT_DEADLINE(self->deadline);
        *self->early += pt_time_before(PT_NOW(), self->deadline);
    }
}
PT_END

static PT_TASK(random_sleeper) sleepers[RANDOM_SLEEPERS];

START_TEST(a_timer_never_fires_early)
{
    struct pt_random chance = {3};
    pt_time now = (pt_time)(TEST_START + PT_MS(3) - 4000); /* 4,000 ticks before the wrap */
    int early = 0;

    open_beats();
    test_zero(sleepers);
    world.clock.now = now;
    for (int i = 0; i < RANDOM_SLEEPERS; i++)
        PT_START(&world.loop, &sleepers[i], random_sleeper, .chance.state = (uint64_t)i,
                 .times = 100, .early = &early);
    while (pt_loop_live(&world.loop)) {
        pt_loop_turn(&world.loop, now);
        now = (pt_time)(now + (pt_time)pt_random_below(&chance, 50));
    }
    ck_assert_int_eq(early, 0);
    test_close(&world);
}
END_TEST

/* --- a part: turns by hand, and a counter that shows whole ticks --- */

enum { TENTHS = 10, PROBE_TICKS = 3 };

static int tenths; /* the true time, in tenths of a tick */

static pt_time counter(void)
{
    return (pt_time)(TEST_START + (pt_time)(tenths / TENTHS));
}

/* Takes some time in each of three turns. */
struct hog {
    struct pt pt;
    int works, times;
};

static PT_ASYNC(hog, self)
{
    for (; self->times < 3; self->times++) {
        tenths += self->works;
        PT_YIELD();
    }
}
PT_END

/* Asks a device, works on, and reads the device's answer after PROBE_TICKS. */
struct probe {
    struct pt pt;
    bool is_exact;
    int works, asked, waited;
};

static PT_ASYNC(probe, self)
{
    self->asked = tenths;
    tenths += self->works;
    if (self->is_exact) {
        PT_YIELD();
        PT_WAIT(PROBE_TICKS + 1);
    } else {
        PT_WAIT(PROBE_TICKS);
    }
    self->waited = tenths - self->asked;
}
PT_END

/* How long a probe waits, in tenths, behind a task that takes HOG in each turn, if its own step takes WORKS. */
static int waited(bool is_exact, int phase, int hog, int works)
{
    static PT_TASK(hog) before;
    static PT_TASK(probe) probe;

    test_zero(before);
    test_zero(probe);
    test_open(&world);
    tenths = phase;
    PT_START(&world.loop, &before, hog, .works = hog);
    PT_START(&world.loop, &probe, probe, .is_exact = is_exact, .works = works);
    while (pt_task_alive(&probe.task)) {
        pt_time now = counter(), next = pt_loop_turn(&world.loop, now);

        if (next != now && pt_time_before(counter(), next))
            tenths =
                TENTHS * (int)(pt_time)(next - TEST_START); /* it sleeps until the tick begins */
    }
    while (pt_task_alive(&before.task))
        pt_loop_turn(&world.loop, counter());
    test_close(&world);
    return probe.frame.waited;
}

START_TEST(on_a_part_a_yield_and_a_tick_more_make_a_delay_that_is_not_too_short)
{
    int least = INT_MAX, least_plain = INT_MAX;

    for (int phase = 0; phase < TENTHS; phase++)
        for (int hog = 0; hog < 50; hog += 7)
            for (int works = 0; works < 50; works += 7) {
                int exact = waited(true, phase, hog, works);
                int plain = waited(false, phase, hog, works);

                least = exact < least ? exact : least;
                least_plain = plain < least_plain ? plain : least_plain;
            }
    ck_assert_int_ge(least, TENTHS * PROBE_TICKS);
    ck_assert_int_lt(least_plain, TENTHS * PROBE_TICKS);
    for (int phase = 0; phase < TENTHS; phase++) /* nor is it longer than it must be */
        ck_assert_int_le(waited(true, phase, 0, 0), TENTHS * (PROBE_TICKS + 1));
}
END_TEST

/* Changes an LED every five ticks. */
struct led {
    struct pt pt;
    int changes;
};

static PT_ASYNC(led, self)
{
    for (; self->changes < 1000; self->changes++)
        PT_WAIT(5);
}
PT_END

START_TEST(on_a_part_a_blink_by_delays_does_not_drift)
{
    static PT_TASK(led) led;
    pt_time now = TEST_START;

    test_zero(led);
    test_open(&world);
    PT_START(&world.loop, &led, led);
    while (pt_loop_live(&world.loop)) {
        pt_time next = pt_loop_turn(&world.loop, now);

        ck_assert_int_eq((int)(pt_time)(now - TEST_START), 5 * led.frame.changes);
        now = next;
    }
    ck_assert_int_eq(led.frame.changes, 1000);
    test_close(&world);
}
END_TEST

Suite *suite_time(void)
{
    Suite *suite = test_suite("time");

    test_add(suite, a_task_sleeps_for_its_delay);
    test_add(suite, sleepers_wake_by_deadline_across_the_wrap);
    test_add(suite, equal_deadlines_fire_in_arming_order);
    test_add(suite, a_wait_of_zero_waits_for_a_turn);
    test_add(suite, a_late_turn_fires_all_due_timers_in_order);
    test_add(suite, a_turn_before_the_deadline_fires_nothing);
    test_add(suite, a_delay_that_is_too_long_fails_with_a_code);
    test_add(suite, the_longest_delay_passes);
    test_add(suite, long_delays_hold_while_the_clock_wraps);
    test_add(suite, a_turn_resumes_no_sleeping_task);
    test_add(suite, a_periodic_wait_for_deadlines_does_not_drift);
    test_add(suite, a_past_deadline_is_due_at_once);
#if PT_TIME_BITS < 64
    test_add(suite, a_negative_deadline_in_a_wider_type_is_a_time_before_the_wrap);
#endif
    test_add(suite, a_timer_never_fires_early);
    test_add(suite, on_a_part_a_yield_and_a_tick_more_make_a_delay_that_is_not_too_short);
    test_add(suite, on_a_part_a_blink_by_delays_does_not_drift);
    return suite;
}
#else

Suite *suite_time(void)
{
    return test_suite("time");
}

#endif
