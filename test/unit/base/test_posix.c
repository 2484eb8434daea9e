/* test_posix.c - the port to Unix, as far as it can be tested without waiting
 * SPDX-License-Identifier: MIT */
#include "pt_test.h"

#include <pthread.h>
#include <sched.h>

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

#if PT_REMOTE && PT_ATOMICS && PT_CANCEL
/* Two loops in two threads; each has a task that parks and one that sleeps as long as it can. */
enum { ROUNDS = 200 };

struct player {
    struct pt pt;
    struct pt_remote *other;
    struct pt_task *sleeper;
    int rounds;
};

static PT_ASYNC(player, self)
{
    for (; self->rounds; self->rounds--) {
        PT_PARK();
        if (self->other)
            pt_remote_post(self->other);
    }
    if (self->sleeper)
        pt_cancel(self->sleeper, PT_ECANCELED);
}
PT_END

struct dreamer {
    struct pt pt;
};

static PT_ASYNC(dreamer, self)
{
    (void)self;
    PT_WAIT(PT_DELAY_MAX);
}
PT_END

static struct side {
    struct pt_loop loop;
    struct pt_remote ball;
    PT_TASK(player) player;
    PT_TASK(dreamer) dreamer;
    pt_status status;
} sides[3];

static void open_side(struct side *side, struct side *other, int rounds, bool dreams)
{
    test_zero(*side);
    pt_loop_open(&side->loop, &pt_posix);
    PT_START(&side->loop, &side->player, player, .other = other ? &other->ball : NULL,
             .rounds = rounds);
    if (dreams)
        PT_START(&side->loop, &side->dreamer, dreamer);
    side->player.frame.sleeper = dreams ? &side->dreamer.task : NULL;
    pt_remote_open(&side->ball, &side->loop, pt_remote_wake, &side->player.task);
}

static void close_side(struct side *side)
{
    pt_remote_close(&side->ball);
    pt_loop_close(&side->loop);
}

static void *post_to_a_sleeper(void *side)
{
    while (!pt_port_load_(&((struct side *)side)->loop.sleeping_port))
        sched_yield();
    pt_remote_post(&((struct side *)side)->ball);
    return NULL;
}

START_TEST(a_thread_wakes_a_loop_on_the_port_for_unix_with_a_timer_and_without)
{
    for (int dreams = 0; dreams < 2; dreams++) {
        pthread_t thread;

        open_side(&sides[0], NULL, 1, dreams);
        ck_assert_int_eq(pthread_create(&thread, NULL, post_to_a_sleeper, &sides[0]), 0);
        ck_assert_int_eq(pt_loop_run(&sides[0].loop), PT_OK);
        ck_assert_int_eq(pthread_join(thread, NULL), 0);
        close_side(&sides[0]);
    }
}
END_TEST

static void *play(void *side)
{
    ((struct side *)side)->status = pt_loop_run(&((struct side *)side)->loop);
    return NULL;
}

/* The third loop sleeps, and was the first to do so. */
START_TEST(two_loops_on_the_port_for_unix_post_to_each_other)
{
    pthread_t threads[2], third;

    open_side(&sides[2], NULL, 1, true);
    ck_assert_int_eq(pthread_create(&third, NULL, play, &sides[2]), 0);
    while (!pt_port_load_(&sides[2].loop.sleeping_port))
        sched_yield();
    for (int i = 0; i < 2; i++)
        open_side(&sides[i], &sides[!i], ROUNDS, true);
    pt_remote_post(&sides[0].ball);
    for (int i = 0; i < 2; i++)
        ck_assert_int_eq(pthread_create(&threads[i], NULL, play, &sides[i]), 0);
    for (int i = 0; i < 2; i++) {
        ck_assert_int_eq(pthread_join(threads[i], NULL), 0);
        ck_assert_int_eq(sides[i].status, PT_OK);
    }
    pt_remote_post(&sides[2].ball);
    ck_assert_int_eq(pthread_join(third, NULL), 0);
    for (int i = 0; i < 3; i++)
        close_side(&sides[i]);
}
END_TEST

/* The kick comes when the loop has announced that it sleeps, and before it does. */
START_TEST(a_kick_before_the_sleep_ends_it)
{
    pt_time now = pt_posix.now(pt_posix.context);

    pt_posix.kick(pt_posix.context);
    ck_assert(pt_posix.idle(pt_posix.context, now, (pt_time)(now + PT_DELAY_MAX)));
}
END_TEST

START_TEST(a_loop_that_gets_no_more_posts_can_be_at_a_deadlock)
{
    for (int shuts = 0; shuts < 2; shuts++) {
        open_side(&sides[0], NULL, 1, false);
        if (shuts)
            pt_loop_shut(&sides[0].loop);
        else
            pt_remote_close(&sides[0].ball);
        ck_assert_int_eq(pt_loop_run(&sides[0].loop), PT_EDEADLK);
        pt_loop_cancel(&sides[0].loop, PT_ECANCELED);
        ck_assert_int_eq(pt_loop_run(&sides[0].loop), PT_OK);
        pt_loop_close(&sides[0].loop);
    }
}
END_TEST
#endif

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
#if PT_REMOTE && PT_ATOMICS && PT_CANCEL
    test_add(suite, a_thread_wakes_a_loop_on_the_port_for_unix_with_a_timer_and_without);
    test_add(suite, two_loops_on_the_port_for_unix_post_to_each_other);
    test_add(suite, a_kick_before_the_sleep_ends_it);
    test_add(suite, a_loop_that_gets_no_more_posts_can_be_at_a_deadlock);
#endif
    return suite;
}
#else

Suite *suite_posix(void)
{
    return test_suite("posix");
}

#endif
