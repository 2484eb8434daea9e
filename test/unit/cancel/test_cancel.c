/* test_cancel.c - pt_cancel of a task in every state, from anywhere, and what the joiners get
 * SPDX-License-Identifier: MIT */
#include "pt_test.h"

#if PT_PORT && PT_TIMERS && PT_JOINS && PT_POOLS

#if PT_CANCEL

#include "test_act.h"

/* Cancels A, joins it, and poisons its storage. */
struct killer {
    struct pt pt;
    pt_time delay;
    pt_status status;
};

static PT_ASYNC(killer, self)
{
    PT_WAIT(self->delay);
    trace_add("cancel@%d ", test_ms(PT_NOW()));
    pt_cancel(&a.task, REASON);
    pt_cancel(&a.task, PT_ETIMEDOUT); /* has no effect */
    PT_JOIN(&a.task);
    trace_add("joined@%d ", test_ms(PT_NOW()));
    self->status = self->pt.status;
    ck_assert(pt_task_done(&a.task) && pt_task_canceled(&a.task));
    memset(&a, 0xa5, sizeof a);
    PT_WAIT(PT_MS(50));
}
PT_END

static PT_TASK(killer) killer;

static void cancel_while(const char *body, const char *after, const char *trace)
{
    open_world();
    test_zero(killer);
    start(&a, 'A', body, after);
    PT_START(&world.loop, &killer, killer, .delay = PT_MS(1));
    run_world(trace);
    ck_assert_int_eq(killer.frame.status, REASON);
}

START_TEST(a_sleeping_task_is_canceled)
{
    cancel_while("ww", "", "Aw@0 cancel@1 A[]@1 joined@1 ");
}
END_TEST

START_TEST(a_parked_task_is_canceled)
{
    cancel_while("p", "", "Ap@0 cancel@1 A[]@1 joined@1 ");
}
END_TEST

START_TEST(a_queued_task_is_canceled)
{
    open_world();
    start(&a, 'A', "yyyy", "");
    start(&b, 'B', "c", "");
    start(&c, 'C', "j", "");
    run_world("Ay@0 Bc@0 B[]@0 Cj@0 A[]@0 C=-70@0 C[]@0 ");
}
END_TEST

START_TEST(a_cleanup_of_a_canceled_task_can_wait)
{
    cancel_while("p", "ww", "Ap@0 cancel@1 A[Aw@1 Aw@3 ]@5 joined@5 ");
}
END_TEST

START_TEST(a_cancel_in_a_cleanup_waits_until_the_cleanup_ends)
{
    open_world();
    start(&a, 'A', "", "ww");
    start(&b, 'B', "wcj", "");
    run_world("A[Aw@0 Bw@0 Aw@2 Bc@2 Bj@2 ]@4 B=0@4 B[]@4 ");
    ck_assert(pt_task_canceled(&a.task)); /* although it returned its own status */
}
END_TEST

START_TEST(a_sleeper_that_is_canceled_leaves_the_timer_queue)
{
    open_world();
    start(&a, 'A', "w", "p");
    turn(0);
    pt_cancel(&a.task, REASON);
    ck_assert_uint_eq(pt_loop_turn(&world.loop, test_at(1)),
                      (pt_time)(test_at(1) + PT_DELAY_NEVER));
    pt_wake(&a.task);
    world.clock.now = test_at(1);
    run_world("Aw@0 A[Ap@1 ]@1 ");
}
END_TEST

START_TEST(a_task_that_is_canceled_before_its_first_turn_runs_to_its_first_wait)
{
    static const char *const waits[] = {"w", "p", "y", "j"};
    char trace[64];

    for (size_t i = 0; i < sizeof waits / sizeof *waits; i++) {
        open_world();
        start(&c, 'C', "p", "");
        start(&a, 'A', waits[i], "w");
        a.frame.target = &c.task;
        pt_cancel(&a.task, REASON);
        ck_assert(pt_task_alive(&a.task));
        turn(0);
        turn(0);
        turn(2);
        snprintf(trace, sizeof trace, "Cp@0 A%c@0 A[Aw@0 ]@2 ", *waits[i]);
        ck_assert_trace(trace);
        ck_assert_int_eq(pt_task_status(&a.task), REASON);
        pt_wake(&c.task);
        run_world("C[]@2 ");
    }
}
END_TEST

