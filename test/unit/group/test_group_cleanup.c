/* test_group_cleanup.c - groups in a cleanup, and in blocks with a timeout
 * SPDX-License-Identifier: MIT */
#include "pt_test.h"

#if PT_PORT && PT_TIMERS && PT_AWAIT

#if PT_GROUPS

/* Works for 5 ms, and cleans up for 1 ms. */
struct cleaner {
    struct pt pt;
    char name;
};

static PT_ASYNC(cleaner, self)
{
    PT_WAIT(PT_MS(5));
    PT_FINALLY
    PT_WAIT(PT_MS(1));
    trace_add("%c:%d@%d ", self->name, self->pt.result, test_ms(PT_NOW()));
}
PT_END

static PT_TASK(cleaner) a;

/* --- in a cleanup --- */

struct janitor {
    struct pt pt;
    bool returns, cancels;
    struct pt_group group;
};

static PT_ASYNC(janitor, self)
{
    PT_PARK();
    PT_FINALLY
    PT_WITH_GROUP(&self->group, PT_GROUP_ALL) {
        PT_SPAWN_IN(&self->group, &a, cleaner, .name = 'a');
        PT_WAIT(PT_MS(1));
        if (self->cancels)
            pt_group_cancel(&self->group, -72);
        if (self->returns)
            PT_RETURN(-70);
    }
    trace_add("behind:%d@%d ", self->group.status, test_ms(PT_NOW()));
}
PT_END

static PT_TASK(janitor) janitor_task;

static void open_janitor(bool returns, bool cancels)
{
    test_zero(janitor_task);
    test_zero(a);
    test_open(&world);
    PT_START(&world.loop, &janitor_task, janitor, .returns = returns, .cancels = cancels);
    run_until(0);
    pt_cancel(&janitor_task.task, -71);
}

START_TEST(a_cleanup_can_have_a_group)
{
    open_janitor(false, false);
    run_world("a:0@6 behind:0@6 ");
    ck_assert_int_eq(pt_task_status(&janitor_task.task), -71);
}
END_TEST

START_TEST(a_cleanup_can_cancel_its_group)
{
    open_janitor(false, true);
    run_world("a:-72@2 behind:-72@2 ");
    ck_assert_int_eq(pt_task_status(&janitor_task.task), -71);
}
END_TEST

START_TEST(a_return_in_a_cleanup_waits_for_the_group_and_then_ends)
{
    open_janitor(true, false);
    run_world("a:-1@2 ");
    ck_assert_int_eq(pt_task_status(&janitor_task.task), -70);
    open_janitor(true, true);
    run_world("a:-72@2 ");
    ck_assert_int_eq(pt_task_status(&janitor_task.task), -70);
}
END_TEST

/* --- timeouts around it --- */

#if PT_TIMEOUTS

static PT_TASK(cleaner) b;

/* A group in a block with a timeout, of this function and of its caller. */
struct limited {
    struct pt pt;
    bool caller, returns, finally;
    struct pt_scope limit;
    struct pt_group group;
    struct limited *inner;
};

static PT_ASYNC(limited, self)
{
    if (!self->finally && self->inner) {
        PT_WITH_TIMEOUT(&self->limit, PT_MS(3)) {
            PT_WAIT_COMPLETE(self->inner, limited, PT_KEEP, .inner = NULL);
            trace_add("never ");
        }
        trace_add("caller:%d@%d ", pt_timed_out(&self->limit), test_ms(PT_NOW()));
    } else if (!self->finally) {
        PT_WITH_TIMEOUT(&self->limit, self->caller ? PT_MS(60) : PT_MS(3)) {
            PT_WITH_GROUP(&self->group, PT_GROUP_ALL) {
                PT_SPAWN_IN(&self->group, &a, cleaner, .name = 'a');
                PT_WAIT(PT_MS(self->returns ? 2 : 1));
                if (self->returns)
                    PT_RETURN(-70);
            }
            trace_add("never ");
        }
        trace_add("behind:%d@%d ", pt_timed_out(&self->limit), test_ms(PT_NOW()));
    }
    PT_FINALLY
    if (self->finally) {
        PT_WITH_TIMEOUT(&self->limit, PT_MS(3)) {
            PT_WITH_GROUP(&self->group, PT_GROUP_ALL) {
                PT_SPAWN_IN(&self->group, &b, cleaner, .name = 'b');
                PT_WAIT(PT_MS(self->returns ? 2 : 1));
                if (self->returns)
                    PT_RETURN(-70);
            }
            trace_add("never ");
        }
        trace_add("behind:%d@%d ", pt_timed_out(&self->limit), test_ms(PT_NOW()));
    }
    trace_add("finally:%d,%d@%d ", self->pt.result, self->group.status, test_ms(PT_NOW()));
}
PT_END

