/* test_group_end.c - no task outlives the block of its group, however the block is left
 * SPDX-License-Identifier: MIT */
#include "pt_test.h"

#if PT_PORT && PT_TIMERS && PT_AWAIT

#if PT_GROUPS

/* Works for 5 ms, and cleans up for 1 ms. */
struct leaver {
    struct pt pt;
    char name;
};

static PT_ASYNC(leaver, self)
{
    PT_WAIT(PT_MS(5));
    PT_FINALLY
    PT_WAIT(PT_MS(1));
    trace_add("%c:%d@%d ", self->name, self->pt.result, test_ms(PT_NOW()));
}
PT_END

static PT_TASK(leaver) first, last;

/* --- from inside --- */

enum way { BY_END, BY_CONTINUE, BY_BREAK, BY_RETURN };

struct boat {
    struct pt pt;
    enum way way;
    int ms;
    bool alone; /* only one worker */
    struct pt_group group;
};

static PT_ASYNC(boat, self)
{
    PT_WITH_GROUP(&self->group, PT_GROUP_ALL) {
        PT_SPAWN_IN(&self->group, &first, leaver, .name = 'a');
        PT_WAIT((pt_time)self->ms * PT_MS(1));
        if (!self->alone)
            PT_SPAWN_IN(&self->group, &last, leaver, .name = 'b');
        if (self->way == BY_CONTINUE)
            continue;
        if (self->way == BY_BREAK)
            break;
        if (self->way == BY_RETURN)
            PT_RETURN(-70);
        trace_add("end@%d ", test_ms(PT_NOW()));
    }
    trace_add("behind@%d ", test_ms(PT_NOW()));
    PT_FINALLY
    trace_add("finally:%d@%d ", self->pt.result, test_ms(PT_NOW()));
    PT_WAIT(PT_MS(1));
}
PT_END

static PT_TASK(boat) boat_task;

static void open_boat(enum way way, int ms)
{
    test_zero(boat_task);
    test_zero(first);
    test_zero(last);
    test_open(&world);
    ck_assert_int_eq(PT_START(&world.loop, &boat_task, boat, .way = way, .ms = ms), PT_OK);
}

/* Check the status of the owner and of the group. */
static void check_boat(int owner, int group)
{
    ck_assert_int_eq(pt_task_status(&boat_task.task), owner);
    ck_assert_int_eq(boat_task.frame.group.status, group);
    ck_assert(boat_task.task.scopes == NULL);
}

START_TEST(the_end_of_a_block_waits_for_its_tasks)
{
    open_boat(BY_END, 3);
    run_world("end@3 a:0@6 b:0@9 behind@9 finally:0@9 ");
    check_boat(PT_OK, PT_OK);
}
END_TEST

START_TEST(continue_jumps_to_the_end_of_the_block)
{
    open_boat(BY_CONTINUE, 3);
    run_world("a:0@6 b:0@9 behind@9 finally:0@9 ");
    check_boat(PT_OK, PT_OK);
}
END_TEST

START_TEST(break_cancels_the_tasks_and_waits_for_them)
{
    open_boat(BY_BREAK, 3);
    run_world("a:-1@4 b:-1@4 behind@4 finally:0@4 ");
    check_boat(PT_OK, PT_ECANCELED);
    ck_assert_int_eq(pt_task_status(&last.task), PT_ECANCELED); /* at its first wait */
}
END_TEST

START_TEST(break_out_of_an_empty_group_is_no_failure)
{
    open_boat(BY_BREAK, 7);
    boat_task.frame.alone = true;
    run_world("a:0@6 behind@7 finally:0@7 ");
    check_boat(PT_OK, PT_OK);
}
END_TEST

START_TEST(a_return_cancels_the_tasks_before_the_cleanup_begins)
{
    open_boat(BY_RETURN, 3);
    run_world("a:-1@4 b:-1@4 finally:-70@4 ");
    check_boat(-70, PT_ECANCELED);
}
END_TEST

