/* test_timeout_queue.c - timeouts in the timer queue: thousands of them, closed in time, in order
 * SPDX-License-Identifier: MIT */
#include "pt_test.h"

#if PT_PORT

#if PT_TIMEOUTS

/* Count the turns of the world; time passes from deadline to deadline. */
static int count_turns(void)
{
    int turns = 0;

    for (; pt_loop_live(&world.loop); turns++)
        world.clock.now = pt_loop_turn(&world.loop, world.clock.now);
    return turns;
}

/* --- the entry in the queue ----------------------------------------------------------------- */

struct server {
    struct pt pt;
    struct pt_scope limit;
    int requests;
    pt_time each;
};

/* Opens and closes the same timeout for each request. */
static PT_ASYNC(server, self)
{
    for (; self->requests > 0; self->requests--)
        PT_WITH_TIMEOUT(&self->limit, PT_MS(9)) {
            if (self->each)
                PT_WAIT(self->each);
            else
                PT_YIELD();
        }
    trace_add("%d@%d ", pt_timed_out(&self->limit), test_ms(PT_NOW()));
}
PT_END

static PT_TASK(server) servers[2];

static void serve(int requests, pt_time each)
{
    test_zero(servers);
    test_open(&world);
    PT_START(&world.loop, &servers[0], server, .requests = requests, .each = each);
}

START_TEST(thousands_of_timeouts_of_a_task_leave_one_timer_entry)
{
    serve(3000, 0);
    pt_loop_turn(&world.loop, TEST_START);
    pt_loop_turn(&world.loop, TEST_START);
#if PT_TIMERS_STORAGE_
    ck_assert_uint_eq(world.loop.timers.heap.count, 1);
#endif
    ck_assert_int_eq(count_turns(), 2999);
    ck_assert_trace("0@0 ");
    ck_assert_ptr_null(pt_timers_first_(&world.loop.timers)); /* the entry left with its task */
    test_close(&world);
}
END_TEST

START_TEST(sleeping_in_a_block_causes_no_spurious_wakeups)
{
    serve(20, PT_MS(1));
    ck_assert_int_eq(count_turns(), 21);
    ck_assert_trace("0@20 ");
    test_close(&world);
}
END_TEST

struct brief {
    struct pt pt;
    struct pt_scope limit;
    bool again;
};

static PT_ASYNC(brief, self)
{
    PT_WITH_TIMEOUT(&self->limit, PT_DELAY_NEVER) {
        PT_YIELD();
    }
    PT_WITH_TIMEOUT(&self->limit, PT_MS(5)) {
        PT_YIELD();
    }
    if (self->again) {
        PT_WITH_TIMEOUT(&self->limit, PT_MS(2)) {
            PT_PARK();
        }
        trace_add("late%d@%d ", pt_timed_out(&self->limit), test_ms(PT_NOW()));
    }
    PT_PARK();
    trace_add("woken@%d ", test_ms(PT_NOW()));
}
PT_END

static PT_TASK(brief) brief;

struct closely {
    struct pt pt;
    struct pt_scope limit;
};

/* The timer entry of the first block fires a tick before the timeout of the second block. */
static PT_ASYNC(closely, self)
{
    PT_WITH_TIMEOUT(&self->limit, PT_MS(5)) {
        PT_YIELD();
    }
    PT_WITH_TIMEOUT(&self->limit, PT_MS(5) + 1) {
        PT_PARK();
    }
    trace_add("late%d+%d ", pt_timed_out(&self->limit), (int)(pt_time)(PT_NOW() - test_at(5)));
}
PT_END

START_TEST(a_block_whose_timer_fires_a_tick_early_does_not_end)
{
    static PT_TASK(closely) closely;

    test_zero(closely);
    test_open(&world);
    PT_START(&world.loop, &closely, closely);
    run_world("late1+1 ");
}
END_TEST

struct queued {
    struct pt pt;
    struct pt_scope limit;
    char name;
    pt_time delay;
};

static PT_ASYNC(queued, self)
{
    PT_WITH_TIMEOUT(&self->limit, self->delay) {
        PT_PARK();
    }
    trace_add("%c@%d ", self->name, test_ms(PT_NOW()));
}
PT_END

START_TEST(the_timer_entry_of_a_closed_timeout_does_no_harm)
{
    for (int again = 0; again < 2; again++) {
        test_zero(brief);
        test_open(&world);
        PT_START(&world.loop, &brief, brief, .again = again);
        ck_assert_int_eq(pt_loop_run(&world.loop), PT_EDEADLK);
        ck_assert_trace(again ? "late1@2 " : "");
        ck_assert_int_eq(test_ms(world.clock.now), again ? 2 : 0); /* it had no effect */
        pt_wake(&brief.task);
        run_world(again ? "woken@2 " : "woken@0 ");
    }
}
END_TEST

START_TEST(a_loop_does_not_sleep_until_the_deadlines_of_closed_blocks)
{
    static PT_TASK(brief) briefs[3];
    static PT_TASK(queued) later;

    test_zero(briefs);
    test_zero(later);
    test_open(&world);
    for (int i = 0; i < 3; i++)
        PT_START(&world.loop, &briefs[i], brief);
    PT_START(&world.loop, &later, queued, .name = 'L', .delay = PT_MS(7));
    while (pt_loop_turn(&world.loop, TEST_START) == TEST_START)
        continue;
    ck_assert_int_eq(test_ms(pt_loop_turn(&world.loop, TEST_START)), 7);
    ck_assert_int_eq(pt_loop_run(&world.loop), PT_EDEADLK);
    ck_assert_trace("L@7 ");
    ck_assert_int_eq(test_ms(world.clock.now), 7);
    for (int i = 0; i < 3; i++)
        pt_wake(&briefs[i].task);
    run_world("woken@7 woken@7 woken@7 ");
}
END_TEST

