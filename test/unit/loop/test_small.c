/* test_small.c - the loop of the smallest part: no await, no joins, no pools, no port
 * SPDX-License-Identifier: MIT
 *
 * The knobs of this file leave out every optional feature; the rest must work alone. */
#include "few_features.h"
#define PT_TIME_BITS 16
#define PT_TICKS_PER_SEC 250 + 250 /* an expression */
#define PT_PAUSE 1
#define PT_TIMED_PARKS 1
#include "pt_test.h"

struct small {
    struct pt pt;
    char name;
    int times;
    pt_status code;
};

static PT_ASYNC(small, self)
{
    for (; self->times > 0; self->times--) {
        trace_add("%c@%d ", self->name, test_ms(PT_NOW()));
        PT_WAIT(2);
        PT_YIELD();
    }
    if (self->code)
        PT_RETURN(self->code);
    PT_PARK();
    trace_add("%c woke ", self->name);
}
PT_END

/* Parks for a time, twice. */
struct small_rest {
    struct pt pt;
    int times;
};

static PT_ASYNC(small_rest, self)
{
    for (; self->times > 0; self->times--) {
        PT_PARK_FOR(3);
        trace_add("%s@%d ", pt_status_name(self->pt.status), test_ms(PT_NOW()));
    }
}
PT_END

struct small_parent {
    struct pt pt;
    PT_TASK(small) child;
};

static PT_ASYNC(small_parent, self)
{
    PT_SPAWN(&self->child, small, .name = 'c', .times = 1, .code = 0);
    trace_add("%d ", self->pt.status);
}
PT_END

static PT_TASK(small) a, b;
static PT_TASK(small_parent) parent;
static struct pt_loop loop;

static void open_loop(void)
{
    PT_LOOP_STORAGE(4) none;

    test_zero(a);
    test_zero(b);
    test_zero(parent);
    pt_loop_init(&loop, TEST_START);
    pt_loop_use(&loop, &none);
}

/* Turn until the loop has nothing left to do. */
static void run_loop(void)
{
    for (pt_time now = TEST_START; now != (pt_time)(loop.now + PT_DELAY_NEVER);)
        now = pt_loop_turn(&loop, now);
}

START_TEST(a_coarse_clock_rounds_delays_up)
{
    ck_assert_uint_eq(PT_SEC(2), 1000);
    ck_assert_uint_eq(PT_MS(0), 0);
    ck_assert_uint_eq(PT_MS(1), 1);
    ck_assert_uint_eq(PT_MS(2), 1);
    ck_assert_uint_eq(PT_MS(3), 2);
    ck_assert_uint_eq(PT_US(1), 1);
    ck_assert_uint_eq(PT_US(2000), 1);
    ck_assert_uint_eq(PT_US(2001), 2);
}
END_TEST

START_TEST(the_smallest_loop_runs_yields_and_sleeps)
{
    open_loop();
    ck_assert_int_eq(PT_START(&loop, &a, small, .name = 'a', .times = 3, .code = -64), PT_OK);
    ck_assert_int_eq(PT_START(&loop, &b, small, .name = 'b', .times = 2, .code = -65), PT_OK);
    run_loop();
    ck_assert_trace("a@0 b@0 a@2 b@2 a@4 ");
    ck_assert(pt_task_done(&a.task));
    ck_assert_int_eq(pt_task_status(&a.task), -64);
    ck_assert_int_eq(pt_task_status(&b.task), -65);
}
END_TEST

START_TEST(a_parked_task_of_the_smallest_loop_keeps_its_loop)
{
    open_loop();
    PT_START(&loop, &a, small, .name = 'a', .times = 0, .code = 0);
    run_loop();
    ck_assert(pt_task_alive(&a.task));
    pt_wake(&a.task);
    ck_assert(!pt_loop_idle(&loop));
    run_loop();
    ck_assert_trace("a woke ");
    ck_assert_int_eq(pt_task_status(&a.task), PT_OK);
}
END_TEST

START_TEST(a_paused_task_of_the_smallest_loop_keeps_its_loop)
{
    open_loop();
    PT_START(&loop, &a, small, .name = 'a', .times = 1, .code = -64);
    pt_pause(&a.task);
    run_loop();
    ck_assert_trace("");
    pt_resume(&a.task);
    run_loop();
    ck_assert_trace("a@0 ");
}
END_TEST

START_TEST(a_task_of_the_smallest_loop_spawns)
{
    open_loop();
    PT_START(&loop, &parent, small_parent);
    run_loop();
    ck_assert_trace("0 c@0 ");
    pt_wake(&parent.frame.child.task);
    run_loop();
    ck_assert_trace("c woke ");
}
END_TEST

START_TEST(a_small_task_parks_for_a_time)
{
    static PT_TASK(small_rest) rest, other;
    pt_time now = TEST_START;

    test_zero(rest);
    test_zero(other);
    open_loop();
    PT_START(&loop, &rest, small_rest, .times = 2);
    PT_START(&loop, &other, small_rest, .times = 1);
    ck_assert_uint_eq(pt_loop_turn(&loop, now), (pt_time)(now + 3));
    pt_wake(&rest.task);
    ck_assert_uint_eq(pt_loop_turn(&loop, ++now), (pt_time)(now + 2));
    ck_assert_trace("PT_OK@1 ");
    now = (pt_time)(now + 2);
    ck_assert_uint_eq(pt_loop_turn(&loop, now), (pt_time)(now + 1));
    ck_assert_trace("PT_ETIMEDOUT@3 ");
    now++;
    ck_assert_uint_eq(pt_loop_turn(&loop, now), (pt_time)(now + PT_DELAY_NEVER));
    ck_assert_trace("PT_ETIMEDOUT@4 ");
    ck_assert(!pt_task_alive(&rest.task) && !pt_task_alive(&other.task));
}
END_TEST

Suite *suite_small(void)
{
    Suite *suite = test_suite("small");

    test_add(suite, a_coarse_clock_rounds_delays_up);
    test_add(suite, the_smallest_loop_runs_yields_and_sleeps);
    test_add(suite, a_parked_task_of_the_smallest_loop_keeps_its_loop);
    test_add(suite, a_paused_task_of_the_smallest_loop_keeps_its_loop);
    test_add(suite, a_task_of_the_smallest_loop_spawns);
    test_add(suite, a_small_task_parks_for_a_time);
    return suite;
}
