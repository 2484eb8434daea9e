/* test_native_blocks.c - timeouts, groups, locals and locks of native bodies: which block timed out
 * SPDX-License-Identifier: MIT */
#include "test_native.h"

#if TEST_NATIVE

static struct pt_event never;

/* --- timeouts --- */

static int inner_ms, outer_ms;

static pt_status nest(struct pt_native *self)
{
    struct pt_scope outer, inner;
    pt_status status;

    ck_assert_int_eq(pt_native_timeout(self, &outer, PT_MS(outer_ms)), PT_OK);
    ck_assert_int_eq(pt_native_timeout(self, &inner, PT_MS(inner_ms)), PT_OK);
    status = pt_native_wait(self, PT_MS(5));
    trace_add("%s@%d ", pt_status_name(status), now_of(self));
    trace_add("inner %d ", pt_native_timeout_end(self, &inner));
    status = pt_native_wait(self, PT_MS(2));
    trace_add("%s@%d ", pt_status_name(status), now_of(self));
    trace_add("outer %d ", pt_native_timeout_end(self, &outer));
    ck_assert_int_eq(pt_native_wait(self, PT_MS(9)), PT_OK); /* no timeout is left */
    return status;
}

static void run_nest(int outer, int inner, const char *expected)
{
    outer_ms = outer;
    inner_ms = inner;
    open_natives();
    start(0, nest);
    run_world(expected);
}

START_TEST(nested_timeouts_of_a_native_body_know_which_of_them_came)
{
    run_nest(9, 9, "PT_OK@5 inner 0 PT_OK@7 outer 0 ");
    run_nest(9, 3, "PT_ETIMEDOUT@3 inner 1 PT_OK@5 outer 0 ");
    run_nest(3, 9, "PT_ETIMEDOUT@3 inner 0 PT_ETIMEDOUT@3 outer 1 ");
    run_nest(6, 9, "PT_OK@5 inner 0 PT_ETIMEDOUT@6 outer 1 ");
    run_nest(4, 3, "PT_ETIMEDOUT@3 inner 1 PT_ETIMEDOUT@4 outer 1 ");
    run_nest(3, 3, "PT_ETIMEDOUT@3 inner 0 PT_ETIMEDOUT@3 outer 1 "); /* both: the outermost */
    run_nest(5, 9, "PT_OK@5 inner 0 PT_ETIMEDOUT@5 outer 1 "); /* the completed wait counts */
}
END_TEST

static pt_status misuse_scopes(struct pt_native *self)
{
    struct pt_scope scope;

    ck_assert_int_eq(pt_native_timeout(self, &scope, PT_DELAY_NEVER + 1), PT_ERANGE);
    ck_assert_int_eq(pt_native_timeout(self, &scope, PT_DELAY_NEVER), PT_OK);
#if !PT_DEBUG
    ck_assert_int_eq(pt_native_timeout(self, &scope, PT_MS(1)), PT_EBUSY);
#endif
    ck_assert_int_eq(pt_native_wait(self, PT_MS(5)), PT_OK);
    ck_assert_int_eq(pt_native_rearm(self, &scope, PT_DELAY_MAX + 1), PT_ERANGE);
    ck_assert_int_eq(pt_native_rearm(self, &scope, PT_MS(2)), PT_OK);
    ck_assert_int_eq(pt_native_wait(self, PT_MS(5)), PT_ETIMEDOUT);
    trace_add("@%d ", now_of(self));
    ck_assert(pt_native_timeout_end(self, &scope));
    ck_assert_int_eq(pt_native_rearm(self, &scope, PT_MS(2)), PT_EINVAL);
    ck_assert_int_eq(pt_native_deadline(self, &scope, pt_native_now(self) + PT_MS(3)), PT_OK);
    ck_assert_int_eq(pt_native_wait_event(self, &never), PT_ETIMEDOUT);
    trace_add("@%d ", now_of(self));
    ck_assert(pt_native_timeout_end(self, &scope));
    ck_assert_int_eq(pt_native_timeout(self, &scope, 0), PT_OK);
    ck_assert_int_eq(pt_native_yield(self), PT_ETIMEDOUT); /* the first one */
    ck_assert(pt_native_timeout_end(self, &scope));
    ck_assert_int_eq(pt_native_yield(self), PT_OK);
    return PT_OK;
}

START_TEST(a_native_timeout_returns_its_codes_and_can_be_rearmed)
{
    open_natives();
    pt_event_init(&never);
    start(0, misuse_scopes);
    run_world("@7 @10 ");
}
END_TEST

