/* test_reading_turns.c - turns on one reading of the clock: timers, posts and observers do not wait
 * SPDX-License-Identifier: MIT */
#include "test_readings.h"

#if TEST_READINGS

/* Sleeps a millisecond at a time; LATEST is the longest delay of a wakeup. */
struct sleeper {
    struct pt pt;
    int times;
    pt_time due, latest;
};

static PT_ASYNC(sleeper, self)
{
    for (self->times = 0; self->times < 10; self->times++) {
        self->due = (pt_time)(world.clock.now + PT_MS(1));
        PT_WAIT_DEADLINE(self->due);
        if ((pt_time)(world.clock.now - self->due) > self->latest)
            self->latest = (pt_time)(world.clock.now - self->due);
    }
}
PT_END

static pt_time latest_beside(int crowd, int from, int steps, pt_time takes)
{
    static PT_TASK(sleeper) sleeper;

    test_zero(sleeper);
    test_zero(spinners);
    open_world();
    PT_START(&world.loop, &sleeper, sleeper, .latest = 0);
    for (int i = 0; i < crowd; i++)
        start_spinner(i, from, steps, takes);
    end_world();
    return sleeper.frame.latest;
}

START_TEST(a_timer_waits_for_a_batch_however_many_tasks_are_ready)
{
    ck_assert_uint_ge(CROWD * 1000, latest_beside(CROWD, 20, 60, 1000));
}
END_TEST

START_TEST(a_timer_waits_for_a_step_if_steps_take_long)
{
    ck_assert_uint_ge(PT_US(200), latest_beside(1, 0, 200, PT_US(200)));
}
END_TEST

/* Waits for a turn, and counts the turns that it takes. */
struct waiter {
    struct pt pt;
    int times, from, latest;
};

static PT_ASYNC(waiter, self)
{
    for (self->latest = 0; self->times > 0; self->times--) {
        self->from = spinners[0].frame.steps;
        PT_WAIT_DEADLINE(PT_NOW());
        if (spinners[0].frame.steps - self->from > self->latest)
            self->latest = spinners[0].frame.steps - self->from;
        PT_YIELD();
    }
}
PT_END

START_TEST(a_wait_for_a_turn_ends_in_the_next)
{
    static PT_TASK(waiter) waiter;

    test_zero(waiter);
    test_zero(spinners);
    open_world();
    start_spinner(0, 0, 1000, 0);
    PT_START(&world.loop, &waiter, waiter, .times = 200);
    end_world();
    ck_assert_int_eq(waiter.frame.latest, 1);
}
END_TEST

#if PT_REMOTE
/* Posts to itself, and counts the steps until the callback runs. */
struct poster {
    struct pt pt;
    struct pt_remote remote;
    int times, steps, latest, old;
    bool done;
};

static void act(struct pt_remote *remote, unsigned times)
{
    struct poster *self = (struct poster *)remote->target;

    self->done = times;
    self->old += world.loop.now != world.clock.now;
}

static PT_ASYNC(poster, self)
{
    pt_remote_open(&self->remote, &world.loop, act, self);
    for (; self->times > 0; self->times--) {
        self->done = false;
        pt_remote_post(&self->remote);
        burn(1);
        for (self->steps = 0; !self->done; self->steps++)
            PT_YIELD();
        if (self->steps > self->latest)
            self->latest = self->steps;
        for (self->steps = self->times; self->steps > 0; self->steps--)
            PT_YIELD();
    }
}
PT_END

START_TEST(a_post_is_carried_out_before_the_next_batch_at_its_time)
{
    static PT_TASK(poster) poster;

    test_zero(poster);
    open_world();
    PT_START(&world.loop, &poster, poster, .times = 100, .latest = 0, .old = 0);
    end_world();
    ck_assert_int_eq(poster.frame.latest, 1);
    ck_assert_int_eq(poster.frame.old, 0);
}
END_TEST

/* Posts in one of many batches, and runs the callback at once: it closes the remote ('r') or a waker
 * ('w'), or shuts the loop ('s'). The callback notes the time. The clock has moved since the batch
 * began. */
struct closer {
    struct pt pt;
    struct pt_remote remote;
    struct pt_waker waker;
    char how;
    int yields, called;
    pt_time at;
};

