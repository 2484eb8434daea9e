/* test_lock.c - locks: one holder, who alone lets go; reentrant ones count
 * SPDX-License-Identifier: MIT */
#include "test_talk.h"

#if PT_PORT && PT_TIMERS

#if PT_SYNC

static struct pt_lock door;

/* Locks so many times, waits, unlocks as often; tells the codes. */
struct holder {
    struct pt pt;
    char name;
    int ms, times, i;
};

static PT_ASYNC(holder, self)
{
    for (self->i = 0; self->i < self->times; self->i++) {
        PT_LOCK(&door);
        trace_add("%c+%d@%d ", self->name, self->pt.status, test_ms(PT_NOW()));
        ck_assert(PT_HOLDS(&door));
    }
    PT_WAIT((pt_time)self->ms * PT_MS(1));
    while (PT_HOLDS(&door)) {
        PT_UNLOCK(&door);
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
        pt_lock_init_reentrant(&door);
    else
        pt_lock_init(&door);
}

static void enter(int i, int ms, int times)
{
    ck_assert_int_eq(PT_START(&world.loop, &holders[i], holder, .name = (char)('a' + i), .ms = ms,
                              .times = times),
                     PT_OK);
}

START_TEST(a_lock_is_held_by_one_and_then_by_the_first_who_waits)
{
    open_holders(false);
    enter(0, 3, 1);
    enter(1, 2, 1);
    enter(2, 1, 1);
    run_world("a+0@0 a-0@3 b+0@3 b-0@5 c+0@5 c-0@6 ");
    ck_assert_ptr_null(door.owner);
}
END_TEST

START_TEST(who_unlocks_and_locks_again_is_behind_those_who_wait)
{
    open_holders(false);
    enter(0, 1, 1);
    enter(1, 1, 1);
    turn(0);
    turn(1); /* a unlocks: b holds it, and has not run yet */
    ck_assert_ptr_eq(door.owner, &holders[1].task);
    ck_assert_int_eq(pt_lock_try(&door, &holders[0].task), PT_EAGAIN);
    run_world("a+0@0 a-0@1 b+0@1 b-0@2 ");
}
END_TEST

START_TEST(a_lock_that_its_holder_locks_again_says_so)
{
    open_holders(false);
    enter(0, 1, 2);
    run_world("a+0@0 a+-6@0 a-0@1 ");
}
END_TEST

START_TEST(a_reentrant_lock_is_free_when_it_was_unlocked_as_often)
{
    open_holders(true);
    enter(0, 2, 3);
    enter(1, 1, 2);
    turn(0);
    ck_assert_uint_eq(door.depth, 3);
    run_world("a+0@0 a+0@0 a+0@0 a-0@2 a-0@2 a-0@2 b+0@2 b+0@2 b-0@3 b-0@3 ");
    ck_assert_ptr_null(door.owner);
    ck_assert_uint_eq(door.depth, 0);
}
END_TEST

START_TEST(a_lock_is_tried_in_the_name_of_a_task)
{
    open_holders(false);
    ck_assert_int_eq(pt_lock_try(&door, &holders[0].task), PT_OK);
    ck_assert_int_eq(pt_lock_try(&door, &holders[0].task), PT_EDEADLK);
    ck_assert_int_eq(pt_lock_try(&door, &holders[1].task), PT_EAGAIN);
    ck_assert_int_eq(pt_lock_release(&door, &holders[0].task), PT_OK);
    ck_assert_int_eq(pt_lock_try(&door, &holders[1].task), PT_OK);
    test_close(&world);
}
END_TEST

#if !PT_DEBUG /* else it stops there: test_panic.c */
START_TEST(a_lock_is_not_unlocked_by_who_does_not_hold_it)
{
    open_holders(true);
    ck_assert_int_eq(pt_lock_release(&door, &holders[0].task), PT_EPERM);
    pt_lock_try(&door, &holders[0].task);
    pt_lock_try(&door, &holders[0].task);
    ck_assert_int_eq(pt_lock_release(&door, &holders[1].task), PT_EPERM);
    ck_assert_ptr_eq(door.owner, &holders[0].task);
    ck_assert_uint_eq(door.depth, 2);
    test_close(&world);
}
END_TEST
#endif

#if PT_CANCEL
/* Is ended while it waits for the lock, and while it holds it: only then it has to unlock. */
struct careful {
    struct pt pt;
};

static PT_ASYNC(careful, self)
{
    PT_LOCK(&door);
    PT_PARK();
    PT_FINALLY
    trace_add("%d ", PT_HOLDS(&door));
    if (PT_HOLDS(&door))
        PT_UNLOCK(&door);
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
    ck_assert_ptr_null(door.owner);
}
END_TEST
#endif

#endif

Suite *suite_lock(void)
{
    Suite *suite = test_suite("lock");

#if PT_SYNC
    test_add(suite, a_lock_is_held_by_one_and_then_by_the_first_who_waits);
    test_add(suite, who_unlocks_and_locks_again_is_behind_those_who_wait);
    test_add(suite, a_lock_that_its_holder_locks_again_says_so);
    test_add(suite, a_reentrant_lock_is_free_when_it_was_unlocked_as_often);
    test_add(suite, a_lock_is_tried_in_the_name_of_a_task);
#if !PT_DEBUG
    test_add(suite, a_lock_is_not_unlocked_by_who_does_not_hold_it);
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