/* In a block that has timed out, each wait returns the code again, except in a cleanup. */
static pt_status linger(struct pt_native *self)
{
    struct pt_scope outer, limit, inner;
    struct pt_group group;

    pt_native_timeout(self, &outer, PT_MS(9));
    pt_native_timeout(self, &limit, PT_MS(1));
    ck_assert_int_eq(pt_native_park(self), PT_ETIMEDOUT);
    ck_assert(pt_timed_out(&limit));
    for (int i = 0; i < 3; i++)
        ck_assert_int_eq(pt_native_wait_event(self, &never), PT_ETIMEDOUT);
    ck_assert_int_eq(pt_native_timeout(self, &inner, PT_MS(1)), PT_OK);
    ck_assert_int_eq(pt_native_park(self), PT_ETIMEDOUT);
    ck_assert(!pt_native_timeout_end(self, &inner)); /* the timeout around it came */
    ck_assert_int_eq(pt_native_group(self, &group, PT_GROUP_ALL), PT_OK);
    ck_assert_int_eq(pt_native_spawn_in(self, &group, &natives[1], ON(1, pt_native_park)), PT_OK);
    ck_assert_int_eq(pt_native_group_end(self, &group), PT_ETIMEDOUT);
    ck_assert(!pt_task_alive(&natives[1].task));
    pt_native_cleanup(self);
    ck_assert_int_eq(pt_native_wait(self, PT_MS(1)), PT_OK);
    pt_native_cleanup_end(self);
    ck_assert_int_eq(pt_native_yield(self), PT_ETIMEDOUT);
    ck_assert(pt_timed_out(&limit) && !pt_timed_out(&outer));
    ck_assert_int_eq(pt_native_rearm(self, &limit, PT_MS(3)), PT_OK); /* more time */
    ck_assert_int_eq(pt_native_wait(self, PT_MS(1)), PT_OK);
    ck_assert(!pt_native_timeout_end(self, &limit));
    ck_assert_int_eq(pt_native_park(self), PT_ETIMEDOUT);
    trace_add("@%d ", now_of(self));
    ck_assert(pt_native_timeout_end(self, &outer));
    return pt_native_wait(self, PT_MS(1));
}

START_TEST(a_native_body_gets_the_code_at_each_wait_until_its_timed_out_block_ends)
{
    open_natives();
    pt_event_init(&never);
    start(0, linger);
    run_world("@9 ");
    ck_assert_int_eq(pt_task_status(&natives[0].task), PT_OK);
}
END_TEST

static pt_status wait_within(struct pt_native *self)
{
    pt_status status = pt_native_wait(self, PT_MS(1));

    trace_add("%s@%d ", pt_status_name(status), now_of(self));
    return status;
}

struct limiter {
    struct pt pt;
    struct pt_scope limit;
    struct pt_native body;
};

static PT_ASYNC(limiter, self)
{
    PT_WITH_TIMEOUT(&self->limit, PT_MS(4)) {
        PT_WAIT_COMPLETE(&self->body, ON(0, wait_within));
        PT_WAIT_COMPLETE(&self->body, ON(0, wait_within));
        PT_WAIT(PT_MS(9));
    }
    trace_add("limit %d@%d ", pt_timed_out(&self->limit), test_ms(PT_NOW()));
}
PT_END

START_TEST(a_native_body_that_ends_keeps_the_block_of_its_caller_open)
{
    static PT_TASK(limiter) limiter;

    open_natives();
    test_zero(limiter);
    PT_START(&world.loop, &limiter, limiter);
    run_world("PT_OK@1 PT_OK@2 limit 1@4 ");
}
END_TEST

struct slow {
    struct pt pt;
};

static PT_ASYNC(slow, self)
{
    PT_WAIT(PT_MS(9));
    PT_FINALLY
    trace_add("cleanup %s ", pt_status_name(self->pt.result));
    PT_WAIT(PT_MS(2));
}
PT_END

static pt_status call_slow(struct pt_native *self)
{
    struct pt_scope limit;
    struct slow slow;
    pt_status status;

    pt_native_timeout(self, &limit, PT_MS(3));
    status = pt_native_call(self, &slow, slow);
    trace_add("%d@%d ", status == PT_ETIMEDOUT, now_of(self));
    ck_assert_int_eq(slow.pt.status, PT_ETIMEDOUT);
    ck_assert(pt_native_timeout_end(self, &limit));
    return status;
}

START_TEST(a_native_timeout_unwinds_awaited_functions_and_waits_for_cleanups)
{
    open_natives();
    start(0, call_slow);
    run_world("cleanup PT_ETIMEDOUT 1@5 ");
}
END_TEST

/* --- groups --- */

