/* test_cancel_nest.c - a nested loop is canceled or times out with all its tasks
 * SPDX-License-Identifier: MIT */
#include "pt_test.h"

#if PT_PORT && PT_AWAIT && PT_JOINS && PT_POOLS

#if PT_CANCEL && PT_NESTING

#include "test_act.h"

static struct test_world inner;
static PT_TASK(pt_loop_async) host;

/* A and B are in a loop that can be nested. */
static void open_inner(const char *steps, const char *cleanup)
{
    open_world();
    test_open(&inner);
    ck_assert_int_eq(PT_START(&inner.loop, &a, act, .name = 'A', .steps = steps, .cleanup = cleanup,
                              .target = &a.task),
                     PT_OK);
    ck_assert_int_eq(PT_START(&inner.loop, &b, act, .name = 'B', .steps = steps, .cleanup = cleanup,
                              .target = &a.task),
                     PT_OK);
}

/* The same loop, which the host runs. */
static void open_nested(const char *steps, const char *cleanup)
{
    struct pt_loop *outer = &world.loop;

    open_inner(steps, cleanup);
    test_zero(host);
    ck_assert_int_eq(PT_START(outer, &host, pt_loop_async, .loop = &inner.loop), PT_OK);
}

static void close_nested(const char *trace)
{
    ck_assert_int_eq(pt_loop_run(&world.loop), PT_OK);
    ck_assert_ptr_null(inner.loop.host);
    pt_loop_close(&inner.loop);
    run_world(trace);
}

START_TEST(a_canceled_nested_loop_cancels_its_tasks_and_waits_for_them)
{
    static const char *const steps[] = {"p", "w", "yyyyyyyy"};

    for (int i = 0; i < 3; i++) {
        open_nested(steps[i], "w");
        turn(0);
        trace_take();
        pt_cancel(&host.task, REASON);
        close_nested("A[Aw@0 B[Bw@0 ]@2 ]@2 ");
        ck_assert_int_eq(pt_task_status(&host.task), REASON);
        ck_assert_int_eq(pt_task_status(&a.task), PT_ECANCELED);
    }
}
END_TEST

START_TEST(a_task_in_a_nested_loop_is_canceled_from_outside)
{
    open_nested("p", "w");
    turn(0);
    pt_cancel(&a.task, REASON); /* it wakes the loop */
    turn(0);
    pt_wake(&b.task);
    close_nested("Ap@0 Bp@0 A[Aw@0 B[Bw@0 ]@2 ]@2 ");
    ck_assert_int_eq(pt_task_status(&host.task), PT_OK);
    ck_assert_int_eq(pt_task_status(&a.task), REASON);
}
END_TEST

START_TEST(a_task_in_a_nested_loop_can_cancel_the_loop)
{
    open_nested("wy", "");
    ck_assert_int_eq(PT_START(&inner.loop, &c, act, .name = 'C', .steps = "wcwww", .cleanup = "cw",
                              .target = &host.task),
                     PT_OK);
    close_nested("Aw@0 Bw@0 Cw@0 Ay@2 By@2 Cc@2 Cw@2 A[]@2 B[]@2 C[Cc@2 Cw@2 ]@4 ");
    ck_assert_int_eq(pt_task_status(&host.task), REASON);
}
END_TEST

START_TEST(a_host_that_is_canceled_before_its_first_turn_cancels_the_nested_loop)
{
    open_nested("w", "");
    pt_cancel(&host.task, REASON);
    close_nested("Aw@0 Bw@0 A[]@0 B[]@0 ");
    ck_assert_int_eq(pt_task_status(&host.task), REASON);
    ck_assert_int_eq(pt_task_status(&a.task), PT_ECANCELED);
}
END_TEST

#if PT_PAUSE
START_TEST(a_cancel_resumes_a_paused_nested_loop)
{
    open_nested("w", "w");
    turn(0);
    pt_pause(&a.task);
    pt_pause(&host.task);
    turn(2);
    pt_cancel(&host.task, REASON);
    close_nested("Aw@0 Bw@0 A[Aw@2 B[Bw@2 ]@4 ]@4 ");
}
END_TEST
#endif

#if PT_TIMEOUTS
/* Awaits the inner loop for 5 ms. */
struct limited {
    struct pt pt;
    struct pt_scope limit;
    struct pt_loop_async run;
};

static PT_ASYNC(limited, self)
{
    PT_WITH_TIMEOUT(&self->limit, PT_MS(5)) {
        PT_WAIT_COMPLETE(&self->run, pt_loop_async, .loop = &inner.loop);
    }
    trace_add("limit%d:%d@%d ", pt_timed_out(&self->limit), self->run.pt.status, test_ms(PT_NOW()));
}
PT_END

static PT_TASK(limited) limited;

static void open_limited(const char *steps, const char *cleanup)
{
    open_inner(steps, cleanup);
    test_zero(limited);
    PT_START(&world.loop, &limited, limited);
}

START_TEST(a_timeout_ends_a_nested_loop)
{
    open_limited("p", "w");
    close_nested("Ap@0 Bp@0 A[Aw@5 B[Bw@5 ]@7 ]@7 limit1:-7@7 ");
}
END_TEST

START_TEST(a_wake_of_a_nested_loop_keeps_the_timeout_around_it)
{
    open_limited("wp", "");
    turn(0);
    start_on(&inner.loop, &c, 'C', "", ""); /* wakes the loop, which slept for A's deadline */
    pt_cancel(&a.task, REASON);
    pt_cancel(&b.task, REASON);
    start_on(&inner.loop, &d, 'D', "p", ""); /* now the loop has no deadline */
    close_nested("Aw@0 Bw@0 C[]@0 A[]@0 B[]@0 Dp@0 D[]@5 limit1:-7@5 ");
}
END_TEST
#endif

#endif

Suite *suite_cancel_nest(void)
{
    Suite *suite = test_suite("cancel_nest");

#if PT_CANCEL && PT_NESTING
    test_add(suite, a_canceled_nested_loop_cancels_its_tasks_and_waits_for_them);
    test_add(suite, a_task_in_a_nested_loop_is_canceled_from_outside);
    test_add(suite, a_task_in_a_nested_loop_can_cancel_the_loop);
    test_add(suite, a_host_that_is_canceled_before_its_first_turn_cancels_the_nested_loop);
#if PT_PAUSE
    test_add(suite, a_cancel_resumes_a_paused_nested_loop);
#endif
#if PT_TIMEOUTS
    test_add(suite, a_timeout_ends_a_nested_loop);
    test_add(suite, a_wake_of_a_nested_loop_keeps_the_timeout_around_it);
#endif
#endif
    return suite;
}
#else

Suite *suite_cancel_nest(void)
{
    return test_suite("cancel_nest");
}

#endif
