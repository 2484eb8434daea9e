/* test_timeout_ties.c - a timeout meets the end of a wait or a cancel, in both orders
 * SPDX-License-Identifier: MIT
 *
 * A wait that ended before the timeout counts, even if a late turn notices both at once. */
#include "pt_test.h"

#if PT_PORT && PT_AWAIT && PT_JOINS && PT_POOLS

#if PT_TIMEOUTS

struct dozer {
    struct pt pt;
    pt_time delay;
};

static PT_ASYNC(dozer, self)
{
    PT_WAIT(self->delay);
    PT_RETURN((pt_status)-70);
}
PT_END

static PT_TASK(dozer) target;
static PT_POOL(dozer, 1) suites;

/* Waits once, by a letter: w sleeps 3 ms, p parks, j joins, f waits for room in the pool; W sleeps
 * twice. */
struct wait {
    struct pt pt;
    char how;
};

static PT_ASYNC(wait, self)
{
    if (self->how == 'w')
        PT_WAIT(PT_MS(3));
    else if (self->how == 'p')
        PT_PARK();
    else if (self->how == 'j')
        PT_JOIN(&target.task);
    else if (self->how == 'f')
        PT_SPAWN_WHEN_FREE(&suites, dozer, .delay = 0);
    if (self->how == 'W') {
        PT_WAIT(PT_MS(3));
        trace_add("first@%d ", test_ms(PT_NOW()));
        PT_WAIT(PT_MS(3));
    }
    PT_RETURN(self->pt.status);
}
PT_END

/* The same in a block, awaited (`awaits`) or not; then a second wait, a sleep. */
struct tie {
    struct pt pt;
    struct pt_scope limit;
    struct wait wait;
    pt_time delay;
    char how;
    bool awaits;
};

static PT_ASYNC(tie, self)
{
    PT_WITH_TIMEOUT(&self->limit, self->delay) {
        if (self->awaits)
            PT_WAIT_COMPLETE(&self->wait, wait, .how = self->how);
        else if (self->how == 'w')
            PT_WAIT(PT_MS(3));
        else if (self->how == 'p')
            PT_PARK();
        else if (self->how == 'j')
            PT_JOIN(&target.task);
        else
            PT_SPAWN_WHEN_FREE(&suites, dozer, .delay = 0);
        trace_add("done:%d@%d ", self->pt.status, test_ms(PT_NOW()));
        PT_WAIT(PT_MS(9));
    }
    trace_add("late%d@%d ", pt_timed_out(&self->limit), test_ms(PT_NOW()));
    PT_PARK();
    trace_add("woken@%d ", test_ms(PT_NOW()));
}
PT_END

static PT_TASK(tie) tie;

static void start_tie(char how, int limit, bool awaits)
{
    test_zero(tie);
    test_zero(target);
    test_open(&world);
    ck_assert_int_eq(PT_START(&world.loop, &tie, tie, .how = how, .awaits = awaits,
                              .delay = (pt_time)((pt_time)limit * PT_MS(1))),
                     PT_OK);
}

static void end_tie(const char *trace)
{
    pt_wake(&tie.task);
    run_world(trace);
}

START_TEST(a_sleep_that_ends_at_the_tick_of_the_timeout_counts)
{
    for (int awaits = 0; awaits < 2; awaits++) {
        start_tie('w', 3, awaits);
        turn(0);
        turn(3);
        turn(4);
        end_tie("done:0@3 late1@4 woken@4 ");
    }
}
END_TEST

START_TEST(only_the_wait_at_the_tick_of_the_timeout_counts)
{
    start_tie('W', 3, true);
    turn(0);
    turn(3);
    turn(4);
    end_tie("first@3 late1@4 woken@4 ");
}
END_TEST

START_TEST(in_a_late_turn_the_earlier_of_sleep_and_timeout_counts)
{
    for (int awaits = 0; awaits < 2; awaits++) {
        start_tie('w', 4, awaits);
        turn(0);
        turn(6);
        turn(7);
        end_tie("done:0@6 late1@7 woken@7 ");
        start_tie('w', 2, awaits);
        turn(0);
        turn(6);
        ck_assert_trace("late1@6 "); /* once */
        end_tie("woken@6 ");
    }
}
END_TEST

START_TEST(a_wake_before_the_timeout_counts_and_one_after_it_is_kept)
{
    for (int awaits = 0; awaits < 2; awaits++) {
        start_tie('p', 3, awaits);
        turn(0);
        pt_wake(&tie.task);
        turn(3);
        turn(3);
        end_tie("done:0@3 late1@3 woken@3 ");
        start_tie('p', 3, awaits);
        turn(0);
        turn(3);
        ck_assert_trace("late1@3 ");
        pt_wake(&tie.task);
        run_world("woken@3 ");
    }
}
END_TEST

START_TEST(of_two_wakes_before_the_timeout_one_counts_and_one_is_kept)
{
    for (int awaits = 0; awaits < 2; awaits++) {
        start_tie('p', 3, awaits);
        turn(0);
        pt_wake(&tie.task);
        pt_wake(&tie.task);
        turn(3);
        run_world("done:0@3 late1@3 woken@3 ");
    }
}
END_TEST

