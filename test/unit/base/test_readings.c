/* test_readings.c - pt_loop_run reads the clock rarely, and no body can tell
 * SPDX-License-Identifier: MIT */
#include "test_readings.h"

#if TEST_READINGS

START_TEST(a_reading_of_the_clock_serves_many_short_steps)
{
    open_world();
    start_spinner(0, 0, 6400, 0);
    end_world();
    ck_assert_int_le(readings, PT_FAST_ && PT_TURN_STEPS ? 6400 / PT_TURN_STEPS + 10 : 6402);
}
END_TEST

START_TEST(steps_that_take_long_each_get_a_reading)
{
    open_world();
    start_spinner(0, 200, 500, PT_MS(1));
    end_world();
    ck_assert_int_ge(readings, 200); /* of 300 steps: not of the first ones that take long */
}
END_TEST

START_TEST(the_first_batch_counts_among_the_steps_of_a_reading)
{
    enum { TASKS = 100, YIELDS = 64 };

    test_zero(spinners);
    open_world();
    for (int i = 0; i < TASKS; i++)
        start_spinner(i, 0, YIELDS, 0);
    end_world();
    ck_assert_int_ge(readings, PT_TURN_STEPS < 2 * TASKS ? YIELDS : TASKS * YIELDS / PT_TURN_STEPS);
}
END_TEST

/* Takes many short steps, and then sleeps before and after each burst of long ones, which one reading could
 * serve. PARKS: it parks instead, until the sleeper wakes it. */
struct toiler {
    struct pt pt;
    int steps, bursts;
    bool parks;
};

static PT_ASYNC(toiler, self)
{
    for (self->steps = 0; self->steps < 1000; self->steps++)
        PT_YIELD();
    for (; self->bursts; self->bursts--) {
        if (self->parks)
            PT_PARK();
        else
            PT_WAIT(PT_MS(1));
        for (self->steps = 0; self->steps < 100; self->steps++) {
            burn(PT_MS(1));
            PT_YIELD();
        }
    }
}
PT_END

/* Sleeps again and again, and wakes a task; LATE counts when it wakes more than 5 ms late. */
struct dozer {
    struct pt pt;
    struct pt_task *other;
    int naps, late;
    pt_time due;
};

static PT_ASYNC(dozer, self)
{
    for (; self->naps; self->naps--) {
        self->due = (pt_time)(PT_NOW() + PT_MS(10));
        PT_WAIT_DEADLINE(self->due);
        self->late += pt_time_before((pt_time)(self->due + PT_MS(5)), PT_NOW());
        pt_wake(self->other);
    }
}
PT_END

static void check_bursts(bool parks)
{
    static PT_TASK(toiler) toiler;
    static PT_TASK(dozer) dozer;

    test_zero(toiler);
    test_zero(dozer);
    open_world();
    PT_START(&world.loop, &toiler, toiler, .bursts = 20, .parks = parks);
    PT_START(&world.loop, &dozer, dozer, .other = &toiler.task, .naps = 250, .late = 0);
    end_world();
    ck_assert_int_le(dozer.frame.late, 4); /* of 100, 30, 7 and 1 steps of a reading */
}

START_TEST(bursts_of_long_steps_delay_timers_only_at_first)
{
    check_bursts(false);
    check_bursts(true);
}
END_TEST

/* --- what a body does with the time -------------------------------------------------------- */

/* Yields, and then does what KIND says with a time 10 ms ahead; LATE: how late that was over. */
struct timer {
    struct pt pt;
    char kind;
    int yields;
    pt_time from;
    PT_IF_(PT_TIMEOUTS, struct pt_scope limit;)
    PT_IF_(PT_SELECTS, PT_SELECTION(1) choice;)
    struct pt_ticker ticker;
};

