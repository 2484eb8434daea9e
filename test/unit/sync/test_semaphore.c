/* test_semaphore.c - semaphores: a number of units, which tasks get in the order in which they come
 * SPDX-License-Identifier: MIT */
/* with the room cancel: others of its own have some of its names */
#include "test_talk.h"

#if PT_PORT && PT_TIMERS

#if PT_SYNC

static struct pt_semaphore seats;

/* Takes a seat, keeps it for a while, and releases it. */
struct guest {
    struct pt pt;
    char name;
    int ms;
};

static PT_ASYNC(guest, self)
{
    PT_ACQUIRE(&seats);
    trace_add("%c+%d@%d ", self->name, self->pt.status, test_ms(PT_NOW()));
    PT_WAIT((pt_time)self->ms * PT_MS(1));
    ck_assert_int_eq(pt_semaphore_release(&seats), PT_OK);
}
PT_END

static PT_TASK(guest) guests[4];

static void open_guests(unsigned count, unsigned limit)
{
    test_zero(guests);
    test_open(&world);
    pt_semaphore_init(&seats, count, limit);
}

static void invite(int i, int ms)
{
    ck_assert_int_eq(PT_START(&world.loop, &guests[i], guest, .name = (char)('a' + i), .ms = ms),
                     PT_OK);
}

START_TEST(as_many_tasks_as_units_go_first_and_the_others_wait_in_order)
{
    open_guests(2, 2);
    invite(0, 3);
    invite(1, 5);
    invite(2, 1);
    invite(3, 1);
    run_world("a+0@0 b+0@0 c+0@3 d+0@4 ");
    ck_assert_uint_eq(seats.count, 2);
}
END_TEST

START_TEST(a_released_unit_goes_to_the_first_waiter_and_no_task_overtakes)
{
    open_guests(0, 9);
    invite(0, 9);
    turn(0);
    invite(1, 9); /* ready, but later in the queue */
    ck_assert_int_eq(pt_semaphore_release(&seats), PT_OK);
    ck_assert_uint_eq(seats.count, 0); /* the unit is given to a */
    ck_assert_int_eq(pt_semaphore_try(&seats), PT_EAGAIN);
    turn(1);
    ck_assert_trace("a+0@1 ");
    ck_assert_int_eq(pt_wait_queue_first_(&seats.waiters) == &guests[1].task.node, true);
    run_world("b+0@10 ");
    ck_assert_uint_eq(seats.count, 1);
}
END_TEST

START_TEST(a_unit_is_taken_without_waiting_if_there_is_one)
{
    open_guests(1, 1);
    ck_assert_int_eq(pt_semaphore_try(&seats), PT_OK);
    ck_assert_int_eq(pt_semaphore_try(&seats), PT_EAGAIN);
    ck_assert_uint_eq(seats.count, 0);
    test_close(&world);
}
END_TEST

START_TEST(a_bounded_semaphore_refuses_a_unit_too_many)
{
    open_guests(1, 2);
    ck_assert_int_eq(pt_semaphore_release(&seats), PT_OK);
    ck_assert_int_eq(pt_semaphore_release(&seats), PT_ERANGE);
    ck_assert_uint_eq(seats.count, 2);
    test_close(&world);
}
END_TEST

START_TEST(a_semaphore_that_starts_with_more_units_than_its_limit_has_its_limit)
{
    open_guests(3, 2);
    ck_assert_uint_eq(seats.count, 2);
    ck_assert_int_eq(pt_semaphore_release(&seats), PT_ERANGE);
    test_close(&world);
}
END_TEST

START_TEST(a_unit_for_a_waiter_does_not_count_against_the_limit)
{
    open_guests(0, 0); /* a limit of 0: units only go from task to task */
    invite(0, 0);
    turn(0);
    ck_assert_int_eq(pt_semaphore_release(&seats), PT_OK);
    ck_assert_int_eq(pt_semaphore_release(&seats), PT_ERANGE);
    seats.limit = 1; /* so that a can release it */
    run_world("a+0@0 ");
}
END_TEST

START_TEST(a_semaphore_without_a_limit_counts_up_to_its_range)
{
    open_guests(UINT_MAX - 1, UINT_MAX);
    ck_assert_int_eq(pt_semaphore_release(&seats), PT_OK);
    ck_assert_int_eq(pt_semaphore_release(&seats), PT_ERANGE);
    ck_assert_uint_eq(seats.count, UINT_MAX);
    test_close(&world);
}
END_TEST

#if PT_PAUSE
START_TEST(a_paused_task_keeps_a_unit_that_it_was_given)
{
    open_guests(0, 1);
    invite(0, 1);
    invite(1, 1);
    turn(0);
    pt_pause(&guests[0].task);
    pt_semaphore_release(&seats);
    turn(1);
    turn(2);
    ck_assert_trace(""); /* b does not get it instead */
    pt_resume(&guests[0].task);
    turn(3);
    run_world("a+0@3 b+0@4 ");
}
END_TEST
#endif

#endif

Suite *suite_semaphore(void)
{
    Suite *suite = test_suite("semaphore");

#if PT_SYNC
    test_add(suite, as_many_tasks_as_units_go_first_and_the_others_wait_in_order);
    test_add(suite, a_released_unit_goes_to_the_first_waiter_and_no_task_overtakes);
    test_add(suite, a_unit_is_taken_without_waiting_if_there_is_one);
    test_add(suite, a_bounded_semaphore_refuses_a_unit_too_many);
    test_add(suite, a_semaphore_that_starts_with_more_units_than_its_limit_has_its_limit);
    test_add(suite, a_unit_for_a_waiter_does_not_count_against_the_limit);
    test_add(suite, a_semaphore_without_a_limit_counts_up_to_its_range);
#if PT_PAUSE
    test_add(suite, a_paused_task_keeps_a_unit_that_it_was_given);
#endif
#endif
    return suite;
}
#else

Suite *suite_semaphore(void)
{
    return test_suite("semaphore");
}

#endif
