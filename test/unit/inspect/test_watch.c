/* test_watch.c - long steps: how they are noticed, and which time counts after them
 * SPDX-License-Identifier: MIT */
#include "test_patron.h"

#if PT_PORT && PT_TIMERS && PT_AWAIT

#if PT_INSPECT

static void end_watched(void)
{
    ck_assert_int_eq(pt_loop_run(&world.loop), PT_OK);
    test_close(&world);
}

/* Works for some time, twice, with a nap in between. */
struct laborer {
    struct pt pt;
    int ms, nap;
    bool says_so;
};

static void labor(int ms)
{
    world.clock.now += (pt_time)ms * PT_MS(1);
}

static PT_ASYNC(laborer, self)
{
    labor(self->ms);
    if (self->says_so)
        pt_loop_update(&world.loop, world.clock.now);
    PT_WAIT((pt_time)self->nap * PT_MS(1));
    trace_add("%s@%d ", pt_task_name(pt_loop_current(&world.loop)), test_ms(PT_NOW()));
}
PT_END

static PT_TASK(laborer) laborers[3];

static void open_workers(void)
{
    test_open(&world);
    test_zero(laborers);
}

static void start_laborer(int i, const char *name, int ms, int nap, bool says_so)
{
    ck_assert_int_eq(
        PT_START(&world.loop, &laborers[i], laborer, .ms = ms, .nap = nap, .says_so = says_so),
        PT_OK);
    pt_task_rename(&laborers[i].task, name);
}

static void complain(struct pt_watch *watch, struct pt_task *task, pt_time ticks)
{
    ck_assert_uint_eq(watch->limit, PT_MS(3));
    trace_add("%s: %d ms! ", pt_task_name(task), (int)(ticks / PT_MS(1)));
}

START_TEST(a_watch_knows_the_longest_step_and_turn_and_reports_the_task)
{
    struct pt_watch watch;

    open_workers();
    start_laborer(0, "quick", 3, 20, false); /* exactly the limit: not reported */
    start_laborer(1, "slow", 5, 20, false);
    start_laborer(2, "slower", 7, 30, false);
    pt_watch_start(&watch, &world.loop, PT_MS(3), complain);
    ck_assert_ptr_null(watch.longest_name);
    end_watched();
    ck_assert_trace("slow: 5 ms! slower: 7 ms! quick@23 slow@28 slower@45 ");
    ck_assert_uint_eq(watch.longest, PT_MS(7));
    ck_assert_str_eq(watch.longest_name, "slower");
    ck_assert_uint_eq(watch.longest_turn, PT_MS(15));
}
END_TEST

START_TEST(a_stopped_watch_keeps_its_results)
{
    struct pt_watch watch;

    open_workers();
    start_laborer(0, "early", 2, 3, false);
    pt_watch_start(&watch, &world.loop, PT_MS(1), NULL);
    pt_loop_turn(&world.loop, world.clock.now);
    pt_watch_stop(&watch);
    start_laborer(1, "late", 9, 3, false);
    end_watched();
    trace_take();
    ck_assert_uint_eq(watch.longest, PT_MS(2));
    ck_assert_str_eq(watch.longest_name, "early");
    ck_assert_uint_eq(watch.longest_turn, PT_MS(2));
}
END_TEST

/* While it works, an interrupt comes after 3 ms and after 4 ms. */
struct stuck {
    struct pt pt;
    struct pt_watch *watch;
};

static PT_ASYNC(stuck, self)
{
    for (int ms = 3; ms < 5; ms++) {
        world.clock.now = test_at(ms);
        trace_add("%d ", pt_watch_stuck(self->watch, world.clock.now) == pt_current_);
    }
}
PT_END

START_TEST(an_interrupt_can_find_the_stuck_task)
{
    static PT_TASK(stuck) stuck;
    struct pt_watch watch;

    test_zero(stuck);
    test_open(&world);
    ck_assert_int_eq(PT_START(&world.loop, &stuck, stuck, .watch = &watch), PT_OK);
    pt_watch_start(&watch, &world.loop, PT_MS(3), NULL);
    ck_assert_ptr_null(pt_watch_stuck(&watch, test_at(9)));
    end_watched();
    ck_assert_ptr_null(pt_watch_stuck(&watch, test_at(9)));
    ck_assert_trace("0 1 ");
}
END_TEST

