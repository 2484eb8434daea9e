/* test_remote.c - posts from another thread or an interrupt; here they come between two turns
 * SPDX-License-Identifier: MIT
 *
 * test/explore tests threads that run at the same time. */
#include "test_talk.h"

#if PT_PORT && PT_TIMERS

#if PT_REMOTE

static struct pt_remote remote;
static unsigned deeds, posts;

static void count(struct pt_remote *self, unsigned times)
{
    ck_assert_ptr_eq(self, &remote);
    ck_assert_ptr_eq(self->target, &deeds);
    deeds++;
    posts += times;
}

struct parker {
    struct pt pt;
    char name;
};

static PT_ASYNC(parker, self)
{
    PT_PARK();
    trace_add("%c@%d ", self->name, test_ms(PT_NOW()));
}
PT_END

static PT_TASK(parker) parker;

static void open_remote(void (*act)(struct pt_remote *self, unsigned times), void *target)
{
    test_zero(parker);
    test_zero(remote);
    deeds = posts = 0;
    test_open(&world);
    pt_remote_open(&remote, &world.loop, act, target);
}

static void start_parker(void)
{
    ck_assert_int_eq(PT_START(&world.loop, &parker, parker, .name = 'p'), PT_OK);
    turn(0);
}

static void post(void)
{
    ck_assert_int_eq(pt_remote_post(&remote), PT_OK);
}

START_TEST(posts_before_a_turn_are_counted_in_one_callback)
{
    open_remote(count, &deeds);
    turn(0);
    ck_assert_uint_eq(deeds, 0);
    for (int i = 0; i < 5; i++)
        post();
    ck_assert(pt_loop_posted(&world.loop));
    ck_assert_uint_eq(deeds, 0); /* only the loop runs the callback */
    turn(1);
    ck_assert(!pt_loop_posted(&world.loop));
    ck_assert_uint_eq(deeds, 1);
    ck_assert_uint_eq(posts, 5);
    turn(2);
    post();
    turn(3);
    ck_assert_uint_eq(deeds, 2);
    ck_assert_uint_eq(posts, 6);
    test_close(&world);
}
END_TEST

START_TEST(a_nudge_counts_only_if_no_post_is_pending)
{
    open_remote(count, &deeds);
    ck_assert_int_eq(pt_remote_nudge_(&remote), PT_OK);
    ck_assert_int_eq(pt_remote_nudge_(&remote), PT_OK);
    turn(0);
    ck_assert_int_eq(pt_remote_nudge_(&remote), PT_OK);
    turn(1);
    ck_assert_uint_eq(deeds, 2);
    ck_assert_uint_eq(posts, 2);
    test_close(&world);
}
END_TEST

START_TEST(the_count_of_posts_saturates)
{
    open_remote(count, &deeds);
    post();
    remote.posted = (unsigned)-2;
    post();
    post();
    turn(0);
    ck_assert_uint_eq(deeds, 1);
    ck_assert_uint_eq(posts, (unsigned)-1);
    test_close(&world);
}
END_TEST

#if !PT_HAS_URGENT_ /* there: behind the next step */
/* Posts itself again from its callback, up to a number. */
static void again(struct pt_remote *self, unsigned times)
{
    trace_add("%u ", times);
    if (++deeds < 3)
        ck_assert_int_eq(pt_remote_post(self), PT_OK);
}

START_TEST(a_post_from_its_own_callback_is_handled_in_the_next_turn)
{
    open_remote(again, &deeds);
    post();
    turn(0);
    ck_assert_trace("1 ");
    ck_assert(pt_loop_posted(&world.loop));
    turn(1);
    turn(2);
    turn(3);
    ck_assert_trace("1 1 ");
    test_close(&world);
}
END_TEST
#endif

static void tell(struct pt_remote *self, unsigned times)
{
    trace_add("%s:%u ", (const char *)self->target, times);
}

/* Traces the time, works for 3 ms, and updates the loop. */
static void work(struct pt_remote *self, unsigned times)
{
    (void)times;
    trace_add("%d ", test_ms(self->loop->now));
    pt_loop_update(self->loop, (pt_time)(self->loop->now + PT_MS(3)));
}

START_TEST(a_callback_sees_the_time_of_its_turn_and_can_update_it)
{
    open_remote(work, NULL);
    start_parker();
    pt_wake(&parker.task);
    post();
    turn(7);
    ck_assert_trace("7 p@10 ");
    test_close(&world);
}
END_TEST

