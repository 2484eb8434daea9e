/* test_condition.c - a task releases a lock until it is notified, and then holds it again
 * SPDX-License-Identifier: MIT */
#include "test_talk.h"

#if PT_PORT && PT_TIMERS && PT_CLEANUP

#if PT_CHANNELS

static struct pt_lock door;
static struct pt_condition changed;

/* Waits with the lock until it is notified; then it keeps the lock for a while. */
struct waiter {
    struct pt pt;
    char name;
    int ms;
};

static PT_ASYNC(waiter, self)
{
    PT_LOCK(&door);
    PT_WAIT_CONDITION(&changed, &door);
    trace_add("%c:%d%d@%d ", self->name, self->pt.status, PT_HOLDS(&door), test_ms(PT_NOW()));
    PT_WAIT((pt_time)self->ms * PT_MS(1));
    PT_FINALLY
    trace_add("%c%s@%d ", self->name, PT_HOLDS(&door) ? "-" : "*", test_ms(PT_NOW()));
    if (PT_HOLDS(&door))
        PT_UNLOCK(&door);
}
PT_END

static PT_TASK(waiter) waiters[3];

static void open_waiters(int count, int ms)
{
    test_zero(waiters);
    test_open(&world);
    pt_lock_init(&door);
    pt_condition_init(&changed);
    for (int i = 0; i < count; i++)
        ck_assert_int_eq(
            PT_START(&world.loop, &waiters[i], waiter, .name = (char)('a' + i), .ms = ms), PT_OK);
    turn(0);
    ck_assert_int_eq(pt_wait_queue_count_(&changed.waiters), count);
    ck_assert_ptr_null(door.owner); /* all have released it */
}

START_TEST(a_notify_wakes_the_first_waiter)
{
    open_waiters(2, 0);
    pt_condition_notify(&changed);
    turn(1);
    turn(1);
    ck_assert_trace("a:01@1 a-@1 ");
    pt_condition_notify(&changed);
    turn(2);
    run_world("b:01@2 b-@2 ");
}
END_TEST

START_TEST(a_notify_all_wakes_all_waiters_and_each_gets_the_lock_in_turn)
{
    open_waiters(3, 2);
    pt_condition_notify_all(&changed);
    ck_assert_ptr_eq(door.owner, &waiters[0].task);
    ck_assert_int_eq(pt_wait_queue_count_(&door.waiters), 2);
    turn(1);
    run_world("a:01@1 a-@3 b:01@3 b-@5 c:01@5 c-@7 ");
    ck_assert_ptr_null(door.owner);
}
END_TEST

START_TEST(a_notify_without_a_waiter_is_forgotten)
{
    open_waiters(0, 0);
    pt_condition_notify(&changed);
    pt_condition_notify_all(&changed);
    ck_assert_int_eq(PT_START(&world.loop, &waiters[0], waiter, .name = 'a'), PT_OK);
    turn(0);
    turn(1);
    ck_assert_trace("");
    pt_condition_notify(&changed);
    turn(2);
    run_world("a:01@2 a-@2 ");
}
END_TEST

START_TEST(a_notified_task_continues_when_the_lock_is_free)
{
    static PT_TASK(waiter) keeper;

    open_waiters(1, 0);
    ck_assert_int_eq(pt_lock_try(&door, &keeper.task), PT_OK);
    pt_condition_notify(&changed);
    turn(1);
    ck_assert_trace("");
    ck_assert_int_eq(pt_lock_release(&door, &keeper.task), PT_OK);
    turn(2);
    run_world("a:01@2 a-@2 ");
}
END_TEST

#if PT_CANCEL
START_TEST(a_notified_task_waits_for_the_lock_despite_a_cancel)
{
    static PT_TASK(waiter) keeper;

    open_waiters(2, 5);
    ck_assert_int_eq(pt_lock_try(&door, &keeper.task), PT_OK);
    pt_condition_notify(&changed);
    pt_cancel(&waiters[0].task, PT_ECANCELED);
    turn(1);
    ck_assert_int_eq(pt_wait_queue_count_(&door.waiters), 1); /* the notify is not lost */
    ck_assert_int_eq(pt_lock_release(&door, &keeper.task), PT_OK);
    turn(2);
    turn(3);
    ck_assert_trace("a:01@2 a-@3 "); /* it ends at its next wait, with the lock */
    pt_condition_notify(&changed);
    turn(4);
    run_world("b:01@4 b-@9 ");
}
END_TEST