START_TEST(a_task_that_is_canceled_before_its_first_turn_and_never_waits_is_done)
{
    open_world();
    start(&a, 'A', "", "");
    start(&b, 'B', "", "w");
    pt_cancel(&a.task, REASON);
    pt_cancel(&b.task, REASON);
    run_world("A[]@0 B[Bw@0 ]@2 ");
    ck_assert_int_eq(pt_task_status(&a.task), PT_OK);
    ck_assert_int_eq(pt_task_status(&b.task), PT_OK);
    ck_assert(pt_task_canceled(&a.task) && pt_task_canceled(&b.task));
}
END_TEST

/* Owns one of `things`, which its cleanup gives back. */
struct keeper {
    struct pt pt;
    int *things;
};

static PT_ASYNC(keeper, self)
{
    PT_PARK();
    PT_FINALLY
    *self->things -= 1;
}
PT_END

static PT_POOL(keeper, 1) keepers;

/* Hands things over, to a task in each kind of storage, and cancels the loop in the same step. */
struct giver {
    struct pt pt;
    int things;
    PT_TASK(keeper) own;
};

static PT_ASYNC(giver, self)
{
    PT_SPAWN(&self->own, keeper, .things = &self->things);
    self->things += self->pt.status == PT_OK;
    PT_SPAWN_FROM(&keepers, keeper, .things = &self->things);
    self->things += self->pt.status == PT_OK;
    PT_SPAWN_NEW(keeper, .things = &self->things);
    self->things += self->pt.status == PT_OK;
    ck_assert_int_eq(self->things, 3);
    pt_loop_cancel(pt_current_->loop, REASON);
    PT_PARK();
}
PT_END

START_TEST(what_is_handed_over_to_a_task_that_is_canceled_at_once_is_given_back)
{
    static PT_TASK(giver) giver;

    open_world();
    test_zero(keepers);
    test_zero(giver);
    PT_START(&world.loop, &giver, giver);
    run_world("");
    ck_assert_int_eq(giver.frame.things, 0);
}
END_TEST

START_TEST(a_task_that_is_done_or_was_never_spawned_is_not_canceled)
{
    open_world();
    pt_cancel(&a.task, REASON);
    ck_assert(!pt_task_canceled(&a.task) && !pt_task_done(&a.task));
    start(&a, 'A', "", "");
    run_world("A[]@0 ");
    pt_cancel(&a.task, REASON);
    ck_assert(!pt_task_canceled(&a.task));
    ck_assert_int_eq(pt_task_status(&a.task), PT_OK);
}
END_TEST

START_TEST(a_task_that_cancels_itself_ends_at_its_next_wait)
{
    open_world();
    start(&a, 'A', "xsww", "w");
    start(&b, 'B', "xyy", "");
    start(&c, 'C', "xj", "");
    run_world("Ax@0 As@0 Aw@0 Bx@0 By@0 Cx@0 Cj@0 Sw@0 A[Aw@0 B[]@0 C[]@0 S[]@2 ]@2 ");
    ck_assert_int_eq(pt_task_status(&a.task), REASON);
    ck_assert_int_eq(pt_task_status(&b.task), REASON);
    ck_assert_int_eq(pt_task_status(&c.task), REASON);
}
END_TEST

START_TEST(a_task_that_cancels_itself_and_returns_keeps_its_own_status)
{
    open_world();
    start(&a, 'A', "x", "w");
    start(&b, 'B', "", "xw");
    run_world("Ax@0 A[Aw@0 B[Bx@0 Bw@0 ]@2 ]@2 ");
    ck_assert_int_eq(pt_task_status(&a.task), PT_OK);
    ck_assert_int_eq(pt_task_status(&b.task), PT_OK);
}
END_TEST