struct loops {
    struct pt pt;
    int i;
    struct pt_group group;
};

static PT_ASYNC(loops, self)
{
    for (self->i = 0; self->i < 4; self->i++) {
        PT_WITH_GROUP(&self->group, self->i == 0 ? PT_GROUP_FIRST : PT_GROUP_ALL) {
            PT_SPAWN_IN(&self->group, &first, leaver, .name = (char)('0' + self->i));
            PT_WAIT(PT_MS(1));
            if (self->i == 1)
                break;
            if (self->i == 2)
                continue;
            PT_WAIT(PT_MS(1));
        }
        trace_add("behind:%d@%d ", self->group.status, test_ms(PT_NOW()));
    }
}
PT_END

START_TEST(a_group_can_be_opened_again_in_a_loop)
{
    static PT_TASK(loops) task;

    test_zero(task);
    test_zero(first);
    test_open(&world);
    PT_START(&world.loop, &task, loops);
    run_world("0:0@6 behind:0@6 1:-1@8 behind:-1@8 2:0@14 behind:0@14 3:0@20 behind:0@20 ");
}
END_TEST

#if !PT_DEBUG
struct doubled {
    struct pt pt;
    struct pt_group *group;
};

static PT_ASYNC(doubled, self)
{
    PT_WITH_GROUP(self->group, PT_GROUP_ALL) {
        trace_add("never ");
    }
    trace_add("never ");
    PT_FINALLY
    trace_add("refused:%d@%d ", self->pt.result, test_ms(PT_NOW()));
}
PT_END

START_TEST(a_group_in_use_is_refused_with_a_code)
{
    static PT_TASK(doubled) task;

    open_boat(BY_END, 0);
    test_zero(task);
    PT_START(&world.loop, &task, doubled, .group = &boat_task.frame.group);
    run_world("refused:-2@0 end@0 a:0@6 b:0@6 behind@6 finally:0@6 ");
    ck_assert_int_eq(pt_task_status(&task.task), PT_EBUSY);
    check_boat(PT_OK, PT_OK);
}
END_TEST
#endif

/* --- a cancel of the owner --- */

START_TEST(a_cancel_in_the_body_ends_the_tasks_first)
{
    open_boat(BY_END, 9);
    run_until(2);
    pt_cancel(&boat_task.task, -71);
    run_world("a:-1@3 finally:-71@3 ");
    check_boat(-71, PT_ECANCELED);
}
END_TEST

START_TEST(a_cancel_at_the_end_of_the_block_ends_the_tasks_first)
{
    open_boat(BY_END, 3);
    run_until(4);
    pt_cancel(&boat_task.task, -71);
    run_world("end@3 a:-1@5 b:-1@5 finally:-71@5 ");
    check_boat(-71, PT_ECANCELED);
}
END_TEST

START_TEST(a_cancel_while_a_break_waits_ends_the_function_after_the_wait)
{
    open_boat(BY_BREAK, 3);
    run_until(3);
    pt_cancel(&boat_task.task, -71);
    run_world("a:-1@4 b:-1@4 finally:-71@4 ");
    check_boat(-71, PT_ECANCELED);
}
END_TEST

START_TEST(a_cancel_while_a_return_waits_is_too_late)
{
    open_boat(BY_RETURN, 3);
    run_until(3);
    pt_cancel(&boat_task.task, -71);
    run_world("a:-1@4 b:-1@4 finally:-70@4 ");
    check_boat(-70, PT_ECANCELED);
}
END_TEST

START_TEST(a_cancel_before_the_first_turn_ends_the_tasks_of_the_first_step_too)
{
    open_boat(BY_END, 3);
    pt_cancel(&boat_task.task, -71);
    run_world("a:-1@1 finally:-71@1 ");
    check_boat(-71, PT_ECANCELED);
}
END_TEST

