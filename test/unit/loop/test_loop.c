/* test_loop.c - turns, fairness, what a turn returns, several loops, slow motion, virtual time
 * SPDX-License-Identifier: MIT */
#include "pt_test.h"

#if PT_PORT && PT_TIMERS

/* Takes TURNS turns and traces its name in each. */
struct walker {
    struct pt pt;
    char name;
    int turns;
};

static PT_ASYNC(walker, self)
{
    for (; self->turns > 0; self->turns--) {
        trace_add("%c", self->name);
        PT_YIELD();
    }
}
PT_END

struct parker {
    struct pt pt;
};

static PT_ASYNC(parker, self)
{
    PT_PARK();
    trace_add("P");
}
PT_END

struct napper {
    struct pt pt;
    pt_time delay;
    int naps;
};

static PT_ASYNC(napper, self)
{
    for (; self->naps > 0; self->naps--) {
        PT_WAIT(self->delay);
        trace_add("N");
    }
}
PT_END

static PT_TASK(walker) walkers[5];
static PT_TASK(parker) parked;
static PT_TASK(napper) nap;

static void open_loop_world(void)
{
    test_zero(walkers);
    test_zero(parked);
    test_zero(nap);
    test_open(&world);
}

static void start_walker(int i, int turns)
{
    ck_assert_int_eq(
        PT_START(&world.loop, &walkers[i], walker, .name = (char)('a' + i), .turns = turns), PT_OK);
}

START_TEST(tasks_run_in_the_order_in_which_they_were_started)
{
    open_loop_world();
    for (int i = 4; i >= 0; i--)
        start_walker(i, 1);
    run_world("edcba");
}
END_TEST

START_TEST(each_ready_task_runs_once_in_a_turn)
{
    open_loop_world();
    for (int i = 0; i < 5; i++)
        start_walker(i, i + 1);
    for (int turn = 0; pt_loop_live(&world.loop); turn++) {
        pt_loop_turn(&world.loop, TEST_START);
        trace_add("|");
    }
    run_world("abcde|bcde|cde|de|e||");
}
END_TEST

START_TEST(timers_that_are_always_due_do_not_starve_ready_tasks)
{
    open_loop_world();
    start_walker(0, 3);
    PT_START(&world.loop, &nap, napper, .delay = 0, .naps = 3);
    for (int turn = 0; turn < 4; turn++) {
        pt_loop_turn(&world.loop, TEST_START);
        trace_add("|");
    }
    run_world("a|aN|aN|N|");
}
END_TEST

START_TEST(tasks_that_are_always_ready_do_not_starve_the_timers)
{
    open_loop_world();
    start_walker(0, 4);
    PT_START(&world.loop, &nap, napper, .delay = PT_MS(2), .naps = 1);
    for (int ms = 0; ms < 4; ms++) {
        pt_loop_turn(&world.loop, test_at(ms));
        trace_add("|");
    }
    pt_loop_turn(&world.loop, test_at(4));
    run_world("a|a|aN|a|");
}
END_TEST

struct waker {
    struct pt pt;
};

static PT_ASYNC(waker, self)
{
    trace_add("w");
    pt_wake(&parked.task);
}
PT_END

START_TEST(a_task_that_is_woken_in_a_turn_runs_in_the_next)
{
    static PT_TASK(waker) alarm_clock;

    open_loop_world();
    test_zero(alarm_clock);
    PT_START(&world.loop, &parked, parker);
    pt_loop_turn(&world.loop, TEST_START);
    PT_START(&world.loop, &alarm_clock, waker);
    pt_loop_turn(&world.loop, TEST_START);
    ck_assert_trace("w");
    pt_loop_turn(&world.loop, TEST_START);
    run_world("P");
}
END_TEST

/* --- what a turn returns --- */

START_TEST(a_turn_of_an_empty_loop_returns_never)
{
    open_loop_world();
    ck_assert(pt_loop_idle(&world.loop));
    ck_assert_uint_eq(pt_loop_turn(&world.loop, TEST_START),
                      (pt_time)(TEST_START + PT_DELAY_NEVER));
    run_world("");
}
END_TEST

START_TEST(a_turn_that_leaves_a_ready_task_returns_its_own_time)
{
    open_loop_world();
    start_walker(0, 2);
    PT_START(&world.loop, &nap, napper, .delay = PT_MS(2), .naps = 1);
    ck_assert_uint_eq(pt_loop_turn(&world.loop, test_at(1)), test_at(1));
    ck_assert(!pt_loop_idle(&world.loop));
    world.clock.now = test_at(1);
    run_world("aaN");
}
END_TEST