START_TEST(a_cleanup_can_cancel_another_task_and_join_it)
{
    open_world();
    start(&a, 'A', "p", "w");
    start(&b, 'B', "p", "cj");
    turn(0);
    pt_cancel(&b.task, PT_ECANCELED); /* from outside any task */
    run_world("Ap@0 Bp@0 B[Bc@0 Bj@0 A[Aw@0 ]@2 B=-70@2 ]@2 ");
}
END_TEST

START_TEST(two_tasks_can_cancel_a_third_in_one_turn)
{
    open_world();
    start(&a, 'A', "p", "w");
    start(&b, 'B', "cj", "");
    start(&c, 'C', "cj", "");
    run_world("Ap@0 Bc@0 Bj@0 Cc@0 Cj@0 A[Aw@0 ]@2 B=-70@2 B[]@2 C=-70@2 C[]@2 ");
}
END_TEST

START_TEST(a_joiner_that_is_canceled_leaves_the_other_joiners_waiting)
{
    open_world();
    start(&a, 'A', "ww", "");
    start(&b, 'B', "j", "");
    start(&c, 'C', "j", "");
    start(&d, 'D', "j", "");
    turn(0);
    pt_cancel(&c.task, REASON);
    turn(1);
    ck_assert_trace("Aw@0 Bj@0 Cj@0 Dj@0 C[]@1 ");
    memset(&c, 0xa5, sizeof c);
    run_world("Aw@2 A[]@4 B=0@4 B[]@4 D=0@4 D[]@4 ");
}
END_TEST

START_TEST(a_wake_before_a_cancel_is_kept_for_the_cleanup)
{
    open_world();
    start(&a, 'A', "w", "pw");
    turn(0);
    pt_wake(&a.task);
    pt_cancel(&a.task, REASON);
    run_world("Aw@0 A[Ap@0 Aw@0 ]@2 ");
}
END_TEST

START_TEST(a_wake_in_the_turn_of_a_cancel_changes_nothing)
{
    open_world();
    start(&a, 'A', "p", "w");
    start(&b, 'B', "p", "w");
    turn(0);
    pt_wake(&a.task);
    pt_cancel(&a.task, REASON);
    pt_cancel(&b.task, REASON);
    pt_wake(&b.task); /* it does not park: the wake is kept for its next park */
    run_world("Ap@0 Bp@0 A[Aw@0 B[Bw@0 ]@2 ]@2 ");
}
END_TEST

#endif

Suite *suite_cancel(void)
{
    Suite *suite = test_suite("cancel");

#if PT_CANCEL
    test_add(suite, a_sleeping_task_is_canceled);
    test_add(suite, a_parked_task_is_canceled);
    test_add(suite, a_queued_task_is_canceled);
    test_add(suite, a_cleanup_of_a_canceled_task_can_wait);
    test_add(suite, a_cancel_in_a_cleanup_waits_until_the_cleanup_ends);
    test_add(suite, a_sleeper_that_is_canceled_leaves_the_timer_queue);
    test_add(suite, a_task_that_is_canceled_before_its_first_turn_runs_to_its_first_wait);
    test_add(suite, a_task_that_is_canceled_before_its_first_turn_and_never_waits_is_done);
    test_add(suite, what_is_handed_over_to_a_task_that_is_canceled_at_once_is_given_back);
    test_add(suite, a_task_that_is_done_or_was_never_spawned_is_not_canceled);
    test_add(suite, a_task_that_cancels_itself_ends_at_its_next_wait);
    test_add(suite, a_task_that_cancels_itself_and_returns_keeps_its_own_status);
    test_add(suite, a_cleanup_can_cancel_another_task_and_join_it);
    test_add(suite, two_tasks_can_cancel_a_third_in_one_turn);
    test_add(suite, a_joiner_that_is_canceled_leaves_the_other_joiners_waiting);
    test_add(suite, a_wake_before_a_cancel_is_kept_for_the_cleanup);
    test_add(suite, a_wake_in_the_turn_of_a_cancel_changes_nothing);
#endif
    return suite;
}
#else

Suite *suite_cancel(void)
{
    return test_suite("cancel");
}

#endif