/* The interrupt prints what is stuck. */
struct printed {
    struct pt pt;
    struct pt_watch *watch;
};

static void print_watch(void *context, const char *text)
{
    (void)context;
    trace_add("%s", text);
}

static PT_ASYNC(printed, self)
{
    for (int ms = 3; ms < 6; ms += 2) {
        world.clock.now = test_at(ms);
        trace_add("%d ", pt_watch_report(self->watch, world.clock.now, print_watch, NULL));
    }
}
PT_END

START_TEST(an_interrupt_can_print_where_a_task_is_stuck)
{
    static PT_TASK(printed) task;
    struct pt_watch watch;

    test_zero(task);
    test_open(&world);
    ck_assert_int_eq(PT_START(&world.loop, &task, printed, .watch = &watch), PT_OK);
    pt_watch_start(&watch, &world.loop, PT_MS(3), NULL);
    ck_assert(!pt_watch_report(&watch, test_at(9), print_watch, NULL));
    end_watched();
    ck_assert_trace("0 printed: runs for 5 ms\n    since its start\n1 ");
}
END_TEST

/* Works in functions that it awaits, which do not wait. */
struct piece {
    struct pt pt;
};

static PT_ASYNC(piece, self)
{
    labor(2);
}
PT_END

struct pieces {
    struct pt pt;
    struct pt_watch *watch;
    struct piece piece;
    int i;
};

static PT_ASYNC(pieces, self)
{
    for (; self->i < 4; self->i++) {
        PT_WAIT_COMPLETE(&self->piece, piece);
        trace_add("%d ", pt_watch_stuck(self->watch, world.clock.now) == pt_current_);
    }
    PT_YIELD();
    labor(1);
}
PT_END

START_TEST(functions_that_a_step_awaits_belong_to_it)
{
    static PT_TASK(pieces) task;
    struct pt_watch watch;

    test_zero(task);
    test_open(&world);
    ck_assert_int_eq(PT_START(&world.loop, &task, pieces, .watch = &watch), PT_OK);
    pt_watch_start(&watch, &world.loop, PT_MS(3), complain);
    end_watched();
    ck_assert_trace("0 1 1 1 pieces: 8 ms! ");
    ck_assert_uint_eq(watch.longest, PT_MS(8));
    ck_assert_uint_eq(watch.longest_turn, PT_MS(8));
}
END_TEST

#if PT_CANCEL
/* Cancels itself in a function that it awaits: its step ends without a wait. */
struct canceled {
    struct pt pt;
};

static PT_ASYNC(canceled, self)
{
    labor(5);
    pt_cancel(pt_loop_current(&world.loop), PT_ECANCELED);
}
PT_END

struct canceler {
    struct pt pt;
    struct canceled canceled;
};

static PT_ASYNC(canceler, self)
{
    PT_WAIT_COMPLETE(&self->canceled, canceled);
    labor(100);
}
PT_END

START_TEST(a_step_that_a_cancel_ends_is_measured)
{
    static PT_TASK(canceler) task;
    struct pt_watch watch;

    test_zero(task);
    open_workers();
    ck_assert_int_eq(PT_START(&world.loop, &task, canceler), PT_OK);
    start_laborer(0, "next", 1, 3, false);
    pt_watch_start(&watch, &world.loop, PT_MS(3), complain);
    pt_loop_turn(&world.loop, world.clock.now);
    ck_assert_trace("canceler: 5 ms! ");
    ck_assert_uint_eq(watch.longest, PT_MS(5));
    ck_assert_uint_eq(watch.longest_turn, PT_MS(6));
    end_watched();
    trace_take();
}
END_TEST
#endif

