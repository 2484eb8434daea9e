/* test_decided.c - what pt decides otherwise than others: doc/design/cancel.md
 * SPDX-License-Identifier: MIT */
#include "pt_test.h"

#if PT_PORT && PT_TIMERS && PT_AWAIT && PT_GROUPS && PT_CANCEL

/* Ends after some time with a code, or with another one if it is canceled. */
struct child {
    struct pt pt;
    char name;
    int ms;
    pt_status code, canceled;
};

static PT_ASYNC(child, self)
{
    PT_WAIT((pt_time)self->ms * PT_MS(1));
    PT_RETURN(self->code);
    PT_FINALLY
    trace_add("%c:%d@%d ", self->name, self->pt.result, test_ms(PT_NOW()));
    if (self->pt.result == -70)
        PT_RETURN(self->canceled);
}
PT_END

/* A group in a group. The outer one has another task; the code of the inner one is passed on, or not. */
struct parent {
    struct pt pt;
    enum pt_group_policy policy;
    struct pt_group group;
    PT_TASK(child) first, second;
};

static PT_ASYNC(parent, self)
{
    PT_WITH_GROUP(&self->group, self->policy) {
        PT_SPAWN_IN(&self->group, &self->first, child, .name = 'a', .ms = 2, .code = PT_EIO,
                    .canceled = -70);
        PT_SPAWN_IN(&self->group, &self->second, child, .name = 'b', .ms = 2, .code = -71,
                    .canceled = -70);
    }
    trace_add("%d@%d ", self->group.status, test_ms(PT_NOW()));
}
PT_END

static PT_TASK(parent) family;

static void open_family(enum pt_group_policy policy)
{
    test_zero(family);
    test_open(&world);
    PT_START(&world.loop, &family, parent, .policy = policy);
}

START_TEST(of_two_failures_in_a_turn_a_group_keeps_the_first_and_each_task_its_own)
{
    open_family(PT_GROUP_ALL);
    run_world("a:-12@2 b:-71@2 -12@2 ");
    ck_assert_ptr_eq(family.frame.group.decider, &family.frame.first.task);
    ck_assert_int_eq(pt_task_status(&family.frame.first.task), PT_EIO);
    ck_assert_int_eq(pt_task_status(&family.frame.second.task), -71);
}
END_TEST

START_TEST(a_child_that_is_canceled_fails_its_group_of_all_or_none)
{
    open_family(PT_GROUP_ALL_OR_NONE);
    run_until(1);
    pt_cancel(&family.frame.second.task, -70);
    run_world("b:-70@1 a:-1@1 -70@1 ");
    ck_assert_ptr_eq(family.frame.group.decider, &family.frame.second.task);
}
END_TEST

START_TEST(a_child_that_ends_a_cancel_with_success_fails_nobody)
{
    open_family(PT_GROUP_ALL_OR_NONE);
    run_until(1);
    family.frame.first.frame.code = PT_OK;
    family.frame.second.frame.canceled = PT_OK;
    pt_cancel(&family.frame.second.task, -70);
    run_world("b:-70@1 a:0@2 0@2 ");
}
END_TEST

START_TEST(a_failure_behind_the_cancel_of_a_group_is_not_its_status)
{
    open_family(PT_GROUP_ALL);
    run_until(1);
    family.frame.first.frame.canceled = -71; /* the code of its cleanup */
    pt_group_cancel(&family.frame.group, -70);
    run_world("a:-70@1 b:-70@1 -70@1 ");
    ck_assert_int_eq(pt_task_status(&family.frame.first.task), -71);
    ck_assert_ptr_null(family.frame.group.decider);
}
END_TEST

/* Its first member has a group that fails. */
struct grandparent {
    struct pt pt;
    struct pt_group group;
    PT_TASK(parent) inner;
    PT_TASK(child) beside;
};

static PT_ASYNC(grandparent, self)
{
    PT_WITH_GROUP(&self->group, PT_GROUP_ALL_OR_NONE) {
        PT_SPAWN_IN(&self->group, &self->inner, parent, .policy = PT_GROUP_ALL_OR_NONE);
        PT_SPAWN_IN(&self->group, &self->beside, child, .name = 'c', .ms = 5);
    }
    trace_add("outer:%d@%d ", self->group.status, test_ms(PT_NOW()));
}
PT_END

START_TEST(the_failure_of_an_inner_group_does_not_reach_the_outer_one_by_itself)
{
    static PT_TASK(grandparent) task;

    test_zero(task);
    test_open(&world);
    PT_START(&world.loop, &task, grandparent);
    run_world("a:-12@2 b:-1@2 -12@2 c:0@5 outer:0@5 ");
}
END_TEST

#if PT_CHANNELS
/* Receives a value, and tells the code; in its cleanup, too. */
struct taker {
    struct pt pt;
    int value, late;
};

static PT_CHANNEL(int) channel;
static bool closes;

static PT_ASYNC(taker, self)
{
    PT_RECV(&channel, &self->value);
    trace_add("%d:%d ", self->pt.status, self->value);
    PT_PARK();
    PT_FINALLY
    if (closes) {
        PT_RECV(&channel, &self->late);
        trace_add("cleanup %d ", self->pt.status);
    }
}
PT_END

struct giver {
    struct pt pt;
    int value;
};

static PT_ASYNC(giver, self)
{
    PT_SEND(&channel, &self->value);
}
PT_END

START_TEST(a_cancel_hides_a_close_of_the_same_turn_but_not_a_value)
{
    static PT_TASK(taker) taker;
    static PT_TASK(giver) giver;

    for (int i = 0; i < 2; i++) {
        closes = i;
        test_zero(taker);
        test_zero(giver);
        pt_channel_init(&channel.channel, PT_PREFER_NEITHER);
        test_open(&world);
        PT_START(&world.loop, &taker, taker);
        pt_loop_turn(&world.loop, TEST_START);
        if (closes)
            pt_channel_close(&channel.channel);
        else
            PT_START(&world.loop, &giver, giver, .value = 7);
        if (!closes)
            pt_loop_turn(&world.loop, TEST_START);
        pt_cancel(&taker.task, -70);
        run_world(closes ? "cleanup -9 " : "0:7 ");
        ck_assert_int_eq(pt_task_status(&taker.task), -70);
    }
}
END_TEST
#endif

Suite *suite_decided(void)
{
    Suite *suite = test_suite("decided");

    test_add(suite, of_two_failures_in_a_turn_a_group_keeps_the_first_and_each_task_its_own);
    test_add(suite, a_child_that_is_canceled_fails_its_group_of_all_or_none);
    test_add(suite, a_child_that_ends_a_cancel_with_success_fails_nobody);
    test_add(suite, a_failure_behind_the_cancel_of_a_group_is_not_its_status);
    test_add(suite, the_failure_of_an_inner_group_does_not_reach_the_outer_one_by_itself);
#if PT_CHANNELS
    test_add(suite, a_cancel_hides_a_close_of_the_same_turn_but_not_a_value);
#endif
    return suite;
}
#else

Suite *suite_decided(void)
{
    return test_suite("decided");
}

#endif