static PT_ASYNC(timer, self)
{
    while (self->yields-- > 0)
        PT_YIELD();
    self->from = world.clock.now;
    if (self->kind == 'w')
        PT_WAIT(PT_MS(10));
    if (self->kind == 'd')
        PT_WAIT_DEADLINE(self->from + PT_MS(10));
    if (self->kind == 'k') {
        pt_ticker_start(&self->ticker, PT_NOW(), PT_MS(10), PT_TICKS_SKIP);
        PT_WAIT_TICK(&self->ticker);
    }
#if PT_TIMED_PARKS
    if (self->kind == 'p')
        PT_PARK_FOR(PT_MS(10));
    if (self->kind == 'P')
        PT_PARK_DEADLINE(self->from + PT_MS(10));
#endif
#if PT_TIMEOUTS
    if (self->kind == 't') {
        PT_WITH_TIMEOUT(&self->limit, PT_MS(10)) {
            PT_PARK();
        }
    }
    if (self->kind == 'T') {
        PT_WITH_DEADLINE(&self->limit, self->from + PT_MS(10)) {
            PT_PARK();
        }
    }
    if (self->kind == 'r') {
        PT_WITH_TIMEOUT(&self->limit, PT_SEC(1)) {
            PT_YIELD();
            self->from = world.clock.now;
            PT_REARM(&self->limit, PT_MS(10));
            PT_PARK();
        }
    }
#endif
#if PT_SELECTS
    if (self->kind == 's')
        PT_SELECT(&self->choice, PT_CASE_AFTER(PT_MS(10)));
    if (self->kind == 'S')
        PT_SELECT(&self->choice, PT_CASE_UNTIL(self->from + PT_MS(10)));
#endif
    trace_add("%c%d ", self->kind, (int)((pt_time)(world.clock.now - self->from) / PT_MS(1)));
}
PT_END

static const char kinds[] =
    "wdk" PT_IF_(PT_TIMED_PARKS, "pP") PT_IF_(PT_TIMEOUTS, "tTr") PT_IF_(PT_SELECTS, "sS");

/* Steps take no time, but for one of 1 ms, just before the one that takes the time; and then the loop
 * is still busy. */
static void check_delay(char kind, int yields)
{
    static PT_TASK(timer) timer;
    const char expected[] = {kind, '1', '0', ' ', 0};

    test_zero(timer);
    test_zero(spinners);
    open_world();
    PT_START(&world.loop, &timer, timer, .kind = kind, .yields = yields);
    start_spinner(0, yields - 1, yields, PT_MS(1));
    start_spinner(1, 0, yields + 50, 0);
    end_world();
    ck_assert_trace(expected);
}

/* The turn's reading can be old then: so try each place in a run of batches. */
START_TEST(no_delay_counts_from_an_old_reading)
{
    for (const char *kind = kinds; *kind; kind++)
        for (int yields = 1; yields < 150; yields++)
            check_delay(*kind, yields);
}
END_TEST

/* Yields, burns time and sleeps at random; EARLY counts wakeups before their time, by the clock. */
struct chancer {
    struct pt pt;
    struct pt_random chance;
    int steps, early;
    pt_time delay, due;
};

static PT_ASYNC(chancer, self)
{
    for (; self->steps > 0; self->steps--) {
        if (pt_random_below(&self->chance, 8) == 0)
            burn((pt_time)pt_random_below(&self->chance, 5000));
        if (pt_random_below(&self->chance, 16)) {
            PT_YIELD();
        } else {
            self->delay = (pt_time)pt_random_below(&self->chance, 20000);
            self->due = (pt_time)(PT_NOW() + self->delay);
            PT_WAIT(self->delay);
            self->early += pt_time_before(PT_NOW(), self->due);
            self->early += pt_time_before(world.clock.now, self->due);
        }
    }
}
PT_END

START_TEST(no_delay_is_over_early_whatever_steps_take)
{
    static PT_TASK(chancer) chancers[20];

    for (uint64_t seed = 0; seed < 50; seed++) {
        test_zero(chancers);
        open_world();
        for (uint64_t i = 0; i < 1 + seed % 20; i++)
            PT_START(&world.loop, &chancers[i], chancer, .chance.state = 20 * seed + i,
                     .steps = 500, .early = 0);
        end_world();
        for (int i = 0; i < 20; i++)
            ck_assert_int_eq(chancers[i].frame.early, 0);
    }
}
END_TEST

/* PT_NOW is the same before and after a long step of its turn. */
struct looker {
    struct pt pt;
    int yields, moved, old;
    pt_time now;
};

static PT_ASYNC(looker, self)
{
    for (; self->yields > 0; self->yields--) {
        self->now = PT_NOW();
        self->old += self->now != world.clock.now;
        burn(1);
        self->moved += PT_NOW() != self->now;
        PT_YIELD();
    }
}
PT_END