START_TEST(a_turn_that_leaves_sleepers_returns_the_first_deadline)
{
    open_loop_world();
    PT_START(&world.loop, &nap, napper, .delay = PT_MS(2), .naps = 1);
    ck_assert_uint_eq(pt_loop_turn(&world.loop, test_at(1)), test_at(3));
    ck_assert(pt_loop_idle(&world.loop));
    world.clock.now = test_at(1);
    run_world("N");
}
END_TEST

START_TEST(a_turn_that_leaves_only_parked_tasks_returns_never)
{
    open_loop_world();
    PT_START(&world.loop, &parked, parker);
    ck_assert_uint_eq(pt_loop_turn(&world.loop, test_at(1)),
                      (pt_time)(test_at(1) + PT_DELAY_NEVER));
    pt_wake(&parked.task);
    world.clock.now = test_at(1);
    run_world("P");
}
END_TEST

/* --- pt_loop_run --- */

START_TEST(run_of_an_empty_loop_returns_at_once)
{
    open_loop_world();
    run_world("");
}
END_TEST

START_TEST(run_reports_when_nothing_can_wake_the_remaining_tasks)
{
    open_loop_world();
    start_walker(0, 2);
    PT_START(&world.loop, &parked, parker);
    ck_assert_int_eq(pt_loop_run(&world.loop), PT_EDEADLK);
    ck_assert_trace("aa");
    ck_assert_uint_eq(pt_loop_live(&world.loop), 1);
    pt_wake(&parked.task);
    run_world("P");
}
END_TEST

/* --- the current task, and how many others are ready --- */

struct watcher {
    struct pt pt;
    struct pt_loop *loop;
    struct pt_task *myself;
};

static PT_ASYNC(watcher, self)
{
    ck_assert_ptr_eq(pt_loop_current(self->loop), self->myself);
    trace_add("%d/%u ", (int)pt_loop_ready(self->loop), pt_loop_live(self->loop));
    PT_YIELD();
    ck_assert_ptr_eq(pt_loop_current(self->loop), self->myself);
    trace_add("%d/%u ", (int)pt_loop_ready(self->loop), pt_loop_live(self->loop));
}
PT_END

static PT_TASK(watcher) watchers[3];

START_TEST(the_loop_knows_its_current_task_and_how_many_others_are_ready)
{
    open_loop_world();
    test_zero(watchers);
    ck_assert_uint_eq(pt_loop_ready(&world.loop), 0);
    for (int i = 0; i < 3; i++)
        PT_START(&world.loop, &watchers[i], watcher, .loop = &world.loop,
                 .myself = &watchers[i].task);
    ck_assert_uint_eq(pt_loop_ready(&world.loop), 3);
    ck_assert_uint_eq(pt_loop_live(&world.loop), 3);
    ck_assert_ptr_null(pt_loop_current(&world.loop));
    pt_loop_turn(&world.loop, TEST_START);
    ck_assert_ptr_null(pt_loop_current(&world.loop));
    ck_assert_uint_eq(pt_loop_ready(&world.loop), 3);
    ck_assert_trace("2/3 2/3 2/3 ");
    run_world("2/3 1/2 0/1 ");
    ck_assert_uint_eq(pt_loop_live(&world.loop), 0);
}
END_TEST

/* --- several loops --- */

START_TEST(separate_loops_are_independent)
{
    struct test_world other;

    open_loop_world();
    test_open(&other);
    start_walker(0, 2);
    PT_START(&other.loop, &walkers[1], walker, .name = 'x', .turns = 3);
    PT_START(&other.loop, &nap, napper, .delay = PT_MS(1), .naps = 1);
    pt_loop_turn(&other.loop, TEST_START);
    pt_loop_turn(&world.loop, TEST_START);
    ck_assert_uint_eq(pt_loop_live(&world.loop), 1);
    ck_assert_uint_eq(pt_loop_live(&other.loop), 2);
    ck_assert_int_eq(pt_loop_run(&other.loop), PT_OK);
    ck_assert_int_eq(pt_loop_run(&world.loop), PT_OK);
    ck_assert_trace("xaxxNa");
    pt_loop_close(&other.loop);
    test_close(&world);
}
END_TEST