struct member {
    struct pt pt;
    char name;
    int ms;
    pt_status code;
};

static PT_ASYNC(member, self)
{
    PT_WAIT(PT_MS(self->ms));
    trace_add("%c@%d ", self->name, test_ms(PT_NOW()));
    PT_RETURN(self->code);
    PT_FINALLY
    if (self->pt.result == PT_ECANCELED)
        trace_add("%c! ", self->name);
}
PT_END

static enum pt_group_policy policy;
static pt_status left_code;
static bool leaves;

static PT_TASK(member) late;

static pt_status gather(struct pt_native *self)
{
    PT_TASK(member) left, right;
    struct pt_group group;
    pt_status status;

    test_zero(left);
    test_zero(right);
    ck_assert_int_eq(pt_native_group(self, &group, policy), PT_OK);
#if !PT_DEBUG
    ck_assert_int_eq(pt_native_group(self, &group, policy), PT_EBUSY);
#endif
    ck_assert_int_eq(
        pt_native_spawn_in(self, &group, &left, member, .name = 'l', .ms = 2, .code = left_code),
        PT_OK);
    ck_assert_int_eq(
        pt_native_spawn_in(self, &group, &right, member, .name = 'r', .ms = 4, .code = PT_OK),
        PT_OK);
    status = pt_native_wait(self, PT_MS(3));
    trace_add("%s@%d ", pt_status_name(status), now_of(self));
    status = leaves ? pt_native_group_leave(self, &group) : pt_native_group_end(self, &group);
    trace_add("end %s@%d %s%s ", pt_status_name(status), now_of(self), pt_status_name(group.status),
              group.decider == &left.task ? " by l" : "");
    ck_assert(!pt_task_alive(&left.task) && !pt_task_alive(&right.task));
    return pt_native_spawn_in(self, &group, &late, member, .name = 'x', .ms = 1, .code = PT_OK);
}

static void run_group(enum pt_group_policy how, pt_status code, bool leave, const char *expected)
{
    policy = how;
    left_code = code;
    leaves = leave;
    open_natives();
    start(0, gather);
    run_world(expected);
    ck_assert_int_eq(pt_task_status(&natives[0].task), PT_EINVAL); /* too late to cancel it */
}

START_TEST(a_group_of_a_native_body_decides_by_its_policy)
{
    run_group(PT_GROUP_ALL, PT_OK, false, "l@2 PT_OK@3 r@4 end PT_OK@4 PT_OK ");
    run_group(PT_GROUP_ALL, PT_EIO, false, "l@2 PT_OK@3 r@4 end PT_OK@4 PT_EIO by l ");
    run_group(PT_GROUP_ALL_OR_NONE, PT_EIO, false,
              "l@2 r! PT_ECANCELED@2 end PT_OK@2 PT_EIO by l ");
    run_group(PT_GROUP_FIRST, PT_EIO, false, "l@2 r! PT_ECANCELED@2 end PT_OK@2 PT_EIO by l ");
    run_group(PT_GROUP_FIRST_SUCCESS, PT_OK, false,
              "l@2 r! PT_ECANCELED@2 end PT_OK@2 PT_OK by l ");
}
END_TEST

START_TEST(leaving_a_group_in_a_native_body_cancels_its_tasks_and_waits)
{
    run_group(PT_GROUP_ALL, PT_OK, true, "l@2 PT_OK@3 r! end PT_OK@3 PT_ECANCELED ");
}
END_TEST

/* In a group that has decided, each wait returns the code again, until the group has ended. */
static pt_status outstay(struct pt_native *self)
{
    PT_TASK(member) first;
    PT_TASK(slow) second;
    struct pt_group group;

    test_zero(first);
    test_zero(second);
    ck_assert_int_eq(pt_native_group(self, &group, PT_GROUP_FIRST), PT_OK);
    pt_native_spawn_in(self, &group, &first, member, .name = 'f', .ms = 1);
    pt_native_spawn_in(self, &group, &second, slow);
    for (int i = 0; i < 3; i++)
        ck_assert_int_eq(pt_native_wait(self, PT_MS(9)), PT_ECANCELED);
    trace_add("@%d ", now_of(self));
    ck_assert_int_eq(pt_native_spawn_in(self, &group, &late, member, .name = 'x', .ms = 1),
                     PT_ECANCELED);
    ck_assert(!pt_task_alive(&late.task));
    ck_assert_int_eq(pt_native_group_end(self, &group), PT_OK);
    trace_add("end@%d ", now_of(self));
    return pt_native_wait(self, PT_MS(1));
}

