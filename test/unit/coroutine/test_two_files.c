/* test_two_files.c - a coroutine from another file, in all its uses
 * SPDX-License-Identifier: MIT */
#include "test_two_files.h"

#if PT_PORT && PT_AWAIT && PT_JOINS

struct climb {
    struct pt pt;
    struct stairs stairs;
    PT_TASK(stairs) beside;
};

static PT_ASYNC(climb, self)
{
    PT_WAIT_COMPLETE(&self->stairs, stairs, .step = 0, .top = 2);
    trace_add("%d ", self->pt.status);
    PT_SPAWN(&self->beside, stairs, .step = 5, .top = 6);
    PT_JOIN(&self->beside.task);
    trace_add("%d ", self->pt.status);
}
PT_END

static PT_TASK(climb) climber;

START_TEST(a_coroutine_of_another_file_is_awaited_and_spawned)
{
    test_open(&world);
    memset(&climber, 0, sizeof climber);
    ck_assert_int_eq(PT_START(&world.loop, &climber, climb), PT_OK);
    ck_assert_int_eq(pt_loop_run(&world.loop), PT_OK);
    ck_assert_trace("step0 step1 -64 step5 -64 ");
    test_close(&world);
}
END_TEST

START_TEST(a_coroutine_of_another_file_is_a_generator)
{
    struct stairs s;

    PT_INIT(&s, stairs, .step = 7, .top = 9);
    while (pt_next(&s.pt))
        trace_add("| ");
    ck_assert_trace("step7 | step8 | ");
    ck_assert_int_eq(s.pt.status, -64);
}
END_TEST

Suite *suite_two_files(void)
{
    Suite *suite = test_suite("two_files");

    test_add(suite, a_coroutine_of_another_file_is_awaited_and_spawned);
    test_add(suite, a_coroutine_of_another_file_is_a_generator);
    return suite;
}
#else

Suite *suite_two_files(void)
{
    return test_suite("two_files");
}

#endif
