/* test_group.c - the status of a group: its policies, and what cancels it
 * SPDX-License-Identifier: MIT */
#include "test_group.h"

#if PT_PORT && PT_TIMERS

#if PT_GROUPS

/* --- what decides it --- */

START_TEST(a_group_of_all_ends_with_its_last_task)
{
    open_team(PT_GROUP_ALL, 3, 1);
    plan(0, 2, 0);
    plan(1, 4, 0);
    plan(2, 3, 0);
    run_world("+a +b +c body@1 a:0@2 c:0@3 b:0@4 behind@4 ");
    check_team(PT_OK, -1);
}
END_TEST

START_TEST(a_group_of_all_reports_the_first_failure_and_cancels_nothing)
{
    open_team(PT_GROUP_ALL, 3, 1);
    plan(0, 4, -70);
    plan(1, 2, 0);
    plan(2, 3, -71);
    run_world("+a +b +c body@1 b:0@2 c:-71@3 a:-70@4 behind@4 ");
    check_team(-71, 2);
}
END_TEST

START_TEST(the_first_failure_cancels_the_others_and_waits_for_their_cleanups)
{
    open_team(PT_GROUP_ALL_OR_NONE, 3, 1);
    members->cleanup = 2;
    plan(0, 2, 0);
    plan(1, 3, -70);
    plan(2, 9, -71);
    run_world("+a +b +c body@1 a:0@4 b:-70@5 c:-1@7 behind@7 ");
    check_team(-70, 1);
}
END_TEST

START_TEST(a_group_of_all_or_none_without_a_failure_waits_for_all)
{
    open_team(PT_GROUP_ALL_OR_NONE, 2, 1);
    plan(0, 3, 0);
    plan(1, 2, 0);
    run_world("+a +b body@1 b:0@2 a:0@3 behind@3 ");
    check_team(PT_OK, -1);
}
END_TEST

START_TEST(the_first_end_cancels_the_others)
{
    open_team(PT_GROUP_FIRST, 3, 1);
    plan(0, 9, 0);
    plan(1, 3, 0);
    plan(2, 4, -70);
    run_world("+a +b +c body@1 b:0@3 a:-1@3 c:-1@3 behind@3 ");
    check_team(PT_OK, 1);
}
END_TEST

START_TEST(the_first_end_can_be_a_failure)
{
    open_team(PT_GROUP_FIRST, 2, 1);
    plan(0, 3, -70);
    plan(1, 4, 0);
    run_world("+a +b body@1 a:-70@3 b:-1@3 behind@3 ");
    check_team(-70, 0);
}
END_TEST

START_TEST(the_first_success_cancels_the_others)
{
    open_team(PT_GROUP_FIRST_SUCCESS, 3, 1);
    plan(0, 2, -70);
    plan(1, 9, -71);
    plan(2, 3, 0);
    run_world("+a +b +c body@1 a:-70@2 c:0@3 b:-1@3 behind@3 ");
    check_team(PT_OK, 2);
}
END_TEST

START_TEST(without_a_success_the_first_failure_is_the_status)
{
    open_team(PT_GROUP_FIRST_SUCCESS, 2, 1);
    plan(0, 3, -70);
    plan(1, 2, -71);
    run_world("+a +b body@1 b:-71@2 a:-70@3 behind@3 ");
    check_team(-71, 1);
}
END_TEST

START_TEST(a_group_without_tasks_ends_with_its_body)
{
    static const enum pt_group_policy policies[] = {PT_GROUP_ALL, PT_GROUP_ALL_OR_NONE,
                                                    PT_GROUP_FIRST, PT_GROUP_FIRST_SUCCESS};

    for (int i = 0; i < 4; i++) {
        open_team(policies[i], 0, 2);
        run_world("body@2 behind@2 ");
        check_team(PT_OK, -1);
    }
}
END_TEST