START_TEST(a_native_body_gets_the_code_at_each_wait_until_its_decided_group_ends)
{
    open_natives();
    start(0, outstay);
    run_world("f@1 cleanup PT_ECANCELED @1 end@3 ");
    ck_assert_int_eq(pt_task_status(&natives[0].task), PT_OK);
}
END_TEST

static pt_status gather_in_time(struct pt_native *self)
{
    PT_TASK(slow) slow;
    struct pt_group group;
    struct pt_scope limit;
    pt_status status;

    test_zero(slow);
    pt_native_timeout(self, &limit, PT_MS(3));
    pt_native_group(self, &group, PT_GROUP_ALL);
    pt_native_spawn_in(self, &group, &slow, slow);
    status = pt_native_group_end(self, &group);
    trace_add("%s@%d ", pt_status_name(status), now_of(self));
    ck_assert(!pt_task_alive(&slow.task));
    ck_assert_int_eq(group.status, PT_ECANCELED);
    ck_assert_int_eq(pt_native_timeout_end(self, &limit), status == PT_ETIMEDOUT);
    return status;
}

START_TEST(a_timeout_or_cancel_around_a_native_group_ends_it_after_the_cleanups)
{
    open_natives();
    start(0, gather_in_time);
    run_world("cleanup PT_ECANCELED PT_ETIMEDOUT@5 ");
    open_natives();
    start(0, gather_in_time);
    turn(0);
    turn(1);
    pt_cancel(&natives[0].task, PT_ECANCELED);
    run_world("cleanup PT_ECANCELED PT_ECANCELED@3 ");
}
END_TEST

static struct pt_group shared;

static pt_status own_group(struct pt_native *self)
{
    pt_native_group(self, &shared, PT_GROUP_ALL);
    pt_native_spawn_in(self, &shared, &natives[2], ON(2, nest));
    return pt_native_group_end(self, &shared);
}

static pt_status join_group(struct pt_native *self)
{
    pt_status status = pt_native_join_group(self, &shared);

    trace_add("joined@%d ", now_of(self));
    return status;
}

START_TEST(native_tasks_are_members_of_groups_and_join_them)
{
    outer_ms = inner_ms = 20;
    test_zero(shared);
    open_natives();
    start(0, own_group);
    start(1, join_group);
    run_world("PT_OK@5 inner 0 PT_OK@7 outer 0 joined@16 ");
}
END_TEST

static pt_status forget_group(struct pt_native *self)
{
    pt_native_group(self, &shared, PT_GROUP_ALL); /* static: it outlives the body */
    pt_native_spawn_in(self, &shared, &natives[2], ON(2, pt_native_park));
    return 5;
}

START_TEST(a_group_that_a_native_body_left_open_is_canceled_and_waited_for)
{
    outer_ms = inner_ms = 20;
    test_zero(shared);
    open_natives();
    start(0, forget_group);
    turn(0);
    turn(0);
    turn(0);
    ck_assert_int_eq(pt_task_status(&natives[2].task), PT_ECANCELED);
    run_world("");
    ck_assert_int_eq(pt_task_status(&natives[0].task), 5);
}
END_TEST

/* A wait that another task can end, by itself, and that lasts at most 4 ms. */
static pt_status wait_in_group(struct pt_native *self, int ms)
{
    struct pt_scope limit;
    pt_status status;

    ck_assert_int_eq(pt_native_group(self, &shared, PT_GROUP_ALL), PT_OK);
    ck_assert_int_eq(pt_native_timeout(self, &limit, PT_MS(4)), PT_OK);
    status = pt_native_wait(self, PT_MS(ms));
    trace_add("%s@%d ", pt_status_name(status), now_of(self));
    trace_add("late %d ", pt_native_timeout_end(self, &limit));
    ck_assert_int_eq(pt_native_group_leave(self, &shared), PT_OK);
    return status;
}

static pt_status three_waits(struct pt_native *self)
{
    wait_in_group(self, 9);
    wait_in_group(self, 9);
    wait_in_group(self, 1);
    return pt_native_wait(self, PT_MS(9));
}

static pt_status end_one_wait(struct pt_native *self)
{
    pt_native_wait(self, PT_MS(2));
    pt_group_cancel(&shared, PT_ECANCELED);
    pt_native_wait(self, PT_MS(6));
    pt_group_cancel(&shared, PT_ECANCELED); /* no block is open: of no effect */
    return PT_OK;
}

START_TEST(a_cancel_of_a_group_without_tasks_ends_one_wait_of_a_native_body)
{
    test_zero(shared);
    open_natives();
    start(0, three_waits);
    start(1, end_one_wait);
    run_world("PT_ECANCELED@2 late 0 PT_ETIMEDOUT@6 late 1 PT_OK@7 late 0 ");
    ck_assert_int_eq(pt_task_status(&natives[0].task), PT_OK);
}
END_TEST