START_TEST(a_task_that_is_done_can_run_in_another_loop)
{
    struct test_world other;

    open_loop_world();
    test_open(&other);
    start_walker(0, 1);
    ck_assert_int_eq(pt_loop_run(&world.loop), PT_OK);
    PT_START(&other.loop, &walkers[0], walker, .name = 'o', .turns = 1);
    ck_assert_int_eq(pt_loop_run(&other.loop), PT_OK);
    ck_assert_trace("ao");
    pt_loop_close(&other.loop);
    test_close(&world);
}
END_TEST

/* --- slow motion --- */

#if PT_SLOWMO
START_TEST(slow_motion_lets_time_pass_after_each_turn)
{
    open_loop_world();
    pt_loop_slow(&world.loop, PT_MS(5));
    start_walker(0, 3);
    start_walker(1, 3);
    ck_assert_uint_eq(pt_loop_turn(&world.loop, TEST_START), test_at(5));
    ck_assert_trace("ab");
    for (int ms = 1; ms < 5; ms++)
        ck_assert_uint_eq(pt_loop_turn(&world.loop, test_at(ms)), test_at(5));
    ck_assert_trace("");
    ck_assert_uint_eq(pt_loop_turn(&world.loop, test_at(6)), test_at(11));
    ck_assert_trace("ab");
    world.clock.now = test_at(7);
    run_world("ab");
    ck_assert_int_eq(test_ms(world.clock.now), 16);
}
END_TEST

START_TEST(slow_motion_does_not_shorten_a_sleep)
{
    open_loop_world();
    pt_loop_slow(&world.loop, PT_MS(5));
    PT_START(&world.loop, &nap, napper, .delay = PT_MS(12), .naps = 1);
    ck_assert_uint_eq(pt_loop_turn(&world.loop, TEST_START), test_at(12));
    run_world("N");
    ck_assert_int_eq(test_ms(world.clock.now), 12);
}
END_TEST

START_TEST(slow_motion_can_be_switched_off)
{
    open_loop_world();
    pt_loop_slow(&world.loop, PT_MS(5));
    start_walker(0, 2);
    ck_assert_uint_eq(pt_loop_turn(&world.loop, TEST_START), test_at(5));
    pt_loop_slow(&world.loop, 0);
    ck_assert_uint_eq(pt_loop_turn(&world.loop, test_at(1)), test_at(1));
    world.clock.now = test_at(1);
    run_world("aa");
}
END_TEST

START_TEST(setting_the_same_slow_motion_again_changes_nothing)
{
    open_loop_world();
    start_walker(0, 2);
    for (int turn = 0; turn < 2; turn++) {
        pt_loop_slow(&world.loop, PT_MS(5));
        ck_assert_uint_eq(pt_loop_turn(&world.loop, test_at(5 * turn)), test_at(5 * turn + 5));
        pt_loop_slow(&world.loop, PT_MS(5));
        ck_assert_uint_eq(pt_loop_turn(&world.loop, test_at(5 * turn + 1)), test_at(5 * turn + 5));
    }
    world.clock.now = test_at(10);
    run_world("aa");
}
END_TEST

/* Sets the delay of its loop. */
struct hurry {
    struct pt pt;
    int ms;
};

static PT_ASYNC(hurry, self)
{
    pt_loop_slow(&world.loop, (pt_time)self->ms * PT_MS(1));
}
PT_END

START_TEST(a_new_slow_motion_delay_counts_from_the_last_turn)
{
    static PT_TASK(hurry) task;

    open_loop_world();
    test_zero(task);
    pt_loop_slow(&world.loop, PT_MS(9));
    start_walker(0, 3);
    PT_START(&world.loop, &task, hurry, .ms = 5);
    ck_assert_uint_eq(pt_loop_turn(&world.loop, TEST_START), test_at(5)); /* a task sets it */
    pt_loop_slow(&world.loop, PT_MS(2));                                  /* between turns */
    ck_assert_uint_eq(pt_loop_turn(&world.loop, test_at(1)), test_at(2));
    ck_assert_trace("a");
    ck_assert_uint_eq(pt_loop_turn(&world.loop, test_at(3)), test_at(5));
    pt_loop_slow(&world.loop, PT_MS(1)); /* is over by then */
    ck_assert_uint_eq(pt_loop_turn(&world.loop, test_at(5)), test_at(6));
    world.clock.now = test_at(6);
    run_world("aa");
}
END_TEST