START_TEST(the_decision_of_a_group_ends_its_body)
{
    open_team(PT_GROUP_FIRST, 2, 9);
    plan(0, 3, 0);
    plan(1, 4, 0);
    run_world("+a +b a:0@3 b:-1@3 behind@3 ");
    open_team(PT_GROUP_ALL_OR_NONE, 2, 9);
    plan(0, 3, 0);
    plan(1, 4, -70);
    run_world("+a +b a:0@3 b:-70@4 behind@4 ");
    open_team(PT_GROUP_ALL, 2, 9);
    plan(0, 3, 0);
    plan(1, 4, -70);
    run_world("+a +b a:0@3 b:-70@4 body@9 behind@9 ");
}
END_TEST

START_TEST(of_two_tasks_that_end_in_one_turn_the_first_decides)
{
    open_team(PT_GROUP_FIRST, 2, 1);
    plan(0, 3, -70);
    plan(1, 3, -71);
    run_world("+a +b body@1 a:-70@3 b:-1@3 behind@3 ");
    check_team(-70, 0);
    open_team(PT_GROUP_ALL, 2, 1);
    plan(0, 3, -70);
    plan(1, 3, -71);
    run_world("+a +b body@1 a:-70@3 b:-71@3 behind@3 ");
    check_team(-70, 0);
}
END_TEST

START_TEST(in_a_group_of_the_first_the_end_of_one_task_ends_the_other)
{
    for (int first = 0; first < 2; first++) {
        open_team(PT_GROUP_FIRST, 2, 0);
        plan(first, 2, -70);
        plan(1 - first, 9, 0);
        pt_loop_turn(&world.loop, TEST_START);
        run_world(first ? "+a +b body@0 b:-70@2 a:-1@2 behind@2 "
                        : "+a +b body@0 a:-70@2 b:-1@2 behind@2 ");
    }
    open_team(PT_GROUP_FIRST, 2, 0);
    plan(0, 9, 0);
    plan(1, 9, 0);
    pt_loop_turn(&world.loop, TEST_START);
    pt_loop_turn(&world.loop, TEST_START);
    pt_cancel(&members->workers[1].task, -72);
    run_world("+a +b body@0 b:-72@0 a:-1@0 behind@0 ");
    check_team(-72, 1);
}
END_TEST

/* --- canceling it --- */

START_TEST(a_cancel_of_a_group_ends_its_tasks_and_its_body)
{
    open_team(PT_GROUP_ALL, 2, 9);
    members->cleanup = 1;
    plan(0, 9, 0);
    plan(1, 9, 0);
    pt_loop_turn(&world.loop, TEST_START);
    pt_loop_turn(&world.loop, TEST_START);
    pt_group_cancel(&members->group, -70);
    pt_group_cancel(&members->group, -71);
    run_world("+a +b a:-70@1 b:-70@1 behind@1 ");
    check_team(-70, -1);
    ck_assert_int_eq(pt_task_status(&team_task.task), PT_OK);
}
END_TEST

START_TEST(a_failure_before_a_cancel_of_the_group_remains_its_status)
{
    open_team(PT_GROUP_ALL, 2, 9);
    plan(0, 0, -70);
    plan(1, 9, 0);
    pt_loop_turn(&world.loop, TEST_START);
    pt_loop_turn(&world.loop, TEST_START);
    pt_loop_turn(&world.loop, TEST_START);
    pt_group_cancel(&members->group, -71);
    run_world("+a +b a:-70@0 b:-71@0 behind@0 ");
    check_team(-70, 0);
}
END_TEST

START_TEST(a_cancel_of_a_group_that_is_not_open_has_no_effect)
{
    static struct pt_group group;

    pt_group_cancel(&group, -70);
    ck_assert(pt_group_empty(&group));
    open_team(PT_GROUP_ALL, 1, 0);
    plan(0, 1, 0);
    pt_group_cancel(&members->group, -70);
    run_world("+a body@0 a:0@1 behind@1 ");
    pt_group_cancel(&members->group, -70);
    check_team(PT_OK, -1);
}
END_TEST

/* Cancels a task or a group. */
struct killer {
    struct pt pt;
    struct pt_task *task;
    struct pt_group *group;
};