/* --- locals --- */

static char key;

struct reader {
    struct pt pt;
};

static PT_ASYNC(reader, self)
{
    trace_add("%s ", (const char *)PT_LOCAL(&key));
}
PT_END

static pt_status bind(struct pt_native *self)
{
    static char outer[] = "outer", inner[] = "inner";
    struct pt_local first, second;
    struct reader reader;

    ck_assert(!pt_native_local(self, &key));
    ck_assert_int_eq(pt_native_bind(self, &first, &key, outer), PT_OK);
#if !PT_DEBUG
    ck_assert_int_eq(pt_native_bind(self, &first, &key, inner), PT_EBUSY);
#endif
    pt_native_call(self, &reader, reader);
    ck_assert_int_eq(pt_native_bind(self, &second, &key, inner), PT_OK);
    pt_native_call(self, &reader, reader);
    pt_native_unbind(self, &second);
    pt_native_call(self, &reader, reader);
    ck_assert_int_eq(pt_native_yield(self), self->argument ? PT_ECANCELED : PT_OK);
    pt_native_unbind(self, &first); /* already closed if the task was canceled */
    ck_assert(!pt_native_local(self, &key));
    return PT_OK;
}

START_TEST(functions_that_a_native_body_awaits_see_its_bound_values)
{
    open_natives();
    start(0, bind);
    run_world("outer inner outer ");
    open_natives();
    start(0, bind);
    natives[0].frame.argument = &key;
    turn(0);
    pt_cancel(&natives[0].task, PT_ECANCELED);
    run_world("outer inner outer ");
}
END_TEST

/* --- locks --- */

static struct pt_lock strongbox;

struct strongbox_user {
    struct pt pt;
    struct pt_held held;
};

static PT_ASYNC(strongbox_user, self)
{
    PT_WITH_LOCK(&self->held, &strongbox) {
        trace_add("%d ", PT_HOLDS(&strongbox));
        PT_WAIT(PT_MS(5));
    }
}
PT_END

static pt_status awaits_locker(struct pt_native *self)
{
    static struct strongbox_user frame;
    struct pt_scope limit;
    pt_status status;

    pt_native_timeout(self, &limit, PT_MS(3));
    status = pt_native_call(self, &frame, strongbox_user);
    trace_add("%s@%d ", pt_status_name(status), now_of(self));
    trace_add("holds %d ", pt_native_holds(self, &strongbox));
    trace_add("late %d ", pt_native_timeout_end(self, &limit));
    return pt_native_call(self, &frame, strongbox_user);
}

START_TEST(a_block_that_a_native_body_awaits_unlocks_at_a_timeout_and_at_its_end)
{
    open_natives();
    pt_lock_init(&strongbox);
    start(0, awaits_locker);
    run_world("1 PT_ETIMEDOUT@3 holds 0 late 1 1 ");
    ck_assert_ptr_null(strongbox.owner);
}
END_TEST

Suite *suite_native_blocks(void)
{
    Suite *suite = test_suite("native_blocks");

    test_add(suite, nested_timeouts_of_a_native_body_know_which_of_them_came);
    test_add(suite, a_native_timeout_returns_its_codes_and_can_be_rearmed);
    test_add(suite, a_native_body_gets_the_code_at_each_wait_until_its_timed_out_block_ends);
    test_add(suite, a_native_body_gets_the_code_at_each_wait_until_its_decided_group_ends);
    test_add(suite, a_native_body_that_ends_keeps_the_block_of_its_caller_open);
    test_add(suite, a_native_timeout_unwinds_awaited_functions_and_waits_for_cleanups);
    test_add(suite, a_group_of_a_native_body_decides_by_its_policy);
    test_add(suite, leaving_a_group_in_a_native_body_cancels_its_tasks_and_waits);
    test_add(suite, a_timeout_or_cancel_around_a_native_group_ends_it_after_the_cleanups);
    test_add(suite, native_tasks_are_members_of_groups_and_join_them);
    test_add(suite, a_group_that_a_native_body_left_open_is_canceled_and_waited_for);
    test_add(suite, a_cancel_of_a_group_without_tasks_ends_one_wait_of_a_native_body);
    test_add(suite, functions_that_a_native_body_awaits_see_its_bound_values);
    test_add(suite, a_block_that_a_native_body_awaits_unlocks_at_a_timeout_and_at_its_end);
    return suite;
}

#else

Suite *suite_native_blocks(void)
{
    return test_suite("native_blocks");
}

#endif