START_TEST(slow_motion_can_be_switched_on_after_a_long_time)
{
    pt_time late = (pt_time)(TEST_START + PT_DELAY_MAX);

    open_loop_world();
    pt_loop_turn(&world.loop, late);
    late = (pt_time)(late + PT_MS(10));
    pt_loop_turn(&world.loop, late);
    pt_loop_slow(&world.loop, PT_MS(5));
    start_walker(0, 2);
    ck_assert_uint_eq(pt_loop_turn(&world.loop, late), (pt_time)(late + PT_MS(5)));
    world.clock.now = (pt_time)(late + PT_MS(5));
    run_world("aa");
}
END_TEST
#endif

/* --- virtual time --- */

struct dice {
    struct pt pt;
    char name;
    struct pt_random *chance;
    int throws;
};

static PT_ASYNC(dice, self)
{
    for (; self->throws > 0; self->throws--) {
        PT_WAIT((pt_time)pt_random_below(self->chance, 10) * PT_MS(1));
        trace_add("%c@%d ", self->name, test_ms(PT_NOW()));
    }
}
PT_END

/* A game of three players in a new world. */
static void play(uint64_t seed, char *transcript, size_t size)
{
    static PT_TASK(dice) players[3];
    const char *trace;

    open_loop_world();
    test_zero(players);
    world.clock.random.state = seed;
    for (int i = 0; i < 3; i++)
        PT_START(&world.loop, &players[i], dice, .name = (char)('a' + i),
                 .chance = &world.clock.random, .throws = 10);
    ck_assert_int_eq(pt_loop_run(&world.loop), PT_OK);
    trace = trace_take();
    ck_assert(strlen(trace) < size);
    memcpy(transcript, trace, strlen(trace) + 1);
    test_close(&world);
}

START_TEST(the_same_seed_gives_the_same_run)
{
    char first[600], again[600], other[600];

    play(1, first, sizeof first);
    play(1, again, sizeof again);
    play(2, other, sizeof other);
    ck_assert_str_eq(first, again);
    ck_assert(strcmp(first, other) != 0);
}
END_TEST

START_TEST(a_virtual_world_works_without_an_allocator)
{
    struct pt_virtual bare;
    struct pt_loop loop;

    pt_virtual_init(&bare, 5, NULL);
    ck_assert_ptr_eq(bare.port.context, &bare);
    ck_assert(!bare.port.resize);
    ck_assert_uint_eq(bare.now, 0);
    ck_assert(bare.random.state == 5);
    pt_loop_open(&loop, &bare.port);
    pt_loop_close(&loop);
}
END_TEST

Suite *suite_loop(void)
{
    Suite *suite = test_suite("loop");

    test_add(suite, tasks_run_in_the_order_in_which_they_were_started);
    test_add(suite, each_ready_task_runs_once_in_a_turn);
    test_add(suite, timers_that_are_always_due_do_not_starve_ready_tasks);
    test_add(suite, tasks_that_are_always_ready_do_not_starve_the_timers);
    test_add(suite, a_task_that_is_woken_in_a_turn_runs_in_the_next);
    test_add(suite, a_turn_of_an_empty_loop_returns_never);
    test_add(suite, a_turn_that_leaves_a_ready_task_returns_its_own_time);
    test_add(suite, a_turn_that_leaves_sleepers_returns_the_first_deadline);
    test_add(suite, a_turn_that_leaves_only_parked_tasks_returns_never);
    test_add(suite, run_of_an_empty_loop_returns_at_once);
    test_add(suite, run_reports_when_nothing_can_wake_the_remaining_tasks);
    test_add(suite, the_loop_knows_its_current_task_and_how_many_others_are_ready);
    test_add(suite, separate_loops_are_independent);
    test_add(suite, a_task_that_is_done_can_run_in_another_loop);
#if PT_SLOWMO
    test_add(suite, slow_motion_lets_time_pass_after_each_turn);
    test_add(suite, slow_motion_does_not_shorten_a_sleep);
    test_add(suite, slow_motion_can_be_switched_off);
    test_add(suite, setting_the_same_slow_motion_again_changes_nothing);
    test_add(suite, a_new_slow_motion_delay_counts_from_the_last_turn);
    test_add(suite, slow_motion_can_be_switched_on_after_a_long_time);
#endif
    test_add(suite, the_same_seed_gives_the_same_run);
    test_add(suite, a_virtual_world_works_without_an_allocator);
    return suite;
}
#else

Suite *suite_loop(void)
{
    return test_suite("loop");
}

#endif
