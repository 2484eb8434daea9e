/* test_small_cancel.c - the smallest loop with cancel: the end of a task changes only its state
 * SPDX-License-Identifier: MIT */
#include "few_features.h"
#define PT_CANCEL 1
#include "pt_test.h"

#if PT_HAS_ENDS_
#error "the end of a task takes more than its state here"
#endif

struct small {
    struct pt pt;
    char name;
};

static PT_ASYNC(small, self)
{
    trace_add("%c ", self->name);
    PT_WAIT(PT_MS(5));
    trace_add("%c slept ", self->name);
    PT_FINALLY
    trace_add("%c cleans up ", self->name);
    PT_YIELD();
    trace_add("%c is clean ", self->name);
}
PT_END

static PT_TASK(small) a, b;
static struct pt_loop loop;

static void open_loop(void)
{
    test_zero(a);
    test_zero(b);
    pt_loop_init(&loop, TEST_START);
    PT_START(&loop, &a, small, .name = 'a');
    PT_START(&loop, &b, small, .name = 'b');
}

/* Turn until the loop has nothing left to do. */
static void run_loop(void)
{
    for (pt_time now = TEST_START; now != (pt_time)(loop.now + PT_DELAY_NEVER);)
        now = pt_loop_turn(&loop, now);
}

START_TEST(a_canceled_task_of_the_smallest_loop_cleans_up)
{
    open_loop();
    pt_loop_turn(&loop, TEST_START);
    ck_assert_trace("a b ");
    pt_cancel(&a.task, -64);
    run_loop();
    ck_assert_trace("a cleans up a is clean b slept b cleans up b is clean ");
    ck_assert_int_eq(pt_task_status(&a.task), -64);
    ck_assert_int_eq(pt_task_status(&b.task), PT_OK);
}
END_TEST

START_TEST(a_task_of_the_smallest_loop_canceled_before_its_first_turn_runs_to_its_first_wait)
{
    open_loop();
    pt_cancel(&a.task, -64);
    run_loop();
    ck_assert_trace("a b a cleans up a is clean b slept b cleans up b is clean ");
    ck_assert(pt_task_done(&a.task));
    ck_assert_int_eq(pt_task_status(&a.task), -64);
}
END_TEST

START_TEST(a_restarted_task_of_the_smallest_loop_can_be_canceled_again)
{
    open_loop();
    pt_cancel(&a.task, -64);
    run_loop();
    (void)trace_take();
    PT_START(&loop, &a, small, .name = 'a');
    pt_loop_turn(&loop, loop.now);
    pt_cancel(&a.task, -65);
    run_loop();
    ck_assert_trace("a a cleans up a is clean ");
    ck_assert_int_eq(pt_task_status(&a.task), -65);
}
END_TEST

Suite *suite_small_cancel(void)
{
    Suite *suite = test_suite("small_cancel");

    test_add(suite, a_canceled_task_of_the_smallest_loop_cleans_up);
    test_add(suite,
             a_task_of_the_smallest_loop_canceled_before_its_first_turn_runs_to_its_first_wait);
    test_add(suite, a_restarted_task_of_the_smallest_loop_can_be_canceled_again);
    return suite;
}
