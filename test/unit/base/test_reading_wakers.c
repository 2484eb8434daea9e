/* test_reading_wakers.c - a waker that is a mark, on a PC, where a reading of the clock serves many steps
 * SPDX-License-Identifier: MIT */
#undef PT_WAKERS
#define PT_OTHER_KNOBS 1
#if !defined(PT_REMOTE) || PT_REMOTE
#define PT_WAKERS 1
#endif

#include "test_readings.h"

#if TEST_READINGS && PT_WAKERS

static bool woken;
static int woken_late;

/* Tells when it is woken, and whether the time of the loop is an old one then. */
struct sleeper {
    struct pt pt;
    int times;
};

static PT_ASYNC(sleeper, self)
{
    while (self->times-- > 0) {
        PT_PARK();
        woken = true;
        woken_late += world.loop.now != world.clock.now;
    }
}
PT_END

static PT_TASK(sleeper) sleeping;

/* Posts the waker again and again, after more and more steps, and counts the steps until the wake. */
struct poster {
    struct pt pt;
    struct pt_waker waker;
    int times, steps, latest;
};

static PT_ASYNC(poster, self)
{
    pt_waker_open(&self->waker, &world.loop, &sleeping.task);
    PT_YIELD();
    for (; self->times > 0; self->times--) {
        woken = false;
        pt_waker_post(&self->waker);
        burn(1);
        for (self->steps = 0; !woken; self->steps++)
            PT_YIELD();
        if (self->steps > self->latest)
            self->latest = self->steps;
        for (self->steps = self->times; self->steps > 0; self->steps--)
            PT_YIELD();
    }
    pt_waker_close(&self->waker);
}
PT_END

START_TEST(a_task_whose_waker_was_posted_runs_in_the_next_batch_at_its_time)
{
    static PT_TASK(poster) posting;

    test_zero(posting);
    test_zero(sleeping);
    woken_late = 0;
    open_world();
    ck_assert_int_eq(PT_START(&world.loop, &posting, poster, .times = 100), PT_OK);
    ck_assert_int_eq(PT_START(&world.loop, &sleeping, sleeper, .times = 100), PT_OK);
    end_world();
    ck_assert_int_eq(posting.frame.latest,
                     2); /* its own yield, and that of the batch with the wake */
    ck_assert_int_eq(woken_late, 0);
}
END_TEST

Suite *suite_reading_wakers(void)
{
    Suite *suite = test_suite("reading_wakers");

    test_add(suite, a_task_whose_waker_was_posted_runs_in_the_next_batch_at_its_time);
    return suite;
}

#else

Suite *suite_reading_wakers(void)
{
    return test_suite("reading_wakers");
}

#endif