/* Cancels itself in its block before its last spawn. */
struct suicide {
    struct pt pt;
    struct pt_group group;
};

static PT_TASK(suicide) suicide_task;

static PT_ASYNC(suicide, self)
{
    PT_WITH_GROUP(&self->group, PT_GROUP_ALL) {
        PT_SPAWN_IN(&self->group, &first, leaver, .name = 'a');
        PT_YIELD();
        pt_cancel(&suicide_task.task, -71);
        PT_SPAWN_IN(&self->group, &last, leaver, .name = 'b');
    }
    trace_add("never ");
    PT_FINALLY
    trace_add("finally@%d ", test_ms(PT_NOW()));
}
PT_END

START_TEST(an_owner_that_cancels_itself_ends_at_the_end_of_its_block)
{
    test_zero(suicide_task);
    test_zero(first);
    test_zero(last);
    test_open(&world);
    PT_START(&world.loop, &suicide_task, suicide);
    run_world("a:-1@1 b:-1@1 finally@1 ");
    ck_assert_int_eq(pt_task_status(&suicide_task.task), -71);
}
END_TEST

START_TEST(a_canceled_loop_ends_groups_through_their_owners)
{
    open_boat(BY_END, 3);
    run_until(4);
    pt_loop_cancel(&world.loop, -71);
    run_world("end@3 a:-1@5 b:-1@5 finally:-71@5 ");
}
END_TEST

/* --- awaited functions --- */

/* In its own group, it awaits a function that has a group, too. */
struct ship {
    struct pt pt;
    enum way way;
    struct pt_group group;
    struct boat boat;
    PT_TASK(leaver) own;
};

static PT_ASYNC(ship, self)
{
    PT_WITH_GROUP(&self->group, PT_GROUP_FIRST) {
        PT_SPAWN_IN(&self->group, &self->own, leaver, .name = 'o');
        PT_WAIT_COMPLETE(&self->boat, boat, .way = self->way, .ms = 2);
        trace_add("ship:%d@%d ", self->pt.status, test_ms(PT_NOW()));
        PT_PARK();
    }
    trace_add("behind:%d@%d ", self->group.status, test_ms(PT_NOW()));
    PT_FINALLY
    trace_add("ship finally:%d@%d ", self->pt.result, test_ms(PT_NOW()));
}
PT_END

static PT_TASK(ship) ship_task;

static void open_ship(enum way way)
{
    test_zero(ship_task);
    test_zero(first);
    test_zero(last);
    test_open(&world);
    PT_START(&world.loop, &ship_task, ship, .way = way);
}

START_TEST(an_awaited_function_can_have_a_group_of_its_own)
{
    open_ship(BY_RETURN);
    run_world("a:-1@3 b:-1@3 finally:-70@3 ship:-70@4 o:0@6 behind:0@6 ship finally:0@6 ");
}
END_TEST

START_TEST(the_decision_of_a_group_ends_what_its_body_awaits)
{
    open_ship(BY_END);
    run_world("end@2 o:0@6 a:0@6 b:-1@7 finally:-1@7 behind:0@8 ship finally:0@8 ");
    ck_assert_int_eq(ship_task.frame.boat.pt.status, PT_ECANCELED);
}
END_TEST

START_TEST(a_cancel_ends_groups_from_the_innermost)
{
    open_ship(BY_END);
    run_until(2);
    pt_cancel(&ship_task.task, -71);
    run_world("end@2 a:-1@3 b:-1@3 finally:-71@3 o:-1@5 ship finally:-71@5 ");
}
END_TEST

/* Two groups in one function. */
struct nest {
    struct pt pt;
    bool breaks, returns;
    struct pt_group outer, inner;
};

