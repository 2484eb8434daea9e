/* test_posix.c - the port to Unix, as far as it can be tested without waiting
 * SPDX-License-Identifier: MIT */
#include "pt_test.h"

#if PT_PORT && PT_TIMERS

START_TEST(the_real_clock_does_not_go_back)
{
    pt_time before = pt_posix.now(pt_posix.context);

    for (int i = 0; i < 100; i++) {
        pt_time now = pt_posix.now(pt_posix.context);

        ck_assert(!pt_time_before(now, before));
        before = now;
    }
}
END_TEST

START_TEST(a_past_deadline_needs_no_sleep)
{
    pt_time now = pt_posix.now(pt_posix.context);

    ck_assert(pt_posix.idle(pt_posix.context, now, now));
    ck_assert(
        pt_posix.idle(pt_posix.context, (pt_time)(now - PT_MS(9)), (pt_time)(now - PT_MS(4))));
}
END_TEST

START_TEST(a_deadline_before_the_turn_needs_no_sleep_either)
{
    pt_time now = pt_posix.now(pt_posix.context);

    for (pt_time past = 1; past < PT_MS(30); past = (pt_time)(past * 3)) {
        struct timespec left = pt_posix_left_(now, (pt_time)(now - past));

        ck_assert_int_eq(left.tv_sec, 0); /* not half the range of the clock */
        ck_assert_int_eq(left.tv_nsec, 0);
    }
}
END_TEST

START_TEST(without_a_deadline_the_idle_step_does_not_sleep)
{
    pt_time now = pt_posix.now(pt_posix.context);

    ck_assert(!pt_posix.idle(pt_posix.context, now, (pt_time)(now + PT_DELAY_NEVER)));
}
END_TEST

START_TEST(a_short_sleep_is_not_too_short)
{
    pt_time now = pt_posix.now(pt_posix.context), until = (pt_time)(now + PT_US(1));

    ck_assert(pt_posix.idle(pt_posix.context, now, until));
    ck_assert(!pt_time_before(pt_posix.now(pt_posix.context), until));
}
END_TEST

START_TEST(the_time_that_the_turn_took_is_subtracted_from_the_sleep)
{
    pt_time began = (pt_time)(pt_posix.now(pt_posix.context) - PT_SEC(1));

    ck_assert_int_lt(pt_posix_left_(began, (pt_time)(began + PT_SEC(10))).tv_sec, 10);
    ck_assert_int_eq(pt_posix_left_(began, (pt_time)(began + PT_MS(999))).tv_nsec, 0);
}
END_TEST

START_TEST(the_real_memory_grows_and_is_freed)
{
    char *block = (char *)pt_posix.resize(pt_posix.context, NULL, 4);

    ck_assert_ptr_nonnull(block);
    memcpy(block, "abc", 4);
    block = (char *)pt_posix.resize(pt_posix.context, block, 4000);
    ck_assert_ptr_nonnull(block);
    ck_assert_str_eq(block, "abc");
    ck_assert_ptr_null(pt_posix.resize(pt_posix.context, block, 0));
}
END_TEST

struct real {
    struct pt pt;
    pt_time started, ended;
};

static PT_ASYNC(real, self)
{
    self->started = PT_NOW();
    PT_WAIT(0);
    self->ended = PT_NOW();
}
PT_END

START_TEST(a_loop_runs_in_real_time)
{
    static PT_TASK(real) task;
    struct pt_loop loop;

    test_zero(task);
    pt_loop_open(&loop, &pt_posix);
    ck_assert_int_eq(PT_START(&loop, &task, real), PT_OK);
    ck_assert_int_eq(pt_loop_run(&loop), PT_OK);
    ck_assert(!pt_time_before(task.frame.ended, task.frame.started));
    pt_loop_close(&loop);
}
END_TEST

Suite *suite_posix(void)
{
    Suite *suite = test_suite("posix");

    test_add(suite, the_real_clock_does_not_go_back);
    test_add(suite, a_past_deadline_needs_no_sleep);
    test_add(suite, a_deadline_before_the_turn_needs_no_sleep_either);
    test_add(suite, without_a_deadline_the_idle_step_does_not_sleep);
    test_add(suite, a_short_sleep_is_not_too_short);
    test_add(suite, the_time_that_the_turn_took_is_subtracted_from_the_sleep);
    test_add(suite, the_real_memory_grows_and_is_freed);
    test_add(suite, a_loop_runs_in_real_time);
    return suite;
}
#else

Suite *suite_posix(void)
{
    return test_suite("posix");
}

#endif
