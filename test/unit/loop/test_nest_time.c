/* test_nest_time.c - nested loops with long steps that update the time; long slow motion
 * SPDX-License-Identifier: MIT */
#include "pt_test.h"

#if PT_NESTING && PT_PORT && PT_CANCEL

enum { DEPTH = 3 };

/* The outermost loop first. Each runs the next one as a task. */
static struct test_world worlds[DEPTH];
static PT_TASK(pt_loop_async) clocks[DEPTH - 1];
static int idles;

/* Sleeps as the virtual port does, and checks that the deadline is not past. */
static bool idle(void *context, pt_time now, pt_time until)
{
    ck_assert_msg(!pt_time_before(until, now), "the loop sleeps until %d at %d", test_ms(until),
                  test_ms(now));
    idles++;
    return pt_virtual_idle_(context, now, until);
}

/* Sleeps, and checks that its loop's time neither goes back nor passes the real time. */
struct nap {
    struct pt pt;
    const struct pt_loop *loop;
    int ms, wakes;
    pt_time began;
};

static PT_ASYNC(nap, self)
{
    self->began = PT_NOW();
    PT_WAIT((pt_time)self->ms * PT_MS(1));
    ck_assert(!pt_time_before(PT_NOW(), self->began));
    ck_assert(!pt_time_before(worlds[0].clock.now, PT_NOW()));
    self->wakes = test_ms(worlds[0].clock.now);
}
PT_END

/* Works for 8 ms, updates the time of a loop, and sleeps for 5 ms by its own loop's time. */
struct busy {
    struct pt pt;
    struct pt_loop *told;
    int ends;
};

static PT_ASYNC(busy, self)
{
    worlds[0].clock.now += PT_MS(8);
    pt_loop_update(self->told, worlds[0].clock.now);
    PT_WAIT(PT_MS(5));
    self->ends = test_ms(worlds[0].clock.now);
}
PT_END

static PT_TASK(nap) naps[DEPTH][2];
static PT_TASK(busy) busy_task;

static void open_clocks(void)
{
    test_zero(clocks);
    test_zero(naps);
    test_zero(busy_task);
    idles = 0;
    for (int i = 0; i < DEPTH; i++)
        test_open(&worlds[i]);
    worlds[0].clock.port.idle = idle;
}

static void start_naps(int i)
{
    static const int ms[2] = {5, 10};

    for (int n = 0; n < 2; n++)
        ck_assert_int_eq(
            PT_START(&worlds[i].loop, &naps[i][n], nap, .loop = &worlds[i].loop, .ms = ms[n]),
            PT_OK);
}

static void close_clocks(void)
{
    ck_assert_int_eq(pt_loop_run(&worlds[0].loop), PT_OK);
    for (int i = DEPTH - 1; i > 0; i--)
        pt_loop_close(&worlds[i].loop);
    test_close(&worlds[0]);
}

/* A task of the loop FROM works long and updates the time of the loop TO, before or after the other
 * tasks. NAPPING: one bit for each loop in which tasks sleep. */
static void work_long(int from, int to, bool first, int napping)
{
    open_clocks();
    if (first)
        PT_START(&worlds[from].loop, &busy_task, busy, .told = &worlds[to].loop);
    for (int i = 0; i < DEPTH; i++) {
        if (napping >> i & 1)
            start_naps(i);
        if (i + 1 < DEPTH)
            PT_START(&worlds[i].loop, &clocks[i], pt_loop_async, .loop = &worlds[i + 1].loop);
    }
    if (!first)
        PT_START(&worlds[from].loop, &busy_task, busy, .told = &worlds[to].loop);
    close_clocks();
    ck_assert_int_ge(busy_task.frame.ends, from == to ? 13 : 8);
    for (int i = 0; i < DEPTH; i++)
        for (int n = 0; n < 2 && (napping >> i & 1); n++) {
            ck_assert_int_ge(naps[i][n].frame.wakes, n ? 10 : 8);
            ck_assert_int_le(naps[i][n].frame.wakes, n ? 18 : 13);
        }
    ck_assert_int_le(idles, 6); /* no polling */
}

START_TEST(a_task_can_update_the_time_of_any_loop_around_or_inside_its_own)
{
    for (int from = 0; from < DEPTH; from++)
        for (int to = 0; to < DEPTH; to++)
            for (int first = 0; first < 2; first++)
                for (int napping = 0; napping < 1 << DEPTH; napping++)
                    work_long(from, to, first, napping);
}
END_TEST

START_TEST(a_nested_deadline_that_is_past_for_the_outer_loop_is_due_at_once)
{
    open_clocks();
    PT_START(&worlds[0].loop, &clocks[0], pt_loop_async, .loop = &worlds[1].loop);
    PT_START(&worlds[1].loop, &busy_task, busy, .told = &worlds[0].loop);
    ck_assert_uint_eq(pt_loop_turn(&worlds[0].loop, TEST_START), test_at(8));
    close_clocks();
    ck_assert_int_eq(busy_task.frame.ends, 8);
    ck_assert_int_eq(idles, 0);
}
END_TEST

