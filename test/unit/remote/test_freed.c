/* test_freed.c - a loop that carries out a post while the poster is still in the call
 * SPDX-License-Identifier: MIT */
#define PT_ATOMIC_STEP_(fences) step()

static void step(void);

#include "pt_test.h"

#if PT_PORT && PT_REMOTE && PT_ATOMICS

static struct pt_remote remote;
static unsigned at, steps, deeds; /* the loop runs a turn at the poster's step AT */
static bool turning;

#if PT_SYNC
static PT_TASK(pt_foreign) task;

/* What ended in that turn has no use for its code any more. */
static void forget(void)
{
    if (pt_task_done(&task.task))
        task.frame.code = 77;
}
#endif

static void step(void)
{
    if (turning || ++steps != at)
        return;
    turning = true;
    pt_loop_turn(&world.loop, TEST_START);
    turning = false;
    PT_IF_(PT_SYNC, forget();)
}

/* The callback frees the remote. */
static void act(struct pt_remote *self, unsigned times)
{
    deeds += times;
    memset(self, 0x5a, sizeof *self);
}

START_TEST(a_remote_that_its_callback_frees_before_the_post_returns_is_not_read_again)
{
    for (at = 1; at < 10; at++) {
        test_open(&world);
        steps = deeds = 0;
        turning = true;
        pt_remote_open(&remote, &world.loop, act, NULL);
        turning = false;
        ck_assert_int_eq(pt_remote_post(&remote), PT_OK);
        turning = true;
        pt_loop_turn(&world.loop, TEST_START);
        ck_assert_uint_eq(deeds, 1);
        test_close(&world);
    }
    ck_assert_uint_gt(at, steps);
}
END_TEST

#if PT_SYNC
static struct pt_foreign *asked;

static void ask(struct pt_foreign *asking)
{
    asked = asking;
}

/* The task that waits is done, and its frame overwritten, before pt_foreign_done returns. */
START_TEST(a_frame_of_foreign_code_that_ends_before_the_call_returns_is_not_touched_again)
{
    for (at = 1; at < 10; at++) {
        test_open(&world);
        test_zero(task);
        turning = true;
        ck_assert_int_eq(PT_START(&world.loop, &task, pt_foreign, .start = ask), PT_OK);
        pt_loop_turn(&world.loop, TEST_START);
        steps = 0;
        turning = false;
        ck_assert_int_eq(pt_foreign_done(asked, PT_EIO), PT_OK);
        turning = true;
        ck_assert_int_eq(task.frame.code, pt_task_done(&task.task) ? 77 : PT_EIO);
        pt_loop_turn(&world.loop, TEST_START);
        ck_assert_int_eq(pt_task_status(&task.task), PT_EIO);
        test_close(&world);
    }
}
END_TEST
#endif

Suite *suite_freed(void)
{
    Suite *suite = test_suite("freed");

    test_add(suite, a_remote_that_its_callback_frees_before_the_post_returns_is_not_read_again);
#if PT_SYNC
    test_add(suite, a_frame_of_foreign_code_that_ends_before_the_call_returns_is_not_touched_again);
#endif
    return suite;
}

#else

static void step(void)
{
}

Suite *suite_freed(void)
{
    (void)step;
    return test_suite("freed");
}

#endif