static PT_TASK(limited) limited_task;
static struct limited limited_inner;

static void open_limited(bool caller, bool returns, bool finally)
{
    test_zero(limited_task);
    test_zero(limited_inner);
    test_zero(a);
    test_zero(b);
    test_open(&world);
    limited_inner.caller = caller;
    limited_inner.returns = returns;
    PT_START(&world.loop, &limited_task, limited, .returns = returns, .finally = finally,
             .inner = caller ? &limited_inner : NULL);
}

START_TEST(a_timeout_ends_the_tasks_of_the_groups_in_its_block)
{
    open_limited(false, false, false);
    run_world("a:-1@4 behind:1@4 finally:0,-1@4 ");
}
END_TEST

START_TEST(a_timeout_of_the_caller_ends_the_tasks_of_the_groups_in_its_block)
{
    open_limited(true, false, false);
    run_world("a:-1@4 finally:-7,-1@4 caller:1@4 finally:0,0@4 ");
}
END_TEST

START_TEST(a_timeout_does_not_interrupt_the_wait_of_a_return)
{
    open_limited(false, true, false);
    run_world("a:-1@3 finally:-70,-1@3 ");
    ck_assert_int_eq(pt_task_status(&limited_task.task), -70);
}
END_TEST

START_TEST(a_timeout_of_the_caller_comes_after_the_wait_of_a_return)
{
    open_limited(true, true, false);
    run_world("a:-1@3 finally:-70,-1@3 caller:1@3 finally:0,0@3 ");
}
END_TEST

START_TEST(a_timeout_in_a_cleanup_ends_the_groups_in_its_block)
{
    open_limited(false, false, true);
    run_world("b:-1@4 behind:1@4 finally:0,-1@4 ");
}
END_TEST

START_TEST(a_return_in_a_cleanup_leaves_a_block_that_has_timed_out)
{
    open_limited(false, true, true);
    run_world("b:-1@3 ");
    ck_assert_int_eq(pt_task_status(&limited_task.task), -70);
}
END_TEST

#endif

#endif

Suite *suite_group_cleanup(void)
{
    Suite *suite = test_suite("group_cleanup");

#if PT_GROUPS
    test_add(suite, a_cleanup_can_have_a_group);
    test_add(suite, a_cleanup_can_cancel_its_group);
    test_add(suite, a_return_in_a_cleanup_waits_for_the_group_and_then_ends);
#if PT_TIMEOUTS
    test_add(suite, a_timeout_ends_the_tasks_of_the_groups_in_its_block);
    test_add(suite, a_timeout_of_the_caller_ends_the_tasks_of_the_groups_in_its_block);
    test_add(suite, a_timeout_does_not_interrupt_the_wait_of_a_return);
    test_add(suite, a_timeout_of_the_caller_comes_after_the_wait_of_a_return);
    test_add(suite, a_timeout_in_a_cleanup_ends_the_groups_in_its_block);
    test_add(suite, a_return_in_a_cleanup_leaves_a_block_that_has_timed_out);
#endif
#endif
    return suite;
}
#else

Suite *suite_group_cleanup(void)
{
    return test_suite("group_cleanup");
}

#endif
