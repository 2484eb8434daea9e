/* test_nest.c - a loop that is a task of another loop: it works, sleeps, is woken, never polls
 * SPDX-License-Identifier: MIT */
#include "pt_test.h"

#if PT_PORT

#if PT_NESTING

/* Runs a string of steps: y yields, w waits 2 ms, p parks, k wakes the target; traces each step. */
struct script {
    struct pt pt;
    const char *steps;
    struct pt_task *target; /* what k wakes */
};

static PT_ASYNC(script, self)
{
    for (; *self->steps; self->steps++) {
        trace_add("%c@%d ", *self->steps, test_ms(PT_NOW()));
        if (*self->steps == 'y')
            PT_YIELD();
        else if (*self->steps == 'w')
            PT_WAIT(PT_MS(2));
        else if (*self->steps == 'p')
            PT_PARK();
        else
            pt_wake(self->target);
    }
    trace_add(".@%d ", test_ms(PT_NOW()));
}
PT_END

static struct test_world outer, inner;
static PT_TASK(pt_loop_async) host;
static PT_TASK(script) scripts[3];

static void open_worlds(void)
{
    test_zero(host);
    test_zero(scripts);
    test_open(&outer);
    test_open(&inner);
    ck_assert_int_eq(PT_START(&outer.loop, &host, pt_loop_async, .loop = &inner.loop), PT_OK);
}

static void close_worlds(void)
{
    ck_assert_ptr_null(inner.loop.host);
    ck_assert_int_eq(pt_task_status(&host.task), PT_OK);
    pt_loop_close(&inner.loop);
    test_close(&outer);
}

static void start_script(struct test_world *place, int i, const char *steps)
{
    ck_assert_int_eq(
        PT_START(&place->loop, &scripts[i], script, .steps = steps, .target = &scripts[0].task),
        PT_OK);
}

/* Turn the outer loop until its next turn would have nothing to do. Returns the number of turns. */
static int turns(void)
{
    pt_time now = outer.clock.now, next = now;
    int count = 0;

    while (pt_loop_live(&outer.loop) && next == now && count < 100) {
        next = pt_loop_turn(&outer.loop, now);
        count++;
    }
    return count;
}

START_TEST(a_nested_loop_runs_its_tasks_alongside_those_of_the_outer_loop)
{
    open_worlds();
    start_script(&inner, 0, "yy");
    start_script(&outer, 1, "yyy");
    ck_assert_int_eq(pt_loop_run(&outer.loop), PT_OK);
    ck_assert_trace("y@0 y@0 y@0 y@0 .@0 y@0 .@0 ");
    close_worlds();
}
END_TEST

START_TEST(loops_beside_each_other_end_in_any_order)
{
    static PT_TASK(pt_loop_async) other_host;
    struct test_world other;

    open_worlds();
    test_open(&other);
    test_zero(other_host);
    PT_START(&outer.loop, &other_host, pt_loop_async, .loop = &other.loop);
    start_script(&inner, 0, "y");
    start_script(&other, 1, "yyy");
    for (pt_time now = outer.clock.now; pt_loop_live(&outer.loop);)
        pt_loop_turn(&outer.loop, now);
    ck_assert_trace("y@0 y@0 .@0 y@0 y@0 .@0 ");
    ck_assert_int_eq(pt_task_status(&other_host.task), PT_OK);
    pt_loop_close(&other.loop);
    close_worlds();
}
END_TEST

START_TEST(a_nested_loop_without_tasks_ends_at_once)
{
    open_worlds();
    ck_assert_int_eq(turns(), 1);
    ck_assert(pt_task_done(&host.task));
    close_worlds();
}
END_TEST

START_TEST(a_nested_loop_ends_with_its_last_task)
{
    open_worlds();
    start_script(&inner, 0, "w");
    start_script(&inner, 1, "ww");
    start_script(&outer, 2, "www");
    ck_assert_int_eq(pt_loop_run(&outer.loop), PT_OK);
    ck_assert_trace("w@0 w@0 w@0 .@2 w@2 w@2 .@4 w@4 .@6 ");
    close_worlds();
}
END_TEST

