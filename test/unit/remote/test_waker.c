/* test_waker.c - interrupts that wake a task; here they come at each step of the loop
 * SPDX-License-Identifier: MIT
 *
 * With the knobs of a PC a waker is a remote; test_waker_mark.c runs the same tests with marks. */
#ifndef PT_ATOMIC_STEP_
#define PT_ATOMIC_STEP_(fences) step()
#define WAKER_SUITE suite_waker
#define WAKER_NAME "waker"

static void step(void);
#endif

#include "test_talk.h"

#if PT_PORT && PT_TIMERS && PT_REMOTE

static struct pt_waker low, high;
static unsigned at, steps, events, seen; /* an interrupt comes at step AT, if that is not 0 */
static bool nested, interrupted;

/* The interrupt of low priority; with NESTED, the other one interrupts it at its first step. */
static void step(void)
{
    if (interrupted) {
        if (nested) {
            nested = false;
            events++;
            pt_waker_post(&high);
        }
    } else if (++steps == at) {
        interrupted = true;
        events++;
        pt_waker_post(&low);
        interrupted = false;
    }
}

struct parker {
    struct pt pt;
    int wakes;
    bool stop;
};

static PT_ASYNC(parker, self)
{
    for (;;) {
        PT_PARK();
        if (self->stop)
            break;
        self->wakes++;
        seen = events;
    }
}
PT_END

static PT_TASK(parker) parker, other;

static void open_wakers(void)
{
    test_zero(parker);
    test_zero(other);
    test_zero(low);
    test_zero(high);
    at = steps = events = seen = 0;
    nested = interrupted = false;
    test_open(&world);
    pt_waker_open(&low, &world.loop, &parker.task);
    pt_waker_open(&high, &world.loop, &other.task);
    ck_assert_int_eq(PT_START(&world.loop, &parker, parker), PT_OK);
    ck_assert_int_eq(PT_START(&world.loop, &other, parker), PT_OK);
    turn(0);
}

static void stop(void)
{
    at = 0;
    parker.frame.stop = other.frame.stop = true;
    pt_wake(&parker.task);
    pt_wake(&other.task);
    turn(9);
    turn(9);
    test_close(&world);
}

static void close_wakers(void)
{
    pt_waker_close(&high);
    pt_waker_close(&low);
    stop();
}

START_TEST(posts_to_a_waker_before_a_turn_are_one_wake)
{
    open_wakers();
    ck_assert(!pt_loop_posted(&world.loop));
    pt_waker_post(&low);
    pt_waker_post(&low);
    ck_assert(pt_loop_posted(&world.loop));
    ck_assert_int_eq(parker.frame.wakes, 0); /* only the loop wakes it */
    turn(1);
    ck_assert(!pt_loop_posted(&world.loop));
    ck_assert_int_eq(parker.frame.wakes, 1);
    ck_assert_int_eq(other.frame.wakes, 0);
    turn(2);
    ck_assert_int_eq(parker.frame.wakes, 1);
    pt_waker_post(&high);
    turn(3);
    ck_assert_int_eq(other.frame.wakes, 1);
    close_wakers();
}
END_TEST

START_TEST(a_post_to_a_waker_before_the_park_ends_that_park)
{
    open_wakers();
    pt_wake(&parker.task);
    pt_waker_post(&low); /* the task is ready already: a permit is left */
    turn(1);
    ck_assert_int_eq(parker.frame.wakes, 1);
    turn(2);
    ck_assert_int_eq(parker.frame.wakes, 2);
    turn(3);
    ck_assert_int_eq(parker.frame.wakes, 2);
    close_wakers();
}
END_TEST

START_TEST(a_waker_of_a_task_that_is_not_alive_has_no_effect)
{
    struct pt_waker third;

    open_wakers();
    test_zero(third);
    {
        static PT_TASK(parker) never;

        pt_waker_open(&third, &world.loop, &never.task);
        pt_waker_post(&third);
        turn(1);
        ck_assert(!pt_task_alive(&never.task));
    }
    pt_waker_close(&third);
    close_wakers();
}
END_TEST

START_TEST(a_waker_wakes_the_task_that_it_was_aimed_at_last_also_by_an_earlier_post)
{
    open_wakers();
    pt_waker_aim(&low, &other.task);
    pt_waker_post(&low);
    turn(1);
    ck_assert_int_eq(parker.frame.wakes, 0);
    ck_assert_int_eq(other.frame.wakes, 1);
    pt_waker_post(&low);
    pt_waker_aim(&low, &parker.task); /* the post is stale: a wake too many, and none lost */
    turn(2);
    ck_assert_int_eq(parker.frame.wakes, 1);
    ck_assert_int_eq(other.frame.wakes, 1);
    close_wakers();
}
END_TEST