static PT_ASYNC(killer, self)
{
    PT_WAIT(PT_MS(1));
    if (self->group)
        pt_group_cancel(self->group, -70);
    if (self->task)
        pt_cancel(self->task, -71);
    trace_add("killed ");
    PT_WAIT(PT_MS(1));
    trace_add("done ");
    PT_FINALLY
    trace_add("killer:%d@%d ", self->pt.result, test_ms(PT_NOW()));
}
PT_END

static PT_TASK(killer) killer_task;

/* A group of a worker and a killer. */
struct victim {
    struct pt pt;
    bool its_group, itself, its_owner;
    struct pt_group group;
    PT_TASK(worker) worker;
};

static PT_TASK(victim) victim_task;

static PT_ASYNC(victim, self)
{
    PT_WITH_GROUP(&self->group, PT_GROUP_ALL) {
        PT_SPAWN_IN(&self->group, &killer_task, killer,
                    .group = self->its_group ? &self->group : NULL,
                    .task = self->its_group   ? NULL
                            : self->itself    ? &killer_task.task
                            : self->its_owner ? &victim_task.task
                                              : &self->worker.task);
        PT_SPAWN_IN(&self->group, &self->worker, worker, .name = 'w', .ms = 5, .code = 0,
                    .cleanup = 1);
    }
    trace_add("behind ");
    PT_WAIT(0);
    trace_add("never canceled ");
    PT_FINALLY
    trace_add("group %d, owner %d@%d ", self->group.status, self->pt.result, test_ms(PT_NOW()));
}
PT_END

static void open_victim(void)
{
    test_zero(victim_task);
    test_zero(killer_task);
    test_open(&world);
    PT_START(&world.loop, &victim_task, victim);
}

START_TEST(a_member_can_cancel_its_group)
{
    open_victim();
    victim_task.frame.its_group = true;
    run_world("+w killed killer:-70@1 w:-70@2 behind never canceled group -70, owner 0@2 ");
}
END_TEST

START_TEST(a_member_can_cancel_its_owner)
{
    open_victim();
    victim_task.frame.its_owner = true;
    run_world("+w killed killer:-1@1 w:-1@2 group -1, owner -71@2 ");
}
END_TEST

START_TEST(a_member_can_cancel_a_sibling)
{
    open_victim();
    run_world("+w killed done killer:0@2 w:-71@2 behind never canceled group -71, owner 0@2 ");
}
END_TEST

START_TEST(a_member_can_cancel_itself)
{
    open_victim();
    victim_task.frame.itself = true;
    run_world("+w killed killer:-71@1 w:0@6 behind never canceled group -71, owner 0@6 ");
}
END_TEST

#endif

Suite *suite_group(void)
{
    Suite *suite = test_suite("group");

#if PT_GROUPS
    test_add(suite, a_group_of_all_ends_with_its_last_task);
    test_add(suite, a_group_of_all_reports_the_first_failure_and_cancels_nothing);
    test_add(suite, the_first_failure_cancels_the_others_and_waits_for_their_cleanups);
    test_add(suite, a_group_of_all_or_none_without_a_failure_waits_for_all);
    test_add(suite, the_first_end_cancels_the_others);
    test_add(suite, the_first_end_can_be_a_failure);
    test_add(suite, the_first_success_cancels_the_others);
    test_add(suite, without_a_success_the_first_failure_is_the_status);
    test_add(suite, a_group_without_tasks_ends_with_its_body);
    test_add(suite, the_decision_of_a_group_ends_its_body);
    test_add(suite, of_two_tasks_that_end_in_one_turn_the_first_decides);
    test_add(suite, in_a_group_of_the_first_the_end_of_one_task_ends_the_other);
    test_add(suite, a_cancel_of_a_group_ends_its_tasks_and_its_body);
    test_add(suite, a_failure_before_a_cancel_of_the_group_remains_its_status);
    test_add(suite, a_cancel_of_a_group_that_is_not_open_has_no_effect);
    test_add(suite, a_member_can_cancel_its_group);
    test_add(suite, a_member_can_cancel_its_owner);
    test_add(suite, a_member_can_cancel_a_sibling);
    test_add(suite, a_member_can_cancel_itself);
#endif
    return suite;
}
#else

Suite *suite_group(void)
{
    return test_suite("group");
}

#endif