#if PT_SLOWMO
START_TEST(a_callback_that_moves_the_time_past_a_slow_turn_ends_the_delay)
{
    open_remote(work, NULL);
    pt_loop_slow(&world.loop, PT_MS(5));
    start_parker(); /* a turn at 0 */
    pt_wake(&parker.task);
    turn(1);
    ck_assert_trace("");
    post();
    turn(3);
    ck_assert_trace("3 p@6 ");
    test_close(&world);
}
END_TEST
#endif

START_TEST(callbacks_run_in_the_order_of_their_first_posts)
{
    static struct pt_remote a, b, c;
    static char names[3][2] = {"a", "b", "c"};

    open_remote(count, &deeds);
    pt_remote_open(&a, &world.loop, tell, names[0]);
    pt_remote_open(&b, &world.loop, tell, names[1]);
    pt_remote_open(&c, &world.loop, tell, names[2]);
    pt_remote_post(&b);
    pt_remote_post(&c);
    pt_remote_post(&a);
    pt_remote_post(&b);
    turn(0);
    ck_assert_trace("b:2 c:1 a:1 ");
    test_close(&world);
}
END_TEST

START_TEST(closing_a_remote_handles_its_pending_posts)
{
    open_remote(count, &deeds);
    post();
    pt_remote_close(&remote);
    ck_assert_uint_eq(deeds, 1);
    ck_assert(!pt_loop_posted(&world.loop));
    test_close(&world);
}
END_TEST

START_TEST(closing_a_loop_handles_pending_posts_and_refuses_later_ones)
{
    open_remote(count, &deeds);
    post();
    pt_loop_close(&world.loop);
    ck_assert_uint_eq(deeds, 1);
    ck_assert_int_eq(pt_remote_post(&remote), PT_ECLOSED);
    ck_assert_int_eq(pt_remote_post(&remote), PT_ECLOSED); /* again: it is not pending */
    pt_loop_shut(&world.loop);
    ck_assert_uint_eq(deeds, 1);
    pt_loop_open(&world.loop, &world.clock.port);
    post(); /* the loop is open again */
    turn(0);
    ck_assert_uint_eq(posts, 2);
    test_close(&world);
}
END_TEST

START_TEST(a_run_handles_a_pending_post_before_it_reports_a_deadlock)
{
    open_remote(pt_remote_wake, &parker.task);
    start_parker();
    post();
    run_world("p@0 "); /* no deadlock, although no task was ready */
}
END_TEST

/* --- callbacks ----------------------------------------------------------------------------- */

START_TEST(a_remote_wakes_a_task)
{
    open_remote(pt_remote_wake, &parker.task);
    post();
    turn(0); /* the task was never spawned: no effect */
    start_parker();
    turn(1);
    ck_assert_trace("");
    post();
    turn(2);
    run_world("p@2 ");
}
END_TEST

START_TEST(a_remote_spawns_a_task_that_was_prepared)
{
    open_remote(pt_remote_spawn, &parker.task);
    ck_assert_int_eq(PT_PREPARE(&parker, parker, .name = 'q'), PT_OK);
    ck_assert(!pt_task_alive(&parker.task));
    post();
    turn(0);
    ck_assert(pt_task_alive(&parker.task));
    ck_assert_int_eq(remote.status, PT_OK);
    post();
    turn(1);
    ck_assert_int_eq(remote.status, PT_EBUSY); /* it already runs */
    pt_wake(&parker.task);
    run_world("q@1 ");
}
END_TEST

START_TEST(a_remote_activates_a_task_once_and_then_wakes_it)
{
    open_remote(pt_remote_activate, &parker.task);
    ck_assert_int_eq(PT_PREPARE(&parker, parker, .name = 'r'), PT_OK);
    post();
    turn(0);
    post();
    turn(1);
    ck_assert_trace("r@1 ");
    post();
    turn(2); /* the task is done and stays done */
    ck_assert(pt_task_done(&parker.task));
    test_close(&world);
}
END_TEST

#if !PT_DEBUG
START_TEST(a_running_task_cannot_be_prepared)
{
    open_remote(pt_remote_spawn, &parker.task);
    start_parker();
    ck_assert_int_eq(PT_PREPARE(&parker, parker, .name = 'x'), PT_EBUSY);
    pt_wake(&parker.task);
    run_world("p@0 ");
}
END_TEST
#endif