START_TEST(a_waker_that_is_aimed_at_nobody_wakes_nobody_until_it_is_aimed_again)
{
    struct pt_waker third;

    open_wakers();
    test_zero(third);
    pt_waker_open(&third, &world.loop, NULL);
    pt_waker_post(&third);
    pt_waker_post(&low);
    pt_waker_aim(&low, NULL); /* its task can be gone before the loop sees the post */
    ck_assert(pt_loop_posted(&world.loop));
    turn(1);
    ck_assert(!pt_loop_posted(&world.loop));
    ck_assert_int_eq(parker.frame.wakes, 0);
    pt_waker_aim(&low, &parker.task);
    pt_waker_aim(&third, &other.task);
    pt_waker_post(&low);
    pt_waker_post(&third);
    turn(2);
    ck_assert_int_eq(parker.frame.wakes, 1);
    ck_assert_int_eq(other.frame.wakes, 1);
    pt_waker_aim(&third, NULL);
    pt_waker_close(&third);
    close_wakers();
}
END_TEST

START_TEST(a_closed_waker_has_done_what_was_posted_and_the_others_stay_open)
{
    open_wakers();
    pt_waker_post(&low);
    pt_waker_post(&high);
    pt_waker_close(&low); /* not the one that was opened last */
    memset(&low, 0xff, sizeof low);
    turn(1);
    ck_assert_int_eq(parker.frame.wakes, 1);
    ck_assert_int_eq(other.frame.wakes, 1);
    pt_waker_post(&high);
    turn(2);
    ck_assert_int_eq(other.frame.wakes, 2);
    pt_waker_open(&low, &world.loop, &parker.task); /* whatever its storage holds */
    ck_assert(!pt_loop_posted(&world.loop));
    turn(3);
    ck_assert_int_eq(parker.frame.wakes, 1);
    pt_waker_post(&low);
    turn(4);
    ck_assert_int_eq(parker.frame.wakes, 2);
    close_wakers();
}
END_TEST

static unsigned kicks;

static void kicked(void *context)
{
    (void)context;
    kicks++;
}

START_TEST(a_post_to_a_waker_kicks_the_loop_only_while_it_sleeps)
{
    struct pt_port port;
    const struct pt_port *ours;

    open_wakers();
    kicks = 0;
    test_zero(port);
    port.kick = kicked;
    ours = world.loop.port;
    world.loop.port = &port;
    ck_assert(pt_loop_may_sleep_(&world.loop));
    world.loop.port = ours;
    pt_waker_post(&low);
    ck_assert_uint_eq(kicks, 1);
    pt_waker_post(&high);
    ck_assert_uint_eq(kicks, 1);
    turn(1);
    ck_assert_int_eq(parker.frame.wakes, 1);
    close_wakers();
}
END_TEST

START_TEST(a_loop_that_is_shut_does_what_wakers_were_posted_and_ignores_later_posts)
{
    open_wakers();
    pt_waker_post(&low);
    pt_loop_shut(&world.loop);
    pt_waker_post(&high);
    ck_assert(!pt_loop_posted(&world.loop));
    turn(1);
    ck_assert_int_eq(parker.frame.wakes, 1);
    ck_assert_int_eq(other.frame.wakes, 0);
    stop();
}
END_TEST

START_TEST(a_waker_can_be_closed_after_its_loop_was_shut)
{
    open_wakers();
    pt_waker_post(&low);
    pt_loop_shut(&world.loop);
    pt_waker_close(&low); /* it was opened first */
    pt_waker_close(&high);
    memset(&low, 0xff, sizeof low);
    turn(1);
    ck_assert_int_eq(parker.frame.wakes, 1);
    stop();
}
END_TEST

/* A task that a post spawns, and one that a later post wakes. END does what was posted. */
static void check_spawn_before_wake(void (*end)(void))
{
    static PT_TASK(parker) spawned;
    static struct pt_remote spawner;
    struct pt_waker third;

    open_wakers();
    test_zero(spawned);
    test_zero(third);
    PT_PREPARE(&spawned, parker);
    pt_remote_open(&spawner, &world.loop, pt_remote_spawn, &spawned.task);
    pt_waker_open(&third, &world.loop, &spawned.task);
    pt_remote_post(&spawner);
    pt_waker_post(&third);
    pt_waker_post(&high);
    end();
    turn(1);
    ck_assert(pt_task_alive(&spawned.task));
    turn(2);
    ck_assert_int_eq(spawned.frame.wakes, 1);
    ck_assert_int_eq(other.frame.wakes, 1);
    pt_waker_close(&third);
    spawned.frame.stop = true;
    pt_wake(&spawned.task);
    turn(3);
    stop();
}

static void end_nothing(void)
{
}

static void end_loop(void)
{
    pt_loop_shut(&world.loop);
}