static PT_ASYNC(nest, self)
{
    PT_WITH_GROUP(&self->outer, PT_GROUP_FIRST) {
        PT_SPAWN_IN(&self->outer, &first, leaver, .name = 'a');
        PT_WAIT(PT_MS(2));
        PT_WITH_GROUP(&self->inner, PT_GROUP_ALL) {
            PT_SPAWN_IN(&self->inner, &last, leaver, .name = 'b');
            PT_WAIT(PT_MS(1));
            if (self->breaks)
                break;
            if (self->returns)
                PT_RETURN(-72);
        }
        trace_add("inner:%d@%d ", self->inner.status, test_ms(PT_NOW()));
    }
    trace_add("outer:%d@%d ", self->outer.status, test_ms(PT_NOW()));
}
PT_END

static PT_TASK(nest) nest_task;

static void open_nest(bool breaks)
{
    test_zero(nest_task);
    test_zero(first);
    test_zero(last);
    test_open(&world);
    PT_START(&world.loop, &nest_task, nest, .breaks = breaks);
}

START_TEST(the_decision_of_a_group_ends_the_groups_in_its_block)
{
    open_nest(false);
    run_world("a:0@6 b:-1@7 outer:0@7 ");
    ck_assert_int_eq(nest_task.frame.inner.status, PT_ECANCELED);
}
END_TEST

START_TEST(break_ends_only_the_inner_group)
{
    open_nest(true);
    run_world("b:-1@4 inner:-1@4 a:0@6 outer:0@6 ");
}
END_TEST

START_TEST(a_return_waits_for_both_groups_of_a_function)
{
    open_nest(false);
    nest_task.frame.returns = true;
    run_world("b:-1@4 a:-1@5 ");
    ck_assert_int_eq(pt_task_status(&nest_task.task), -72);
}
END_TEST

START_TEST(a_cancel_ends_both_groups_of_a_function)
{
    open_nest(false);
    run_until(3);
    pt_cancel(&nest_task.task, -71);
    run_world("b:-1@4 a:-1@5 ");
    ck_assert_int_eq(nest_task.frame.outer.status, PT_ECANCELED);
    ck_assert_int_eq(pt_task_status(&nest_task.task), -71);
}
END_TEST

#endif

Suite *suite_group_end(void)
{
    Suite *suite = test_suite("group_end");

#if PT_GROUPS
    test_add(suite, the_end_of_a_block_waits_for_its_tasks);
    test_add(suite, continue_jumps_to_the_end_of_the_block);
    test_add(suite, break_cancels_the_tasks_and_waits_for_them);
    test_add(suite, break_out_of_an_empty_group_is_no_failure);
    test_add(suite, a_return_cancels_the_tasks_before_the_cleanup_begins);
    test_add(suite, a_group_can_be_opened_again_in_a_loop);
#if !PT_DEBUG
    test_add(suite, a_group_in_use_is_refused_with_a_code);
#endif
    test_add(suite, a_cancel_in_the_body_ends_the_tasks_first);
    test_add(suite, a_cancel_at_the_end_of_the_block_ends_the_tasks_first);
    test_add(suite, a_cancel_while_a_break_waits_ends_the_function_after_the_wait);
    test_add(suite, a_cancel_while_a_return_waits_is_too_late);
    test_add(suite, a_cancel_before_the_first_turn_ends_the_tasks_of_the_first_step_too);
    test_add(suite, an_owner_that_cancels_itself_ends_at_the_end_of_its_block);
    test_add(suite, a_canceled_loop_ends_groups_through_their_owners);
    test_add(suite, an_awaited_function_can_have_a_group_of_its_own);
    test_add(suite, the_decision_of_a_group_ends_what_its_body_awaits);
    test_add(suite, a_cancel_ends_groups_from_the_innermost);
    test_add(suite, the_decision_of_a_group_ends_the_groups_in_its_block);
    test_add(suite, break_ends_only_the_inner_group);
    test_add(suite, a_return_waits_for_both_groups_of_a_function);
    test_add(suite, a_cancel_ends_both_groups_of_a_function);
#endif
    return suite;
}
#else

Suite *suite_group_end(void)
{
    return test_suite("group_end");
}

#endif