START_TEST(updating_a_nested_loop_updates_the_loops_around_it)
{
    open_clocks();
    for (int i = 0; i + 1 < DEPTH; i++)
        PT_START(&worlds[i].loop, &clocks[i], pt_loop_async, .loop = &worlds[i + 1].loop);
    PT_START(&worlds[DEPTH - 1].loop, &busy_task, busy, .told = &worlds[DEPTH - 1].loop);
    pt_loop_turn(&worlds[0].loop, TEST_START);
    for (int i = 0; i < DEPTH; i++)
        ck_assert_uint_eq(worlds[i].loop.now, test_at(8));
    close_clocks();
    ck_assert_int_eq(busy_task.frame.ends, 13);
}
END_TEST

/* Updates a loop with a time that is 8 ms old, and sleeps for 5 ms. */
struct stale {
    struct pt pt;
    struct pt_loop *told;
    int ends;
};

static PT_ASYNC(stale, self)
{
    pt_loop_update(self->told, (pt_time)(PT_NOW() - PT_MS(8)));
    PT_WAIT(PT_MS(5));
    self->ends = test_ms(worlds[0].clock.now);
}
PT_END

static void tell_late(int from, int to)
{
    static PT_TASK(stale) stale_task;

    open_clocks();
    test_zero(stale_task);
    for (int i = 0; i + 1 < DEPTH; i++)
        PT_START(&worlds[i].loop, &clocks[i], pt_loop_async, .loop = &worlds[i + 1].loop);
    PT_START(&worlds[from].loop, &stale_task, stale, .told = &worlds[to].loop);
    pt_loop_turn(&worlds[0].loop, TEST_START);
    for (int i = 0; i < DEPTH; i++)
        ck_assert_uint_eq(worlds[i].loop.now, TEST_START);
    close_clocks();
    ck_assert_int_eq(stale_task.frame.ends, 5);
}

START_TEST(a_past_time_moves_no_loop_back)
{
    for (int from = 0; from < DEPTH; from++)
        for (int to = 0; to < DEPTH; to++)
            tell_late(from, to);
}
END_TEST

/* The busy task updates the nested loop, which runs later in the same turn. */
START_TEST(a_nested_loop_that_an_outer_task_updates_does_not_go_back)
{
    open_clocks();
    start_naps(1);
    ck_assert_int_eq(PT_START(&worlds[0].loop, &clocks[0], pt_loop_async, .loop = &worlds[1].loop),
                     PT_OK);
    pt_loop_turn(&worlds[0].loop, TEST_START);
    PT_START(&worlds[0].loop, &busy_task, busy, .told = &worlds[1].loop);
    start_naps(2); /* makes the nested loop run after the busy task */
    PT_START(&worlds[1].loop, &clocks[1], pt_loop_async, .loop = &worlds[2].loop);
    pt_loop_turn(&worlds[0].loop, TEST_START);
    ck_assert_uint_eq(worlds[1].loop.now, test_at(8));
    pt_loop_turn(&worlds[0].loop, test_at(8));
    ck_assert_int_eq(naps[1][0].frame.wakes, 8);
    close_clocks();
    ck_assert_int_eq(naps[1][1].frame.wakes, 10);
}
END_TEST

#if PT_AWAIT
/* Sleeps until a deadline, which counts from its loop's time. */
struct appointment {
    struct pt pt;
    int ms, wakes;
};

static PT_ASYNC(appointment, self)
{
    PT_WAIT_DEADLINE((pt_time)(PT_NOW() + (pt_time)self->ms * PT_MS(1)));
    self->wakes = test_ms(worlds[0].clock.now);
}
PT_END

static PT_TASK(appointment) appointments[2];

/* Works for 8 ms, opens a loop, and awaits it. The new loop's time is ahead of the task's turn. */
struct opener {
    struct pt pt;
    struct pt_loop_async run;
};

static PT_ASYNC(opener, self)
{
    worlds[0].clock.now += PT_MS(8);
    worlds[1].clock.now = worlds[0].clock.now;
    pt_loop_open(&worlds[1].loop, &worlds[1].clock.port);
    start_naps(1);
    PT_START(&worlds[1].loop, &appointments[0], appointment, .ms = 5);
    PT_START(&worlds[1].loop, &appointments[1], appointment, .ms = 10);
    PT_WAIT_COMPLETE(&self->run, pt_loop_async, .loop = &worlds[1].loop);
}
PT_END

START_TEST(a_nested_loop_opened_in_a_long_step_keeps_its_timers_in_order)
{
    static PT_TASK(opener) opener_task;

    open_clocks();
    test_zero(opener_task);
    test_zero(appointments);
    ck_assert_int_eq(PT_START(&worlds[0].loop, &opener_task, opener), PT_OK);
    close_clocks();
    ck_assert_int_eq(naps[1][0].frame.wakes, 13); /* 5 after its step, which was at 8 */
    ck_assert_int_eq(naps[1][1].frame.wakes, 18);
    ck_assert_int_eq(appointments[0].frame.wakes, 8); /* the turn began at 0: it is past */
    ck_assert_int_eq(appointments[1].frame.wakes, 10);
}
END_TEST
#endif