START_TEST(a_task_that_is_canceled_before_a_notify_does_not_get_the_notify)
{
    open_waiters(2, 0);
    pt_cancel(&waiters[0].task, PT_ECANCELED);
    pt_condition_notify(&changed); /* goes to b */
    turn(1);
    run_world("a-@1 b:01@1 b-@1 "); /* a has the lock in its cleanup, and gives it to b */
}
END_TEST
#endif

#if !PT_DEBUG /* with PT_DEBUG it panics: test_panic.c */
/* Waits for a condition with a lock that it holds `times` times. */
struct wrong {
    struct pt pt;
    int times, i;
};

static PT_ASYNC(wrong, self)
{
    for (self->i = 0; self->i < self->times; self->i++)
        PT_LOCK(&door);
    PT_WAIT_CONDITION(&changed, &door);
    trace_add("%d:%d ", self->times, self->pt.status);
    for (self->i = 0; self->i < self->times; self->i++)
        PT_UNLOCK(&door);
}
PT_END

START_TEST(a_condition_requires_a_lock_that_is_held_once)
{
    static PT_TASK(wrong) wrong;

    for (int times = 0; times <= 2; times += 2) {
        test_zero(wrong);
        open_waiters(0, 0);
        pt_lock_init_reentrant(&door);
        ck_assert_int_eq(PT_START(&world.loop, &wrong, wrong, .times = times), PT_OK);
        run_world(times ? "2:-10 " : "0:-10 ");
    }
}
END_TEST
#endif

/* A buffer for one number between a putter and a getter. Each waits for its condition in a loop. */
static struct {
    int number;
    bool taken;
    struct pt_condition free, filled;
} buffer;

struct putter {
    struct pt pt;
    int i;
};

static PT_ASYNC(putter, self)
{
    for (self->i = 1; self->i <= 3; self->i++) {
        PT_LOCK(&door);
        while (!buffer.taken)
            PT_WAIT_CONDITION(&buffer.free, &door);
        buffer.number = self->i;
        buffer.taken = false;
        pt_condition_notify(&buffer.filled);
        PT_UNLOCK(&door);
    }
}
PT_END

struct getter {
    struct pt pt;
    int i;
};

static PT_ASYNC(getter, self)
{
    for (self->i = 1; self->i <= 3; self->i++) {
        PT_LOCK(&door);
        while (buffer.taken)
            PT_WAIT_CONDITION(&buffer.filled, &door);
        trace_add("%d ", buffer.number);
        buffer.taken = true;
        pt_condition_notify(&buffer.free);
        PT_UNLOCK(&door);
    }
}
PT_END

START_TEST(two_tasks_share_a_buffer_by_two_conditions)
{
    static PT_TASK(putter) putter;
    static PT_TASK(getter) getter;

    test_zero(putter);
    test_zero(getter);
    open_waiters(0, 0);
    buffer.taken = true;
    pt_condition_init(&buffer.free);
    pt_condition_init(&buffer.filled);
    PT_START(&world.loop, &getter, getter);
    PT_START(&world.loop, &putter, putter);
    run_world("1 2 3 ");
}
END_TEST

#endif

Suite *suite_condition(void)
{
    Suite *suite = test_suite("condition");

#if PT_CHANNELS
    test_add(suite, a_notify_wakes_the_first_waiter);
    test_add(suite, a_notify_all_wakes_all_waiters_and_each_gets_the_lock_in_turn);
    test_add(suite, a_notify_without_a_waiter_is_forgotten);
    test_add(suite, a_notified_task_continues_when_the_lock_is_free);
#if PT_CANCEL
    test_add(suite, a_notified_task_waits_for_the_lock_despite_a_cancel);
    test_add(suite, a_task_that_is_canceled_before_a_notify_does_not_get_the_notify);
#endif
#if !PT_DEBUG
    test_add(suite, a_condition_requires_a_lock_that_is_held_once);
#endif
    test_add(suite, two_tasks_share_a_buffer_by_two_conditions);
#endif
    return suite;
}
#else

Suite *suite_condition(void)
{
    return test_suite("condition");
}

#endif