START_TEST(the_time_of_a_turn_is_new_and_does_not_move)
{
    static PT_TASK(looker) looker;

    test_zero(looker);
    open_world();
    PT_START(&world.loop, &looker, looker, .yields = 500, .moved = 0, .old = 0);
    end_world();
    ck_assert_int_eq(looker.frame.moved, 0);
    ck_assert_int_eq(looker.frame.old, 0);
}
END_TEST

#if PT_NESTING
static void check_nested(int yields)
{
    static PT_TASK(timer) timer;
    static PT_TASK(pt_loop_async) inside;
    static struct pt_loop inner;

    test_zero(timer);
    test_zero(inside);
    test_zero(spinners);
    open_world();
    pt_loop_open(&inner, &world.clock.port);
    PT_START(&world.loop, &inside, pt_loop_async, .loop = &inner);
    PT_START(&inner, &timer, timer, .kind = 'w', .yields = yields);
    start_spinner(0, yields - 1, yields, PT_MS(1));
    PT_START(&inner, &spinners[1], spinner, .from = yields + 1, .left = yields + 200,
             .takes = PT_US(100));
    ck_assert_int_eq(pt_loop_run(&world.loop), PT_OK);
    ck_assert_int_ge(atoi(trace_take() + 1), 10); /* late, where steps begin to take long */
    pt_loop_close(&inner);
    test_close(&world);
}

START_TEST(a_loop_in_a_loop_runs_at_a_new_time)
{
    for (int yields = 1; yields < 150; yields++)
        check_nested(yields);
}
END_TEST
#endif

#if PT_TIMEOUTS && PT_TIMED_PARKS && PT_SELECTS
/* Its block is over while another task runs, in the turn before the one in which it would wait for
 * 10 ms in the block. */
struct limited {
    struct pt pt;
    char kind;
    int yields;
    struct pt_scope limit;
    struct pt_event event;
    PT_SELECTION(2) choice;
};

static PT_ASYNC(limited, self)
{
    pt_event_init(&self->event);
    PT_WITH_TIMEOUT(&self->limit, PT_US(500)) {
        while (self->yields-- > 0)
            PT_YIELD();
        if (self->kind == 'w')
            PT_WAIT(PT_MS(10));
        if (self->kind == 'p')
            PT_PARK_FOR(PT_MS(10));
        if (self->kind == 's')
            PT_SELECT(&self->choice, PT_CASE_EVENT(&self->event), PT_CASE_AFTER(PT_MS(10)));
        trace_add("too late ");
    }
    trace_add("%d@%d ", pt_timed_out(&self->limit), test_ms(PT_NOW()));
    PT_WAIT(PT_MS(20));
    trace_add("end@%d ", test_ms(PT_NOW()));
}
PT_END

START_TEST(a_block_that_the_new_reading_ends_is_ended_once)
{
    static PT_TASK(limited) limited;

    for (const char *kind = "wps"; *kind; kind++)
        for (int yields = 1; yields < 150; yields++) {
            test_zero(limited);
            test_zero(spinners);
            open_world();
            PT_START(&world.loop, &limited, limited, .kind = *kind, .yields = yields);
            start_spinner(0, yields - 1, yields, PT_MS(1));
            start_spinner(1, 0, yields + 50, 0);
            end_world();
            ck_assert_trace("1@1 end@21 ");
        }
}
END_TEST
#endif

Suite *suite_readings(void)
{
    Suite *suite = test_suite("readings");

    test_add(suite, a_reading_of_the_clock_serves_many_short_steps);
    test_add(suite, steps_that_take_long_each_get_a_reading);
    test_add(suite, the_first_batch_counts_among_the_steps_of_a_reading);
    test_add(suite, bursts_of_long_steps_delay_timers_only_at_first);
    test_add(suite, no_delay_counts_from_an_old_reading);
    test_add(suite, no_delay_is_over_early_whatever_steps_take);
    test_add(suite, the_time_of_a_turn_is_new_and_does_not_move);
#if PT_NESTING
    test_add(suite, a_loop_in_a_loop_runs_at_a_new_time);
#endif
#if PT_TIMEOUTS && PT_TIMED_PARKS && PT_SELECTS
    test_add(suite, a_block_that_the_new_reading_ends_is_ended_once);
#endif
    return suite;
}

#else

Suite *suite_readings(void)
{
    return test_suite("readings");
}

#endif
