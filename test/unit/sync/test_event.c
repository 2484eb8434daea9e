/* test_event.c - tasks wait for an event, and all of them continue
 * SPDX-License-Identifier: MIT */
#include "test_talk.h"

#if PT_PORT && PT_TIMERS

#if PT_SYNC

static struct pt_event bell;

/* Waits for the bell a number of times and traces each. */
struct watcher {
    struct pt pt;
    char name;
    int times;
};

static PT_ASYNC(watcher, self)
{
    for (; self->times; self->times--) {
        PT_WAIT_EVENT(&bell);
        trace_add("%c:%d@%d ", self->name, self->pt.status, test_ms(PT_NOW()));
    }
}
PT_END

static PT_TASK(watcher) watchers[3];

static void open_watchers(int count, int times)
{
    test_zero(watchers);
    test_zero(bell); /* like static storage */
    test_open(&world);
    for (int i = 0; i < count; i++)
        ck_assert_int_eq(
            PT_START(&world.loop, &watchers[i], watcher, .name = (char)('a' + i), .times = times),
            PT_OK);
}

START_TEST(a_trigger_releases_all_waiters_in_the_order_in_which_they_came)
{
    open_watchers(3, 1);
    turn(0);
    ck_assert_int_eq(wait_list_count(&bell.waiters), 3);
    pt_event_trigger(&bell);
    ck_assert(!bell.set);
    ck_assert_int_eq(wait_list_count(&bell.waiters), 0);
    turn(2);
    run_world("a:0@2 b:0@2 c:0@2 ");
}
END_TEST

START_TEST(a_trigger_without_a_waiter_is_forgotten)
{
    open_watchers(1, 1);
    pt_event_trigger(&bell); /* the task does not wait yet */
    turn(0);
    turn(1);
    ck_assert_int_eq(wait_list_count(&bell.waiters), 1);
    pt_event_trigger(&bell);
    turn(2);
    run_world("a:0@2 ");
}
END_TEST

START_TEST(two_triggers_before_a_turn_release_a_task_once)
{
    open_watchers(2, 2);
    turn(0);
    pt_event_trigger(&bell);
    pt_event_trigger(&bell);
    turn(1);
    turn(2);
    ck_assert_trace("a:0@1 b:0@1 ");
    pt_event_trigger(&bell);
    turn(3);
    run_world("a:0@3 b:0@3 ");
}
END_TEST

START_TEST(an_event_that_is_set_releases_every_task_at_once)
{
    open_watchers(2, 3);
    turn(0);
    pt_event_set(&bell);
    ck_assert(bell.set);
    turn(1);
    run_world("a:0@1 a:0@1 a:0@1 b:0@1 b:0@1 b:0@1 ");
}
END_TEST

START_TEST(an_event_that_was_cleared_makes_tasks_wait_again)
{
    open_watchers(2, 2);
    turn(0);
    pt_event_set(&bell);
    pt_event_clear(&bell); /* a task that was released stays released */
    turn(1);
    turn(2);
    ck_assert_trace("a:0@1 b:0@1 ");
    ck_assert_int_eq(wait_list_count(&bell.waiters), 2);
    pt_event_set(&bell);
    turn(3);
    run_world("a:0@3 b:0@3 ");
}
END_TEST

START_TEST(an_event_can_be_initialized_again)
{
    open_watchers(1, 1);
    pt_event_set(&bell);
    pt_event_init(&bell);
    turn(0);
    ck_assert_trace("");
    pt_event_set(&bell);
    run_world("a:0@0 ");
}
END_TEST

/* Sets the bell and then waits for it. */
struct ringer {
    struct pt pt;
};

static PT_ASYNC(ringer, self)
{
    PT_WAIT(PT_MS(2));
    pt_event_set(&bell);
    trace_add("rung ");
    PT_WAIT_EVENT(&bell);
    trace_add("passed@%d ", test_ms(PT_NOW()));
}
PT_END

START_TEST(a_waiter_continues_after_the_tasks_that_are_ready)
{
    static PT_TASK(ringer) ringer;

    test_zero(ringer);
    open_watchers(2, 1);
    ck_assert_int_eq(PT_START(&world.loop, &ringer, ringer), PT_OK);
    run_world("rung passed@2 a:0@2 b:0@2 ");
}
END_TEST

#if PT_PAUSE
START_TEST(a_paused_task_keeps_the_event_that_came)
{
    open_watchers(2, 1);
    turn(0);
    pt_pause(&watchers[0].task);
    pt_event_trigger(&bell);
    turn(1);
    turn(2);
    ck_assert_trace("b:0@1 ");
    pt_resume(&watchers[0].task);
    turn(3);
    run_world("a:0@3 ");
}
END_TEST
#endif

START_TEST(a_wake_does_not_end_a_wait_for_an_event)
{
    open_watchers(1, 1);
    turn(0);
    pt_wake(&watchers[0].task);
    turn(1);
    ck_assert_trace("");
    pt_event_trigger(&bell);
    turn(2);
    run_world("a:0@2 ");
}
END_TEST

START_TEST(a_hundred_thousand_triggers_resume_each_waiter_once)
{
    open_watchers(3, 1);
    turn(0);
    for (int i = 0; i < 100000; i++)
        pt_event_trigger(&bell);
    turn(1);
    run_world("a:0@1 b:0@1 c:0@1 ");
}
END_TEST

#endif

Suite *suite_event(void)
{
    Suite *suite = test_suite("event");

#if PT_SYNC
    test_add(suite, a_trigger_releases_all_waiters_in_the_order_in_which_they_came);
    test_add(suite, a_trigger_without_a_waiter_is_forgotten);
    test_add(suite, two_triggers_before_a_turn_release_a_task_once);
    test_add(suite, an_event_that_is_set_releases_every_task_at_once);
    test_add(suite, an_event_that_was_cleared_makes_tasks_wait_again);
    test_add(suite, an_event_can_be_initialized_again);
    test_add(suite, a_waiter_continues_after_the_tasks_that_are_ready);
#if PT_PAUSE
    test_add(suite, a_paused_task_keeps_the_event_that_came);
#endif
    test_add(suite, a_wake_does_not_end_a_wait_for_an_event);
    test_add(suite, a_hundred_thousand_triggers_resume_each_waiter_once);
#endif
    return suite;
}
#else

Suite *suite_event(void)
{
    return test_suite("event");
}

#endif