#if PT_PAUSE
START_TEST(a_remote_pauses_a_task_and_another_resumes_it)
{
    static struct pt_remote resume;

    open_remote(pt_remote_pause, &parker.task);
    pt_remote_open(&resume, &world.loop, pt_remote_resume, &parker.task);
    start_parker();
    post();
    turn(1);
    ck_assert(pt_task_paused(&parker.task));
    pt_wake(&parker.task);
    turn(2);
    ck_assert_trace("");
    ck_assert_int_eq(pt_remote_post(&resume), PT_OK);
    turn(3);
    run_world("p@3 ");
}
END_TEST
#endif

#if PT_CANCEL
START_TEST(a_remote_cancels_a_task)
{
    open_remote(pt_remote_cancel, &parker.task);
    start_parker();
    post();
    run_world("");
    ck_assert_int_eq(pt_task_status(&parker.task), PT_ECANCELED);
}
END_TEST
#endif

#if PT_SYNC
struct watcher {
    struct pt pt;
    struct pt_event *event;
};

static PT_ASYNC(watcher, self)
{
    PT_WAIT_EVENT(self->event);
    trace_add("w@%d ", test_ms(PT_NOW()));
}
PT_END

START_TEST(a_remote_sets_an_event_and_another_triggers_one)
{
    static struct pt_event event;
    static struct pt_remote trigger;
    static PT_TASK(watcher) watchers[2];

    test_zero(event);
    test_zero(watchers);
    open_remote(pt_remote_set, &event);
    pt_remote_open(&trigger, &world.loop, pt_remote_trigger, &event);
    PT_START(&world.loop, &watchers[0], watcher, .event = &event);
    turn(0);
    ck_assert_int_eq(pt_remote_post(&trigger), PT_OK);
    turn(1);
    ck_assert(!event.set);
    ck_assert_trace("w@1 ");
    PT_START(&world.loop, &watchers[1], watcher, .event = &event);
    turn(2);
    post();
    turn(3);
    ck_assert(event.set);
    run_world("w@3 ");
}
END_TEST

START_TEST(a_remote_releases_a_unit_for_each_post)
{
    static struct pt_semaphore units;

    pt_semaphore_init(&units, 0, 3);
    open_remote(pt_remote_release, &units);
    post();
    post();
    turn(0);
    ck_assert_uint_eq(units.count, 2);
    ck_assert_int_eq(remote.status, PT_OK);
    post();
    post();
    turn(1);
    ck_assert_uint_eq(units.count, 3);
    ck_assert_int_eq(remote.status, PT_ERANGE); /* one post too many */
    test_close(&world);
}
END_TEST
#endif

#endif

Suite *suite_remote(void)
{
    Suite *suite = test_suite("remote");

#if PT_REMOTE
    test_add(suite, posts_before_a_turn_are_counted_in_one_callback);
    test_add(suite, a_nudge_counts_only_if_no_post_is_pending);
    test_add(suite, the_count_of_posts_saturates);
#if !PT_HAS_URGENT_
    test_add(suite, a_post_from_its_own_callback_is_handled_in_the_next_turn);
#endif
    test_add(suite, a_callback_sees_the_time_of_its_turn_and_can_update_it);
#if PT_SLOWMO
    test_add(suite, a_callback_that_moves_the_time_past_a_slow_turn_ends_the_delay);
#endif
    test_add(suite, callbacks_run_in_the_order_of_their_first_posts);
    test_add(suite, closing_a_remote_handles_its_pending_posts);
    test_add(suite, closing_a_loop_handles_pending_posts_and_refuses_later_ones);
    test_add(suite, a_run_handles_a_pending_post_before_it_reports_a_deadlock);
    test_add(suite, a_remote_wakes_a_task);
    test_add(suite, a_remote_spawns_a_task_that_was_prepared);
    test_add(suite, a_remote_activates_a_task_once_and_then_wakes_it);
#if !PT_DEBUG
    test_add(suite, a_running_task_cannot_be_prepared);
#endif
#if PT_PAUSE
    test_add(suite, a_remote_pauses_a_task_and_another_resumes_it);
#endif
#if PT_CANCEL
    test_add(suite, a_remote_cancels_a_task);
#endif
#if PT_SYNC
    test_add(suite, a_remote_sets_an_event_and_another_triggers_one);
    test_add(suite, a_remote_releases_a_unit_for_each_post);
#endif
#endif
    return suite;
}
#else

Suite *suite_remote(void)
{
    return test_suite("remote");
}

#endif