#if PT_CANCEL
START_TEST(a_canceled_task_removes_its_timer_entry)
{
    test_zero(brief);
    test_open(&world);
    PT_START(&world.loop, &brief, brief, .again = true);
    for (int i = 0; i < 3; i++)
        pt_loop_turn(&world.loop, TEST_START);
    pt_cancel(&brief.task, PT_ECANCELED);
    pt_loop_turn(&world.loop, TEST_START);
    ck_assert(pt_task_done(&brief.task));
    memset(&brief, 0xa5, sizeof brief);
    ck_assert_uint_eq(pt_loop_turn(&world.loop, test_at(9)),
                      (pt_time)(test_at(9) + PT_DELAY_NEVER));
    test_close(&world);
}
END_TEST
#endif

/* --- order ----------------------------------------------------------------------------------- */

/* When woken, it sleeps until 6 ms: in a block (b), in a block that ends at that time (e), after
 * a block that was closed and left a timer entry for that time (c), or without a block. */
struct sleeper {
    struct pt pt;
    struct pt_scope limit;
    char name, kind;
};

static PT_ASYNC(sleeper, self)
{
    if (self->kind == 'c') {
        PT_WITH_DEADLINE(&self->limit, test_at(6)) {
            break;
        }
    }
    PT_PARK();
    if (self->kind == 'b' || self->kind == 'e') {
        PT_WITH_DEADLINE(&self->limit, test_at(self->kind == 'e' ? 6 : 9)) {
            PT_WAIT_DEADLINE(test_at(6));
            trace_add("%c@%d ", self->name, test_ms(PT_NOW()));
        }
    } else {
        PT_WAIT_DEADLINE(test_at(6));
        trace_add("%c@%d ", self->name, test_ms(PT_NOW()));
    }
}
PT_END

START_TEST(equal_deadlines_fire_in_arming_order_inside_and_outside_blocks)
{
    static const char kinds[] = "cbe-ec-b";
    static const int order[] = {3, 0, 7, 5, 1, 4, 6, 2};
    static PT_TASK(sleeper) sleepers[8];

    test_zero(sleepers);
    test_open(&world);
    for (int i = 0; i < 8; i++)
        PT_START(&world.loop, &sleepers[i], sleeper, .name = (char)('A' + i), .kind = kinds[i]);
    pt_loop_turn(&world.loop, TEST_START);
    for (int i = 0; i < 8; i++) {
        pt_wake(&sleepers[order[i]].task);
        pt_loop_turn(&world.loop, test_at(i / 2 + 1));
    }
    world.clock.now = test_at(5);
    run_world("D@6 A@6 H@6 F@6 B@6 E@6 G@6 C@6 ");
}
END_TEST

START_TEST(the_timeouts_of_many_tasks_fire_in_order_across_the_wrap)
{
    static const char delays[] = "5217352";
    static PT_TASK(queued) tasks[7];

    test_zero(tasks);
    test_open(&world);
    for (int i = 0; i < 7; i++)
        PT_START(&world.loop, &tasks[i], queued, .name = (char)('A' + i),
                 .delay = (pt_time)((pt_time)(delays[i] - '0') * PT_MS(1)));
    run_world("C@1 B@2 G@2 E@3 A@5 F@5 D@7 ");
}
END_TEST

/* Times out as fast as it can. */
struct hasty {
    struct pt pt;
    struct pt_scope limit;
    int times;
};

static PT_ASYNC(hasty, self)
{
    for (; self->times > 0; self->times--) {
        PT_WITH_TIMEOUT(&self->limit, 0) {
            PT_PARK();
        }
    }
    trace_add("hasty@%d ", test_ms(PT_NOW()));
}
PT_END

START_TEST(timeouts_of_zero_do_not_starve_the_others)
{
    static PT_TASK(hasty) hasty;

    test_zero(hasty);
    serve(4, 0);
    PT_START(&world.loop, &hasty, hasty, .times = 10);
    run_world("0@0 hasty@0 ");
}
END_TEST

#endif

Suite *suite_timeout_queue(void)
{
    Suite *suite = test_suite("timeout_queue");

#if PT_TIMEOUTS
    test_add(suite, thousands_of_timeouts_of_a_task_leave_one_timer_entry);
    test_add(suite, sleeping_in_a_block_causes_no_spurious_wakeups);
    test_add(suite, a_block_whose_timer_fires_a_tick_early_does_not_end);
    test_add(suite, the_timer_entry_of_a_closed_timeout_does_no_harm);
    test_add(suite, a_loop_does_not_sleep_until_the_deadlines_of_closed_blocks);
#if PT_CANCEL
    test_add(suite, a_canceled_task_removes_its_timer_entry);
#endif
    test_add(suite, equal_deadlines_fire_in_arming_order_inside_and_outside_blocks);
    test_add(suite, the_timeouts_of_many_tasks_fire_in_order_across_the_wrap);
    test_add(suite, timeouts_of_zero_do_not_starve_the_others);
#endif
    return suite;
}
#else

Suite *suite_timeout_queue(void)
{
    return test_suite("timeout_queue");
}

#endif