static void end_waker(void)
{
    pt_waker_close(&high);
}

START_TEST(a_waker_wakes_its_task_after_a_remote_has_spawned_it_whatever_carries_out_the_posts)
{
    check_spawn_before_wake(end_nothing);
    check_spawn_before_wake(end_loop);
    check_spawn_before_wake(end_waker);
}
END_TEST

/* Turns, until the loop sleeps for good. On a part interrupts are masked in the last look: one that
 * comes then ends the sleep. Here it comes at once, so there is another look after it. */
static void turns(void)
{
    unsigned before;

    do {
        turn(1);
        before = events;
    } while (!pt_loop_idle(&world.loop) || pt_loop_posted(&world.loop) || events != before);
}

/* Whether the interrupt came at step WHEN of the turns; else it would come in the sleep. */
static bool came_at(unsigned when, bool both)
{
    open_wakers();
    pt_waker_post(&high); /* so that there is more than one to look at */
    at = steps + when;
    nested = both;
    turns();
    if (steps < at) {
        nested = false;
        close_wakers();
        return false;
    }
    ck_assert(!nested);
    ck_assert_int_eq(parker.frame.wakes, 1);
    ck_assert_int_ge(other.frame.wakes, 1);
    ck_assert_uint_eq(seen, events);
    close_wakers();
    return true;
}

START_TEST(an_interrupt_at_any_step_of_the_loop_wakes_its_task_before_the_sleep)
{
    for (int both = 0; both < 2; both++) {
        unsigned when = 1;

        while (came_at(when, both))
            when++;
        ck_assert(when > 3);
    }
}
END_TEST

#if PT_NESTING && PT_HAS_WAIT_QUEUES_
START_TEST(a_waker_of_the_outermost_loop_wakes_a_task_of_a_nested_loop)
{
    static PT_TASK(pt_loop_async) runner;
    static PT_TASK(parker) inside;
    struct test_inner {
        struct pt_loop loop;
    } inner;
    PT_LOOP_STORAGE(2) storage;
    struct pt_waker third;

    open_wakers();
    test_zero(runner);
    test_zero(inside);
    test_zero(third);
    pt_loop_init(&inner.loop, 0);
    pt_loop_use(&inner.loop, &storage);
    ck_assert_int_eq(PT_START(&inner.loop, &inside, parker), PT_OK);
    ck_assert_int_eq(PT_START(&world.loop, &runner, pt_loop_async, .loop = &inner.loop), PT_OK);
    pt_waker_open(&third, &world.loop, &inside.task);
    turns();
    ck_assert_int_eq(inside.frame.wakes, 0);
    PT_IF_(PT_PAUSE, pt_pause(&runner.task);)
    pt_waker_post(&third);
    turns();
    ck_assert_int_eq(inside.frame.wakes, PT_PAUSE ? 0 : 1); /* only its own loop runs it */
    PT_IF_(PT_PAUSE, pt_resume(&runner.task);)
    turns();
    ck_assert_int_eq(inside.frame.wakes, 1);
    pt_waker_close(&third);
    inside.frame.stop = true;
    pt_wake(&inside.task);
    turns();
    close_wakers();
}
END_TEST
#endif

Suite *WAKER_SUITE(void)
{
    Suite *suite = test_suite(WAKER_NAME);

    test_add(suite, posts_to_a_waker_before_a_turn_are_one_wake);
    test_add(suite, a_post_to_a_waker_before_the_park_ends_that_park);
    test_add(suite, a_waker_of_a_task_that_is_not_alive_has_no_effect);
    test_add(suite, a_waker_wakes_the_task_that_it_was_aimed_at_last_also_by_an_earlier_post);
    test_add(suite, a_waker_that_is_aimed_at_nobody_wakes_nobody_until_it_is_aimed_again);
    test_add(suite, a_closed_waker_has_done_what_was_posted_and_the_others_stay_open);
    test_add(suite, a_post_to_a_waker_kicks_the_loop_only_while_it_sleeps);
    test_add(suite, a_loop_that_is_shut_does_what_wakers_were_posted_and_ignores_later_posts);
    test_add(suite, a_waker_can_be_closed_after_its_loop_was_shut);
    test_add(suite,
             a_waker_wakes_its_task_after_a_remote_has_spawned_it_whatever_carries_out_the_posts);
    test_add(suite, an_interrupt_at_any_step_of_the_loop_wakes_its_task_before_the_sleep);
#if PT_NESTING && PT_HAS_WAIT_QUEUES_
    test_add(suite, a_waker_of_the_outermost_loop_wakes_a_task_of_a_nested_loop);
#endif
    return suite;
}

#else

static void step(void)
{
}

Suite *WAKER_SUITE(void)
{
    (void)step;
    return test_suite(WAKER_NAME);
}

#endif