START_TEST(an_end_before_the_timeout_counts_for_the_joiner)
{
    for (int awaits = 0; awaits < 2; awaits++) {
        start_tie('j', 3, awaits);
        PT_START(&world.loop, &target, dozer, .delay = PT_MS(2));
        turn(0);
        turn(2); /* the joiner is ready for the next turn, which comes late */
        turn(4);
        turn(4);
        end_tie("done:-70@4 late1@4 woken@4 ");
    }
}
END_TEST

START_TEST(a_task_can_end_in_the_turn_in_which_its_joiner_times_out)
{
    for (int awaits = 0; awaits < 2; awaits++) {
        start_tie('j', 3, awaits);
        PT_START(&world.loop, &target, dozer, .delay = PT_MS(3));
        turn(0);
        turn(3); /* the target ends in the turn of the timeout */
        ck_assert(pt_task_done(&target.task));
        end_tie("late1@3 woken@3 ");
    }
}
END_TEST

START_TEST(a_place_that_was_given_is_used_despite_a_timeout)
{
    for (int awaits = 0; awaits < 2; awaits++) {
        test_zero(suites);
        start_tie('f', 3, awaits);
        ck_assert_int_eq(PT_START_FROM(&world.loop, &suites, dozer, .delay = PT_MS(2)), PT_OK);
        turn(0);
        turn(2);
        ck_assert_uint_eq(suites.pool.granted, 1);
        turn(4);
        turn(4);
        end_tie("done:0@4 late1@4 woken@4 ");
        ck_assert_uint_eq(suites.pool.granted, 0);
        ck_assert_uint_eq(suites.pool.used, 0);
    }
}
END_TEST

START_TEST(a_timeout_before_the_place_is_free_leaves_it_to_the_next_task)
{
    static PT_TASK(tie) next;

    test_zero(suites);
    test_zero(next);
    start_tie('f', 3, false);
    ck_assert_int_eq(PT_START_FROM(&world.loop, &suites, dozer, .delay = PT_MS(3)), PT_OK);
    ck_assert_int_eq(PT_START(&world.loop, &next, tie, .how = 'f', .delay = PT_MS(4)), PT_OK);
    turn(0);
    turn(3);
    ck_assert_trace("late1@3 ");
    ck_assert_uint_eq(suites.pool.granted, 1);
    turn(3);
    turn(4);
    pt_wake(&next.task);
    end_tie("done:0@3 late1@4 woken@4 woken@4 ");
    ck_assert_uint_eq(suites.pool.granted, 0);
    ck_assert_uint_eq(suites.pool.used, 0);
}
END_TEST

#if PT_CANCEL
/* Cancels the other task at 3 ms. */
struct slayer {
    struct pt pt;
};

static PT_ASYNC(slayer, self)
{
    PT_WAIT(PT_MS(3));
    pt_cancel(&tie.task, (pt_status)-71);
}
PT_END

START_TEST(a_cancel_and_a_timeout_in_one_turn_both_take_effect)
{
    static PT_TASK(slayer) slayer;

    test_zero(slayer);
    start_tie('p', 3, true);
    PT_START(&world.loop, &slayer, slayer); /* runs second: the block ends, then the task */
    run_world("late1@3 ");
    ck_assert_int_eq(pt_task_status(&tie.task), -71);
    test_zero(tie);
    test_open(&world);
    PT_START(&world.loop, &slayer, slayer); /* runs first */
    PT_START(&world.loop, &tie, tie, .how = 'p', .awaits = true, .delay = PT_MS(3));
    run_world("");
    ck_assert_int_eq(pt_task_status(&tie.task), -71);
    ck_assert_int_eq(tie.frame.wait.pt.status, -71);
    ck_assert(!pt_timed_out(&tie.frame.limit));
}
END_TEST

START_TEST(a_timeout_does_not_swallow_an_earlier_cancel)
{
    start_tie('w', 3, true);
    turn(0);
    pt_cancel(&tie.task, (pt_status)-71);
    turn(5);
    ck_assert_trace("");
    ck_assert_int_eq(pt_task_status(&tie.task), -71);
    test_close(&world);
}
END_TEST
#endif

#endif

Suite *suite_timeout_ties(void)
{
    Suite *suite = test_suite("timeout_ties");

#if PT_TIMEOUTS
    test_add(suite, a_sleep_that_ends_at_the_tick_of_the_timeout_counts);
    test_add(suite, only_the_wait_at_the_tick_of_the_timeout_counts);
    test_add(suite, in_a_late_turn_the_earlier_of_sleep_and_timeout_counts);
    test_add(suite, a_wake_before_the_timeout_counts_and_one_after_it_is_kept);
    test_add(suite, of_two_wakes_before_the_timeout_one_counts_and_one_is_kept);
    test_add(suite, an_end_before_the_timeout_counts_for_the_joiner);
    test_add(suite, a_task_can_end_in_the_turn_in_which_its_joiner_times_out);
    test_add(suite, a_place_that_was_given_is_used_despite_a_timeout);
    test_add(suite, a_timeout_before_the_place_is_free_leaves_it_to_the_next_task);
#if PT_CANCEL
    test_add(suite, a_cancel_and_a_timeout_in_one_turn_both_take_effect);
    test_add(suite, a_timeout_does_not_swallow_an_earlier_cancel);
#endif
#endif
    return suite;
}
#else

Suite *suite_timeout_ties(void)
{
    return test_suite("timeout_ties");
}

#endif