START_TEST(a_nested_loop_sleeps_until_its_next_deadline)
{
    open_worlds();
    start_script(&inner, 0, "w");
    ck_assert_int_eq(turns(), 1);
    ck_assert(pt_loop_idle(&outer.loop));
    outer.clock.now = test_at(1);
    ck_assert_uint_eq(pt_loop_turn(&outer.loop, test_at(1)), test_at(2));
    ck_assert_trace("w@0 ");
    ck_assert_int_eq(pt_loop_run(&outer.loop), PT_OK);
    ck_assert_trace(".@2 ");
    close_worlds();
}
END_TEST

struct hibernate {
    struct pt pt;
};

static PT_ASYNC(hibernate, self)
{
    PT_WAIT(PT_DELAY_MAX);
    trace_add("spring ");
}
PT_END

static PT_TASK(hibernate) bear;

START_TEST(a_nested_loop_sleeps_for_the_longest_delay)
{
    open_worlds();
    test_zero(bear);
    PT_START(&inner.loop, &bear, hibernate);
    ck_assert_int_eq(pt_loop_run(&outer.loop), PT_OK);
    ck_assert_trace("spring ");
    ck_assert_uint_eq(outer.clock.now, (pt_time)(TEST_START + PT_DELAY_MAX));
    close_worlds();
}
END_TEST

START_TEST(a_nested_loop_with_only_parked_tasks_does_not_poll)
{
    open_worlds();
    start_script(&inner, 0, "p");
    ck_assert_int_eq(turns(), 1);
    ck_assert_int_eq(pt_loop_run(&outer.loop), PT_EDEADLK);
    ck_assert_trace("p@0 ");
    pt_wake(&scripts[0].task);
    ck_assert(!pt_loop_idle(&outer.loop));
    ck_assert_int_eq(turns(), 1);
    ck_assert_trace(".@0 ");
    close_worlds();
}
END_TEST

START_TEST(a_nested_loop_that_was_woken_parks_again)
{
    open_worlds();
    start_script(&inner, 0, "ppp");
    ck_assert_int_eq(turns(), 1);
    for (int i = 0; i < 3; i++) {
        ck_assert(pt_loop_idle(&outer.loop));
        pt_wake(&scripts[0].task);
        ck_assert_int_eq(turns(), 1);
    }
    ck_assert_trace("p@0 p@0 p@0 .@0 ");
    close_worlds();
}
END_TEST

START_TEST(a_nested_loop_that_sleeps_is_woken_by_a_spawn)
{
    open_worlds();
    start_script(&inner, 0, "w");
    ck_assert_int_eq(turns(), 1);
    outer.clock.now = test_at(1);
    start_script(&inner, 1, "w");
    ck_assert_int_eq(turns(), 1);
    ck_assert_trace("w@0 w@1 ");
    ck_assert_int_eq(pt_loop_run(&outer.loop), PT_OK);
    ck_assert_trace(".@2 .@3 ");
    close_worlds();
}
END_TEST

START_TEST(a_task_of_the_outer_loop_can_wake_a_task_of_the_nested_loop)
{
    open_worlds();
    start_script(&inner, 0, "p");
    start_script(&outer, 1, "wk");
    ck_assert_int_eq(pt_loop_run(&outer.loop), PT_OK);
    ck_assert_trace("p@0 w@0 k@2 .@2 .@2 ");
    close_worlds();
}
END_TEST

START_TEST(a_task_of_the_nested_loop_can_wake_a_task_of_the_outer_loop)
{
    open_worlds();
    start_script(&outer, 0, "p");
    start_script(&inner, 1, "wk");
    ck_assert_int_eq(pt_loop_run(&outer.loop), PT_OK);
    ck_assert_trace("w@0 p@0 k@2 .@2 .@2 ");
    close_worlds();
}
END_TEST