static void see_time(struct pt_remote *remote, unsigned times)
{
    struct closer *self = (struct closer *)remote->target;

    self->called += (int)times;
    self->at = world.loop.now;
}

static PT_ASYNC(closer, self)
{
    pt_remote_open(&self->remote, &world.loop, see_time, self);
    pt_waker_open(&self->waker, &world.loop, pt_current_);
    while (self->yields-- > 0)
        PT_YIELD();
    pt_remote_post(&self->remote);
    burn(1);
    if (self->how == 's')
        pt_loop_shut(&world.loop);
    if (self->how == 'w')
        pt_waker_close(&self->waker);
    pt_remote_close(&self->remote);
    ck_assert_uint_eq(self->at, PT_NOW());
    if (self->how != 'w')
        pt_waker_close(&self->waker);
}
PT_END

START_TEST(a_callback_that_a_close_runs_has_the_time_of_the_task_that_closes)
{
    static PT_TASK(closer) closer;

    for (const char *how = "rws"; *how; how++)
        for (int yields = 0; yields < 50; yields++) {
            test_zero(closer);
            open_world();
            PT_START(&world.loop, &closer, closer, .how = *how, .yields = yields);
            end_world();
            ck_assert_int_eq(closer.frame.called, 1);
        }
}
END_TEST
#endif

#if PT_INSPECT
static int turns_seen, steps_seen;

static void see_turn(struct pt_observer *observer, struct pt_loop *loop)
{
    (void)observer, (void)loop;
    turns_seen++;
}

static void see_step(struct pt_observer *observer, struct pt_task *task)
{
    (void)observer, (void)task;
    steps_seen++;
}

struct starer {
    struct pt pt;
    struct pt_observer observer;
    int yields;
};

static PT_ASYNC(starer, self)
{
    while (self->yields-- > 100)
        PT_YIELD();
    self->observer.turned = see_turn;
    self->observer.resumes = see_step;
    pt_loop_observe(&world.loop, &self->observer);
    while (self->yields-- > 0)
        PT_YIELD();
    pt_loop_ignore(&world.loop, &self->observer);
}
PT_END

START_TEST(an_observer_sees_each_turn_from_the_next_on)
{
    static PT_TASK(starer) starer;

    test_zero(starer);
    open_world();
    turns_seen = steps_seen = 0;
    PT_START(&world.loop, &starer, starer, .yields = 200);
    end_world();
    ck_assert_int_eq(steps_seen, 99);
    ck_assert_int_eq(turns_seen, 98);
}
END_TEST
#endif

#if PT_SLOWMO
struct slower {
    struct pt pt;
    int yields;
};

static PT_ASYNC(slower, self)
{
    while (self->yields-- > 100)
        PT_YIELD();
    pt_loop_slow(&world.loop, PT_MS(1));
    while (self->yields-- > 0)
        PT_YIELD();
    pt_loop_slow(&world.loop, 0);
}
PT_END

START_TEST(slow_motion_delays_each_turn_from_the_next_on)
{
    static PT_TASK(slower) slower;

    test_zero(slower);
    open_world();
    PT_START(&world.loop, &slower, slower, .yields = 200);
    end_world();
    ck_assert_int_eq(test_ms(world.clock.now), 98);
}
END_TEST
#endif

Suite *suite_reading_turns(void)
{
    Suite *suite = test_suite("reading_turns");

    test_add(suite, a_timer_waits_for_a_batch_however_many_tasks_are_ready);
    test_add(suite, a_timer_waits_for_a_step_if_steps_take_long);
    test_add(suite, a_wait_for_a_turn_ends_in_the_next);
#if PT_REMOTE
    test_add(suite, a_post_is_carried_out_before_the_next_batch_at_its_time);
    test_add(suite, a_callback_that_a_close_runs_has_the_time_of_the_task_that_closes);
#endif
#if PT_INSPECT
    test_add(suite, an_observer_sees_each_turn_from_the_next_on);
#endif
#if PT_SLOWMO
    test_add(suite, slow_motion_delays_each_turn_from_the_next_on);
#endif
    return suite;
}

#else

Suite *suite_reading_turns(void)
{
    return test_suite("reading_turns");
}

#endif