#if TEST_PATRON
START_TEST(a_step_that_a_cancel_ends_in_a_wait_for_a_group_is_measured)
{
    static PT_TASK(patron) task;
    struct pt_watch watch;

    for (int others = 0; others < 2; others++) {
        test_zero(task);
        open_workers();
        ck_assert_int_eq(PT_START(&world.loop, &task, patron, .works = PT_MS(5)), PT_OK);
        pt_watch_start(&watch, &world.loop, PT_MS(3), complain);
        pt_loop_turn(&world.loop, world.clock.now);
        if (others)
            start_laborer(0, "next", 1, 30, false);
        pt_loop_turn(&world.loop, world.clock.now);
        labor(2);
        ck_assert_trace("patron: 5 ms! ");
        ck_assert_uint_eq(watch.longest, PT_MS(5));
        ck_assert_uint_eq(watch.longest_turn, PT_MS(5) + (pt_time)others * PT_MS(1));
        end_watched();
        ck_assert_uint_eq(watch.longest, PT_MS(5));
        trace_take();
    }
}
END_TEST
#endif

static void stop_at_once(struct pt_watch *watch, struct pt_task *task, pt_time ticks)
{
    (void)task;
    (void)ticks;
    pt_watch_stop(watch);
}

/* Asks whether a task is stuck before the watch sees the step, and takes 9 ms for that. */
struct asker {
    struct pt_observer observer; /* its first member */
    const struct pt_watch *watch;
};

static void ask(struct pt_observer *observer, struct pt_task *task)
{
    const struct asker *self = (const struct asker *)(void *)observer;

    (void)task;
    world.clock.now = (pt_time)(world.clock.now + PT_MS(9));
    trace_add("%d ", pt_watch_stuck(self->watch, world.clock.now) != NULL);
}

START_TEST(a_task_that_has_not_begun_or_is_not_watched_is_not_stuck)
{
    static PT_TASK(stuck) stuck;
    struct pt_watch watch;
    struct asker asker;

    open_workers();
    test_zero(stuck);
    memset(&asker, 0, sizeof asker);
    asker.observer.resumes = ask;
    asker.watch = &watch;
    start_laborer(0, "first", 1, 3, false);
    start_laborer(1, "slow", 5, 3, false);
    PT_START(&world.loop, &stuck, stuck, .watch = &watch);
    pt_watch_start(&watch, &world.loop, PT_MS(3), stop_at_once); /* the slow task stops the watch */
    pt_loop_observe(&world.loop, &asker.observer);
    pt_loop_turn(&world.loop, world.clock.now);
    ck_assert_trace("0 0 0 0 0 ");
    pt_loop_ignore(&world.loop, &asker.observer);
    end_watched();
    trace_take();
}
END_TEST

START_TEST(a_turn_without_a_step_is_not_measured)
{
    struct pt_watch watch;

    open_workers();
    start_laborer(0, "one", 0, 8, false);
    pt_watch_start(&watch, &world.loop, PT_MS(3), complain);
    pt_loop_turn(&world.loop, TEST_START);
    labor(4);
    pt_loop_turn(&world.loop, world.clock.now);
    ck_assert_uint_eq(watch.longest_turn, 0);
    ck_assert_uint_eq(watch.longest, 0);
    ck_assert_str_eq(watch.longest_name, "one");
    end_watched();
    trace_take();
}
END_TEST

START_TEST(a_delay_counts_from_the_end_of_its_step_however_long_that_took)
{
    open_workers();
    start_laborer(0, "a", 5, 6, false);
    start_laborer(1, "b", 0, 6, false);
    end_watched();
    ck_assert_trace("a@11 b@11 ");
}
END_TEST

START_TEST(a_long_step_that_updates_the_time_moves_the_delays_after_it)
{
    open_workers();
    start_laborer(0, "before", 0, 6, false);
    start_laborer(1, "a", 5, 6, true);
    start_laborer(2, "behind", 0, 6, false);
    end_watched();
    ck_assert_trace("before@6 a@11 behind@11 ");
}
END_TEST

