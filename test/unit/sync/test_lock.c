/* test_lock.c - locks: only the holder can unlock; reentrant locks count
 * SPDX-License-Identifier: MIT */
#include "test_talk.h"

#if PT_PORT && PT_TIMERS

#if PT_SYNC

static struct pt_lock vault;

/* Locks a number of times, waits, and unlocks as often; traces the codes. */
struct holder {
    struct pt pt;
    char name;
    int ms, times, i;
};

static PT_ASYNC(holder, self)
{
    for (self->i = 0; self->i < self->times; self->i++) {
        PT_LOCK(&vault);
        trace_add("%c+%d@%d ", self->name, self->pt.status, test_ms(PT_NOW()));
        ck_assert(PT_HOLDS(&vault));
    }
    PT_WAIT((pt_time)self->ms * PT_MS(1));
    while (PT_HOLDS(&vault)) {
        PT_UNLOCK(&vault);
        trace_add("%c-%d@%d ", self->name, self->pt.status, test_ms(PT_NOW()));
    }
}
PT_END

static PT_TASK(holder) holders[3];

static void open_holders(bool reentrant)
{
    test_zero(holders);
    test_open(&world);
    if (reentrant)
        pt_lock_init_reentrant(&vault);
    else
        pt_lock_init(&vault);
}

static void enter(int i, int ms, int times)
{
    ck_assert_int_eq(PT_START(&world.loop, &holders[i], holder, .name = (char)('a' + i), .ms = ms,
                              .times = times),
                     PT_OK);
}

START_TEST(a_lock_goes_from_its_holder_to_the_first_waiter)
{
    open_holders(false);
    enter(0, 3, 1);
    enter(1, 2, 1);
    enter(2, 1, 1);
    run_world("a+0@0 a-0@3 b+0@3 b-0@5 c+0@5 c-0@6 ");
    ck_assert_ptr_null(vault.owner);
}
END_TEST

START_TEST(a_task_that_unlocks_and_locks_again_comes_after_the_waiters)
{
    open_holders(false);
    enter(0, 1, 1);
    enter(1, 1, 1);
    turn(0);
    turn(1); /* a unlocks: b holds the lock and has not run yet */
    ck_assert_ptr_eq(vault.owner, &holders[1].task);
    ck_assert_int_eq(pt_lock_try(&vault, &holders[0].task), PT_EAGAIN);
    run_world("a+0@0 a-0@1 b+0@1 b-0@2 ");
}
END_TEST

START_TEST(a_second_lock_by_the_holder_fails_with_a_code)
{
    open_holders(false);
    enter(0, 1, 2);
    run_world("a+0@0 a+-6@0 a-0@1 ");
}
END_TEST

START_TEST(a_reentrant_lock_is_free_after_as_many_unlocks_as_locks)
{
    open_holders(true);
    enter(0, 2, 3);
    enter(1, 1, 2);
    turn(0);
    ck_assert_uint_eq(vault.depth, 3);
    run_world("a+0@0 a+0@0 a+0@0 a-0@2 a-0@2 a-0@2 b+0@2 b+0@2 b-0@3 b-0@3 ");
    ck_assert_ptr_null(vault.owner);
    ck_assert_uint_eq(vault.depth, 0);
}
END_TEST

START_TEST(a_lock_can_be_tried_on_behalf_of_a_task)
{
    open_holders(false);
    ck_assert_int_eq(pt_lock_try(&vault, &holders[0].task), PT_OK);
    ck_assert_int_eq(pt_lock_try(&vault, &holders[0].task), PT_EDEADLK);
    ck_assert_int_eq(pt_lock_try(&vault, &holders[1].task), PT_EAGAIN);
    ck_assert_int_eq(pt_lock_release(&vault, &holders[0].task), PT_OK);
    ck_assert_int_eq(pt_lock_try(&vault, &holders[1].task), PT_OK);
    test_close(&world);
}
END_TEST

#if !PT_DEBUG /* with PT_DEBUG it panics: test_panic.c */
START_TEST(a_task_cannot_unlock_a_lock_that_it_does_not_hold)
{
    open_holders(true);
    ck_assert_int_eq(pt_lock_release(&vault, &holders[0].task), PT_EPERM);
    pt_lock_try(&vault, &holders[0].task);
    pt_lock_try(&vault, &holders[0].task);
    ck_assert_int_eq(pt_lock_release(&vault, &holders[1].task), PT_EPERM);
    ck_assert_ptr_eq(vault.owner, &holders[0].task);
    ck_assert_uint_eq(vault.depth, 2);
    test_close(&world);
}
END_TEST

START_TEST(no_task_takes_or_releases_a_lock_that_nobody_holds)
{
    open_holders(false);
    ck_assert_int_eq(pt_lock_try(&vault, NULL), PT_EPERM);
    ck_assert_int_eq(pt_lock_release(&vault, NULL), PT_EPERM);
    ck_assert_ptr_eq(vault.owner, NULL);
    ck_assert_uint_eq(vault.depth, 0);
    ck_assert_int_eq(pt_lock_try(&vault, &holders[0].task), PT_OK);
    ck_assert_int_eq(pt_lock_release(&vault, NULL), PT_EPERM);
    ck_assert_int_eq(pt_lock_release(&vault, &holders[0].task), PT_OK);
    test_close(&world);
}
END_TEST
#endif

#if PT_CANCEL
/* Is canceled while it waits for the lock or while it holds it. Only in the second case must it
 * unlock. */
struct careful {
    struct pt pt;
};

static PT_ASYNC(careful, self)
{
    PT_LOCK(&vault);
    PT_PARK();
    PT_FINALLY
    trace_add("%d ", PT_HOLDS(&vault));
    if (PT_HOLDS(&vault))
        PT_UNLOCK(&vault);
}
PT_END

START_TEST(a_cleanup_knows_whether_its_task_holds_the_lock)
{
    static PT_TASK(careful) one, two;

    test_zero(one);
    test_zero(two);
    open_holders(false);
    PT_START(&world.loop, &one, careful);
    PT_START(&world.loop, &two, careful);
    turn(0);
    pt_cancel(&two.task, PT_ECANCELED);
    turn(1);
    pt_cancel(&one.task, PT_ECANCELED);
    run_world("0 1 ");
    ck_assert_ptr_null(vault.owner);
}
END_TEST
#endif

#endif

Suite *suite_lock(void)
{
    Suite *suite = test_suite("lock");

#if PT_SYNC
    test_add(suite, a_lock_goes_from_its_holder_to_the_first_waiter);
    test_add(suite, a_task_that_unlocks_and_locks_again_comes_after_the_waiters);
    test_add(suite, a_second_lock_by_the_holder_fails_with_a_code);
    test_add(suite, a_reentrant_lock_is_free_after_as_many_unlocks_as_locks);
    test_add(suite, a_lock_can_be_tried_on_behalf_of_a_task);
#if !PT_DEBUG
    test_add(suite, a_task_cannot_unlock_a_lock_that_it_does_not_hold);
    test_add(suite, no_task_takes_or_releases_a_lock_that_nobody_holds);
#endif
#if PT_CANCEL
    test_add(suite, a_cleanup_knows_whether_its_task_holds_the_lock);
#endif
#endif
    return suite;
}
#else

Suite *suite_lock(void)
{
    return test_suite("lock");
}

#endif
