/* test_regressions.c - scripts that failed in the model test, minimized; each test name is a rule
 * SPDX-License-Identifier: MIT */
#include "pt_test.h"

#if PT_PORT && PT_AWAIT

#if PT_CANCEL && PT_TIMEOUTS && PT_GROUPS && PT_POOLS

static void turn_at(int ms)
{
    pt_loop_turn(&world.loop, test_at(ms));
}

/* --- a completed wait counts, even in the cleanup of a canceled task --- */

struct tidier {
    struct pt pt;
    struct pt_scope limit;
};

static PT_ASYNC(tidier, self)
{
    PT_PARK();
    PT_FINALLY
    PT_WITH_TIMEOUT(&self->limit, PT_MS(2)) {
        trace_add("tidy ");
        PT_PARK();
        trace_add("woken ");
    }
    trace_add(pt_timed_out(&self->limit) ? "late " : "in time ");
}
PT_END

static PT_TASK(tidier) tidy_task;

START_TEST(a_deferred_cancel_does_not_make_a_completed_wait_late)
{
    test_open(&world);
    test_zero(tidy_task);
    PT_START(&world.loop, &tidy_task, tidier);
    turn_at(0);
    pt_cancel(&tidy_task.task, PT_ECANCELED);
    turn_at(0);
    ck_assert_trace("tidy ");
    pt_wake(&tidy_task.task);
    turn_at(2);
    ck_assert_trace("woken in time ");
    test_close(&world);
}
END_TEST

/* --- blocks that a return has left --- */

struct brief {
    struct pt pt;
};

static PT_ASYNC(brief, self)
{
    PT_YIELD();
}
PT_END

/* Returns from the block of a group. Its task has not started, and is done two turns later. */
struct leaver {
    struct pt pt;
    struct pt_scope limit;
    struct pt_group group;
    PT_TASK(brief) child;
    bool in_cleanup; /* the return that leaves the blocks is in the cleanup */
};

static PT_ASYNC(leaver, self)
{
    if (!self->in_cleanup) {
        PT_WITH_GROUP(&self->group, PT_GROUP_ALL) {
            PT_SPAWN_IN(&self->group, &self->child, brief);
            PT_RETURN(PT_OK);
        }
    }
    PT_FINALLY
    PT_WITH_TIMEOUT(&self->limit, 0)
        PT_WITH_GROUP(&self->group, PT_GROUP_ALL) {
            trace_add("again ");
            if (self->in_cleanup)
                PT_SPAWN_IN(&self->group, &self->child, brief);
            PT_RETURN(PT_OK);
        }
}
PT_END

struct limiter {
    struct pt pt;
    struct pt_scope limit;
    struct leaver leaver;
};

static PT_ASYNC(limiter, self)
{
    PT_WITH_TIMEOUT(&self->limit, PT_MS(1))
        PT_WAIT_COMPLETE(&self->leaver, leaver, .in_cleanup = false);
    trace_add("%s ", pt_status_name(self->leaver.pt.status));
}
PT_END

static PT_TASK(limiter) limit_task;
static PT_TASK(leaver) leave_task;

START_TEST(a_function_that_returned_has_closed_its_blocks_when_a_timeout_comes)
{
    test_open(&world);
    test_zero(limit_task);
    PT_START(&world.loop, &limit_task, limiter);
    turn_at(0);
    turn_at(0);
    turn_at(0); /* the child is done, and the group is empty */
    ck_assert_trace("");
    turn_at(1);
    ck_assert_trace("again PT_OK ");
    test_close(&world);
}
END_TEST

START_TEST(a_return_in_a_cleanup_is_not_interrupted_by_its_own_timeout)
{
    test_open(&world);
    test_zero(leave_task);
    PT_START(&world.loop, &leave_task, leaver, .in_cleanup = true);
    turn_at(0);
    ck_assert_trace("again ");
    turn_at(0);
    turn_at(0);
    ck_assert_uint_eq(pt_loop_live(&world.loop), 1); /* the child is done; the leaver runs next */
    turn_at(0);
    ck_assert_uint_eq(pt_loop_live(&world.loop), 0);
    test_close(&world);
}
END_TEST

/* --- a place that was given before any interruption --- */

static PT_POOL(brief, 1) chambers;

struct visitor {
    struct pt pt;
    struct pt_scope limit;
};

static PT_ASYNC(visitor, self)
{
    PT_WITH_TIMEOUT(&self->limit, PT_MS(1)) /* both end at the same tick: the wait counts */
        PT_WAIT(PT_MS(1));
    trace_add(pt_timed_out(&self->limit) ? "late " : "in time ");
    PT_SPAWN_FROM(&chambers, brief);
    PT_SPAWN_WHEN_FREE(&chambers, brief);
    trace_add("served ");
    pt_cancel(pt_current_, PT_ECANCELED);
}
PT_END

struct host {
    struct pt pt;
    struct visitor visitor;
};

static PT_ASYNC(host, self)
{
    PT_WAIT_COMPLETE(&self->visitor, visitor);
    trace_add("on ");
}
PT_END

static PT_TASK(host) host_task;

START_TEST(an_earlier_interruption_does_not_defer_a_later_cancel)
{
    test_open(&world);
    test_zero(host_task);
    test_zero(chambers);
    PT_START(&world.loop, &host_task, host);
    turn_at(0);
    turn_at(1);
    ck_assert_trace("in time ");
    ck_assert_int_eq(pt_loop_run(&world.loop), PT_OK);
    ck_assert_trace("served ");
    ck_assert_int_eq(pt_task_status(&host_task.task), PT_ECANCELED);
    test_close(&world);
}
END_TEST