START_TEST(a_step_longer_than_a_deadline_fires_it_late_and_time_does_not_go_back)
{
    open_workers();
    start_laborer(0, "a", 0, 2, false);
    start_laborer(1, "b", 9, 4, false);
    end_watched();
    ck_assert_trace("a@9 b@13 ");
    ck_assert_int_eq(test_ms(world.clock.now), 13);
}
END_TEST

/* Updates the time, works on, and is ready again. */
struct eager {
    struct pt pt;
    struct pt_loop *loop;
    int times;
    bool parks;
};

static PT_ASYNC(eager, self)
{
    for (; self->times > 0; self->times--) {
        labor(2);
        pt_loop_update(self->loop, world.clock.now);
        trace_add("%d ", test_ms(PT_NOW()));
        labor(3);
        PT_YIELD();
    }
    if (self->parks) {
        pt_loop_update(self->loop, world.clock.now + PT_MS(1));
        PT_PARK();
    }
}
PT_END

static PT_TASK(eager) eager_task;

/* Sleeps as the virtual port does, and traces that. */
static bool idle(void *context, pt_time now, pt_time until)
{
    if ((pt_time)(until - now) == PT_DELAY_NEVER)
        trace_add("never ");
    else
        trace_add("idle %d to %d ", test_ms(now), test_ms(until));
    return pt_virtual_idle_(context, now, until);
}

static void open_with_idle(void)
{
    test_open(&world);
    world.clock.port.idle = idle;
    test_zero(eager_task);
}

START_TEST(a_task_that_is_ready_after_a_long_step_runs_at_once)
{
    open_with_idle();
    PT_START(&world.loop, &eager_task, eager, .loop = &world.loop, .times = 3, .parks = false);
    end_watched();
    ck_assert_trace("2 7 12 ");
    ck_assert_int_eq(test_ms(world.clock.now), 15);
}
END_TEST

/* Updates the time past a sleeper's deadline, and sleeps for the longest delay. */
struct hog {
    struct pt pt;
};

static PT_ASYNC(hog, self)
{
    labor(8);
    pt_loop_update(&world.loop, world.clock.now);
    PT_WAIT(PT_DELAY_MAX);
}
PT_END

START_TEST(a_timer_due_at_an_update_fires_before_timers_armed_after_it)
{
    static PT_TASK(hog) hog_task;
    pt_time now;

    test_zero(hog_task);
    open_workers();
    start_laborer(0, "nap", 0, 5, false);
    ck_assert_int_eq(PT_START(&world.loop, &hog_task, hog), PT_OK);
    now = pt_loop_turn(&world.loop, world.clock.now);
    ck_assert_int_eq(test_ms(now), 8); /* at once, not in the past */
    now = pt_loop_turn(&world.loop, now);
    ck_assert_trace("nap@8 ");
    ck_assert_uint_eq((pt_time)(now - test_at(8)), PT_DELAY_MAX);
    pt_loop_turn(&world.loop, now);
    test_close(&world);
}
END_TEST

#if PT_TIMEOUTS && PT_SYNC
struct late_step {
    struct pt pt;
};

/* Works in a block until its time is over, updates the time, and waits. */
struct late {
    struct pt pt;
    struct pt_scope limit;
    struct pt_event never;
    char way;
    struct late_step step;
};

static void overwork(void)
{
    labor(8);
    pt_loop_update(&world.loop, world.clock.now);
}

static PT_ASYNC(late_step, self)
{
    overwork();
}
PT_END

static PT_ASYNC(late, self)
{
    PT_WITH_TIMEOUT(&self->limit, PT_MS(5)) {
        if (self->way == 'a')
            PT_WAIT_COMPLETE(&self->step, late_step);
        else
            overwork();
        trace_add("%c@%d ", self->way, test_ms(PT_NOW()));
        if (self->way == 'y')
            PT_YIELD();
        if (self->way == 's')
            PT_WAIT(PT_MS(100));
        if (self->way == 'e')
            PT_WAIT_EVENT(&self->never);
        trace_add("goes on ");
    }
    trace_add("%s@%d ", pt_timed_out(&self->limit) ? "late" : "in time", test_ms(PT_NOW()));
}
PT_END