#if PT_SLOWMO
/* Works for 9 ms, updates its loop, and parks. */
struct slack {
    struct pt pt;
};

static PT_ASYNC(slack, self)
{
    worlds[0].clock.now += PT_MS(9);
    pt_loop_update(&worlds[0].loop, worlds[0].clock.now);
    PT_PARK();
}
PT_END

START_TEST(a_step_longer_than_the_slow_motion_delay_leaves_no_past_deadline)
{
    static PT_TASK(slack) slack_task;

    open_clocks();
    test_zero(slack_task);
    pt_loop_slow(&worlds[0].loop, PT_MS(7));
    ck_assert_int_eq(PT_START(&worlds[0].loop, &slack_task, slack), PT_OK);
    ck_assert_uint_eq((pt_time)(pt_loop_turn(&worlds[0].loop, TEST_START) - test_at(9)),
                      PT_DELAY_NEVER);
    pt_wake(&slack_task.task);
    close_clocks();
}
END_TEST

struct stander {
    struct pt pt;
    int wakes;
};

static PT_ASYNC(stander, self)
{
    for (;; self->wakes++)
        PT_PARK();
}
PT_END

static PT_TASK(stander) stander_task;

/* A task parks in slow motion, for half the range of the clock plus MS milliseconds. */
static void rest_long(struct pt_loop *slow, int ms)
{
    pt_time now = (pt_time)(TEST_START + PT_DELAY_NEVER + (pt_time)ms * PT_MS(1));

    test_zero(stander_task);
    pt_loop_slow(slow, PT_MS(5));
    ck_assert_int_eq(PT_START(slow, &stander_task, stander), PT_OK);
    ck_assert_uint_eq((pt_time)(pt_loop_turn(&worlds[0].loop, TEST_START) - TEST_START),
                      PT_DELAY_NEVER);
    pt_wake(&stander_task.task);
    pt_loop_turn(&worlds[0].loop, now);
    ck_assert_int_eq(stander_task.frame.wakes, 1);
    pt_wake(&stander_task.task);
    ck_assert_uint_eq(pt_loop_turn(&worlds[0].loop, (pt_time)(now + PT_MS(2))),
                      (pt_time)(now + PT_MS(5)));
    ck_assert_int_eq(stander_task.frame.wakes, 1); /* the loop is as slow as before */
    pt_loop_turn(&worlds[0].loop, (pt_time)(now + PT_MS(5)));
    ck_assert_int_eq(stander_task.frame.wakes, 2);
}

START_TEST(slow_motion_delays_nothing_after_half_the_clock_range_without_a_turn)
{
    for (int ms = -7; ms < 20; ms++)
        for (int nested = 0; nested < 2; nested++) {
            open_clocks();
            if (nested)
                PT_START(&worlds[0].loop, &clocks[0], pt_loop_async, .loop = &worlds[1].loop);
            rest_long(&worlds[nested].loop, ms);
            pt_loop_slow(&worlds[nested].loop, 0);
            pt_cancel(&stander_task.task, PT_ECANCELED);
            worlds[0].clock.now = worlds[0].loop.now;
            close_clocks();
        }
}
END_TEST

START_TEST(the_slowest_motion_is_one_turn_per_longest_delay)
{
    open_clocks();
    test_zero(stander_task);
    pt_loop_slow(&worlds[0].loop, (pt_time)(PT_DELAY_NEVER + 1));
    ck_assert_int_eq(PT_START(&worlds[0].loop, &stander_task, stander), PT_OK);
    pt_wake(&stander_task.task);
    ck_assert_uint_eq((pt_time)(pt_loop_turn(&worlds[0].loop, TEST_START) - TEST_START),
                      PT_DELAY_MAX);
    pt_loop_slow(&worlds[0].loop, 0);
    pt_cancel(&stander_task.task, PT_ECANCELED);
    close_clocks();
}
END_TEST
#endif

#endif

Suite *suite_nest_time(void)
{
    Suite *suite = test_suite("nest_time");

#if PT_NESTING && PT_PORT && PT_CANCEL
    test_add(suite, a_task_can_update_the_time_of_any_loop_around_or_inside_its_own);
    test_add(suite, a_nested_deadline_that_is_past_for_the_outer_loop_is_due_at_once);
    test_add(suite, updating_a_nested_loop_updates_the_loops_around_it);
    test_add(suite, a_past_time_moves_no_loop_back);
    test_add(suite, a_nested_loop_that_an_outer_task_updates_does_not_go_back);
#if PT_AWAIT
    test_add(suite, a_nested_loop_opened_in_a_long_step_keeps_its_timers_in_order);
#endif
#if PT_SLOWMO
    test_add(suite, a_step_longer_than_the_slow_motion_delay_leaves_no_past_deadline);
    test_add(suite, slow_motion_delays_nothing_after_half_the_clock_range_without_a_turn);
    test_add(suite, the_slowest_motion_is_one_turn_per_longest_delay);
#endif
#endif
    return suite;
}