/* Starts a script in its own loop. The host is running, so it needs no wake. */
struct starter {
    struct pt pt;
};

static PT_ASYNC(starter, self)
{
    PT_SPAWN(&scripts[0], script, .steps = "y");
    trace_add("started ");
}
PT_END

START_TEST(a_task_of_a_nested_loop_can_spawn_another)
{
    static PT_TASK(starter) first;

    open_worlds();
    test_zero(first);
    PT_START(&inner.loop, &first, starter);
    ck_assert_int_eq(turns(), 3);
    ck_assert_trace("started y@0 .@0 ");
    close_worlds();
}
END_TEST

#if PT_PAUSE
START_TEST(a_nested_loop_is_woken_by_a_resume)
{
    open_worlds();
    start_script(&inner, 0, "y");
    pt_pause(&scripts[0].task);
    ck_assert_int_eq(turns(), 1);
    ck_assert_int_eq(turns(), 1);
    ck_assert_trace("");
    pt_resume(&scripts[0].task);
    ck_assert_int_eq(turns(), 2);
    ck_assert_trace("y@0 .@0 ");
    close_worlds();
}
END_TEST

START_TEST(pausing_a_nested_loop_pauses_all_of_its_tasks)
{
    open_worlds();
    start_script(&inner, 0, "yyy");
    start_script(&inner, 1, "w");
    start_script(&outer, 2, "ww");
    pt_loop_turn(&outer.loop, outer.clock.now);
    ck_assert_trace("y@0 w@0 w@0 ");
    pt_pause(&host.task);
    ck_assert_int_eq(pt_loop_run(&outer.loop), PT_EDEADLK);
    ck_assert_trace("w@2 .@4 ");
    pt_resume(&host.task);
    ck_assert_int_eq(pt_loop_run(&outer.loop), PT_OK);
    ck_assert_trace("y@4 .@4 y@4 .@4 ");
    close_worlds();
}
END_TEST

START_TEST(a_wake_inside_a_paused_nested_loop_is_not_lost)
{
    open_worlds();
    start_script(&inner, 0, "p");
    ck_assert_int_eq(turns(), 1);
    pt_pause(&host.task);
    pt_wake(&scripts[0].task);
    ck_assert_int_eq(turns(), 1);
    ck_assert_trace("p@0 ");
    pt_resume(&host.task);
    ck_assert_int_eq(turns(), 1);
    ck_assert_trace(".@0 ");
    close_worlds();
}
END_TEST
#endif

START_TEST(loops_nest_three_deep)
{
    struct test_world core;
    static PT_TASK(pt_loop_async) core_host;

    open_worlds();
    test_zero(core_host);
    test_open(&core);
    PT_START(&inner.loop, &core_host, pt_loop_async, .loop = &core.loop);
    start_script(&core, 0, "wp");
    ck_assert_int_eq(turns(), 1);
    ck_assert_int_eq(pt_loop_run(&outer.loop), PT_EDEADLK);
    ck_assert_trace("w@0 p@2 ");
    pt_wake(&scripts[0].task);
    ck_assert_int_eq(pt_loop_run(&outer.loop), PT_OK);
    ck_assert_trace(".@2 ");
    pt_loop_close(&core.loop);
    close_worlds();
}
END_TEST

#if PT_SLOWMO
START_TEST(a_nested_loop_in_slow_motion_sleeps_in_the_outer_loop)
{
    open_worlds();
    pt_loop_slow(&inner.loop, PT_MS(5));
    start_script(&inner, 0, "yy");
    start_script(&outer, 1, "wwww");
    for (int n = 0; pt_loop_live(&outer.loop) && n < 30; n++)
        outer.clock.now = pt_loop_turn(&outer.loop, outer.clock.now);
    ck_assert_trace("y@0 w@0 w@2 w@4 y@5 w@6 .@8 .@10 ");
    close_worlds();
}
END_TEST