static PT_TASK(late) late_task;

static void be_late(char way)
{
    test_open(&world);
    test_zero(late_task);
    ck_assert_int_eq(PT_START(&world.loop, &late_task, late, .way = way), PT_OK);
    end_watched();
}

START_TEST(a_block_that_times_out_in_a_long_step_ends_at_its_next_wait)
{
    be_late('y');
    ck_assert_trace("y@8 late@8 ");
    be_late('s');
    ck_assert_trace("s@8 late@8 ");
    be_late('e');
    ck_assert_trace("e@8 late@8 ");
    be_late('a');
    ck_assert_trace("late@8 ");
}
END_TEST
#endif

START_TEST(a_deadlock_after_a_long_step_is_reported)
{
    open_with_idle();
    PT_START(&world.loop, &eager_task, eager, .loop = &world.loop, .times = 1, .parks = true);
    ck_assert_int_eq(pt_loop_run(&world.loop), PT_EDEADLK);
    ck_assert_int_eq(test_ms(world.clock.now), 5);
    pt_wake(&eager_task.task);
    world.clock.now += PT_MS(1); /* the time that the task set */
    end_watched();
    ck_assert_trace("2 never ");
}
END_TEST

#if PT_NESTING
START_TEST(a_nested_loop_continues_at_once_after_a_long_step_without_polling)
{
    static PT_TASK(pt_loop_async) inner_task;
    struct pt_loop inner;

    open_with_idle();
    test_zero(inner_task);
    pt_loop_open(&inner, &world.clock.port);
    PT_START(&inner, &eager_task, eager, .loop = &inner, .times = 2, .parks = true);
    PT_START(&world.loop, &inner_task, pt_loop_async, .loop = &inner);
    ck_assert_int_eq(pt_loop_run(&world.loop), PT_EDEADLK);
    ck_assert_int_eq(test_ms(world.clock.now), 10);
    pt_wake(&eager_task.task);
    world.clock.now += PT_MS(1);
    ck_assert_int_eq(pt_loop_run(&world.loop), PT_OK);
    ck_assert_trace("2 7 never ");
    pt_loop_close(&inner);
    test_close(&world);
}
END_TEST
#endif

#endif

Suite *suite_watch(void)
{
    Suite *suite = test_suite("watch");

#if PT_INSPECT
    test_add(suite, a_watch_knows_the_longest_step_and_turn_and_reports_the_task);
    test_add(suite, a_stopped_watch_keeps_its_results);
    test_add(suite, an_interrupt_can_find_the_stuck_task);
    test_add(suite, an_interrupt_can_print_where_a_task_is_stuck);
    test_add(suite, functions_that_a_step_awaits_belong_to_it);
#if PT_CANCEL
    test_add(suite, a_step_that_a_cancel_ends_is_measured);
#endif
#if TEST_PATRON
    test_add(suite, a_step_that_a_cancel_ends_in_a_wait_for_a_group_is_measured);
#endif
    test_add(suite, a_task_that_has_not_begun_or_is_not_watched_is_not_stuck);
    test_add(suite, a_turn_without_a_step_is_not_measured);
    test_add(suite, a_delay_counts_from_the_end_of_its_step_however_long_that_took);
    test_add(suite, a_long_step_that_updates_the_time_moves_the_delays_after_it);
    test_add(suite, a_step_longer_than_a_deadline_fires_it_late_and_time_does_not_go_back);
    test_add(suite, a_task_that_is_ready_after_a_long_step_runs_at_once);
    test_add(suite, a_timer_due_at_an_update_fires_before_timers_armed_after_it);
#if PT_TIMEOUTS && PT_SYNC
    test_add(suite, a_block_that_times_out_in_a_long_step_ends_at_its_next_wait);
#endif
    test_add(suite, a_deadlock_after_a_long_step_is_reported);
#if PT_NESTING
    test_add(suite, a_nested_loop_continues_at_once_after_a_long_step_without_polling);
#endif
#endif
    return suite;
}
#else

Suite *suite_watch(void)
{
    return test_suite("watch");
}

#endif