/* --- a late turn, with a cleanup that a timeout must wait for --- */

struct sweeper {
    struct pt pt;
};

static PT_ASYNC(sweeper, self)
{
    PT_FINALLY
    PT_WAIT(PT_MS(5));
    trace_add("swept@%d ", test_ms(PT_NOW()));
}
PT_END

struct keeper {
    struct pt pt;
    struct pt_scope limit;
    struct sweeper sweeper;
};

static PT_ASYNC(keeper, self)
{
    PT_WITH_TIMEOUT(&self->limit, PT_MS(3))
        PT_WAIT_COMPLETE(&self->sweeper, sweeper);
    trace_add(pt_timed_out(&self->limit) ? "over " : "kept ");
}
PT_END

struct snoozer {
    struct pt pt;
};

static PT_ASYNC(snoozer, self)
{
    PT_WAIT(PT_MS(4));
    trace_add("nap@%d ", test_ms(PT_NOW()));
}
PT_END

static PT_TASK(keeper) keep_task;
static PT_TASK(snoozer) nap_task;

START_TEST(a_late_turn_fires_in_order_even_a_sleep_in_a_cleanup_past_its_timeout)
{
    test_open(&world);
    test_zero(keep_task);
    test_zero(nap_task);
    PT_START(&world.loop, &keep_task, keeper);
    PT_START(&world.loop, &nap_task, snoozer);
    turn_at(0);
    turn_at(9);
    ck_assert_trace("nap@9 swept@9 over "); /* as in turns at 3, 4 and 5 */
    test_close(&world);
}
END_TEST

/* --- two blocks of a task are over at the same tick --- */

struct sweep {
    struct pt pt;
    const char *name;
};

/* Ends at once. Its cleanup sleeps, and the enclosing blocks must wait for it. */
static PT_ASYNC(sweep, self)
{
    PT_RETURN(PT_OK);
    PT_FINALLY
    PT_WAIT(PT_MS(5));
    trace_add("%s@%d ", self->name, test_ms(PT_NOW()));
}
PT_END

struct boxed {
    struct pt pt;
    struct pt_scope outer, inner;
    struct sweep sweep;
    const char *name;
    pt_time limit;
};

static PT_ASYNC(boxed, self)
{
    PT_WITH_TIMEOUT(&self->outer, PT_MS(3)) {
        PT_WITH_TIMEOUT(&self->inner, self->limit) {
            PT_WAIT_COMPLETE(&self->sweep, sweep, .name = self->name);
        }
    }
}
PT_END

START_TEST(two_blocks_that_end_at_one_tick_keep_the_order_of_equal_deadlines)
{
    static PT_TASK(boxed) both, one;

    test_zero(both);
    test_zero(one);
    test_open(&world);
    PT_START(&world.loop, &both, boxed, .name = "both", .limit = PT_MS(3));
    PT_START(&world.loop, &one, boxed, .name = "one", .limit = PT_DELAY_NEVER);
    ck_assert_int_eq(pt_loop_run(&world.loop), PT_OK);
    ck_assert_trace("both@5 one@5 ");
    test_close(&world);
}
END_TEST

/* --- blocks of a parked task that are over at the same tick --- */

struct crate {
    struct pt pt;
    const char *name;
    pt_time second; /* of the two inner blocks */
    struct pt_scope outer, inner[2];
};

static PT_ASYNC(crate, self)
{
    PT_WITH_TIMEOUT(&self->outer, PT_MS(5)) {
        PT_WITH_TIMEOUT(&self->inner[0], PT_MS(3)) {
            PT_WITH_TIMEOUT(&self->inner[1], self->second) {
                PT_PARK();
            }
        }
        PT_PARK();
    }
    trace_add("%s@%d ", self->name, test_ms(PT_NOW()));
}
PT_END

START_TEST(a_parked_task_with_two_blocks_over_at_one_tick_is_armed_once_for_the_third)
{
    static PT_TASK(crate) two, one;

    test_zero(two);
    test_zero(one);
    test_open(&world);
    PT_START(&world.loop, &two, crate, .name = "two", .second = PT_MS(3));
    PT_START(&world.loop, &one, crate, .name = "one", .second = PT_DELAY_NEVER);
    ck_assert_int_eq(pt_loop_run(&world.loop), PT_OK);
    ck_assert_trace("two@5 one@5 ");
    test_close(&world);
}
END_TEST

#endif

Suite *suite_regressions(void)
{
    Suite *suite = test_suite("regressions");

#if PT_CANCEL && PT_TIMEOUTS && PT_GROUPS && PT_POOLS
    test_add(suite, a_deferred_cancel_does_not_make_a_completed_wait_late);
    test_add(suite, a_function_that_returned_has_closed_its_blocks_when_a_timeout_comes);
    test_add(suite, a_return_in_a_cleanup_is_not_interrupted_by_its_own_timeout);
    test_add(suite, an_earlier_interruption_does_not_defer_a_later_cancel);
    test_add(suite, a_late_turn_fires_in_order_even_a_sleep_in_a_cleanup_past_its_timeout);
    test_add(suite, two_blocks_that_end_at_one_tick_keep_the_order_of_equal_deadlines);
    test_add(suite, a_parked_task_with_two_blocks_over_at_one_tick_is_armed_once_for_the_third);
#endif
    return suite;
}
#else

Suite *suite_regressions(void)
{
    return test_suite("regressions");
}

#endif