START_TEST(a_nested_loop_in_slow_motion_ends_at_the_time_of_the_outer_loop)
{
    open_worlds();
    pt_loop_slow(&inner.loop, PT_MS(5));
    start_script(&inner, 0, "");
    ck_assert_int_eq(turns(), 1);
    ck_assert_uint_eq(inner.loop.now, outer.loop.now);
    ck_assert_trace(".@0 ");
    ck_assert_int_eq(PT_START(&outer.loop, &host, pt_loop_async, .loop = &inner.loop), PT_OK);
    ck_assert_int_eq(turns(), 1); /* without a task, between two slow turns */
    ck_assert_uint_eq(inner.loop.now, outer.loop.now);
    close_worlds();
}
END_TEST

START_TEST(a_nested_loop_continues_when_slow_motion_is_switched_off)
{
    open_worlds();
    pt_loop_slow(&inner.loop, PT_MS(9));
    start_script(&inner, 0, "y");
    outer.clock.now = pt_loop_turn(&outer.loop, outer.clock.now);
    ck_assert_uint_eq(outer.clock.now, test_at(9));
    outer.clock.now = test_at(3);
    pt_loop_slow(&inner.loop, 0);
    ck_assert_int_eq(pt_loop_run(&outer.loop), PT_OK);
    ck_assert_trace("y@0 .@3 ");
    close_worlds();
}
END_TEST

START_TEST(a_wake_does_not_speed_up_slow_motion)
{
    open_worlds();
    pt_loop_slow(&inner.loop, PT_MS(5));
    start_script(&inner, 0, "p");
    start_script(&outer, 1, "wk");
    for (int n = 0; pt_loop_live(&outer.loop) && n < 30; n++)
        outer.clock.now = pt_loop_turn(&outer.loop, outer.clock.now);
    ck_assert_trace("p@0 w@0 k@2 .@2 .@5 ");
    close_worlds();
}
END_TEST
#endif

#endif

Suite *suite_nest(void)
{
    Suite *suite = test_suite("nest");

#if PT_NESTING
    test_add(suite, a_nested_loop_runs_its_tasks_alongside_those_of_the_outer_loop);
    test_add(suite, loops_beside_each_other_end_in_any_order);
    test_add(suite, a_nested_loop_without_tasks_ends_at_once);
    test_add(suite, a_nested_loop_ends_with_its_last_task);
    test_add(suite, a_nested_loop_sleeps_until_its_next_deadline);
    test_add(suite, a_nested_loop_sleeps_for_the_longest_delay);
    test_add(suite, a_nested_loop_with_only_parked_tasks_does_not_poll);
    test_add(suite, a_nested_loop_that_was_woken_parks_again);
    test_add(suite, a_nested_loop_that_sleeps_is_woken_by_a_spawn);
    test_add(suite, a_task_of_the_outer_loop_can_wake_a_task_of_the_nested_loop);
    test_add(suite, a_task_of_the_nested_loop_can_wake_a_task_of_the_outer_loop);
    test_add(suite, a_task_of_a_nested_loop_can_spawn_another);
#if PT_PAUSE
    test_add(suite, a_nested_loop_is_woken_by_a_resume);
    test_add(suite, pausing_a_nested_loop_pauses_all_of_its_tasks);
    test_add(suite, a_wake_inside_a_paused_nested_loop_is_not_lost);
#endif
    test_add(suite, loops_nest_three_deep);
#if PT_SLOWMO
    test_add(suite, a_nested_loop_in_slow_motion_sleeps_in_the_outer_loop);
    test_add(suite, a_nested_loop_in_slow_motion_ends_at_the_time_of_the_outer_loop);
    test_add(suite, a_nested_loop_continues_when_slow_motion_is_switched_off);
    test_add(suite, a_wake_does_not_speed_up_slow_motion);
#endif
#endif
    return suite;
}
#else

Suite *suite_nest(void)
{
    return test_suite("nest");
}

#endif
