/* test_freed.c - a loop that carries out a post while the poster is still in the call
 * SPDX-License-Identifier: MIT */
#define PT_ATOMIC_STEP_(fences) step()

static void step(void);

#include "pt_test.h"

#if PT_PORT && PT_REMOTE && PT_ATOMICS

static struct pt_remote remote;
static unsigned at, steps, deeds; /* the loop runs a turn at the poster's step AT */
static bool turning;

static void step(void)
{
    if (turning || ++steps != at)
        return;
    turning = true;
    pt_loop_turn(&world.loop, TEST_START);
    turning = false;
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

Suite *suite_freed(void)
{
    Suite *suite = test_suite("freed");

    test_add(suite, a_remote_that_its_callback_frees_before_the_post_returns_is_not_read_again);
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
