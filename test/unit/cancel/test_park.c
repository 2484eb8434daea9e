/* test_park.c - PT_PARK_FOR, PT_PARK_DEADLINE: a park that a wake ends, or the time
 * SPDX-License-Identifier: MIT */
/* with the room sync: others of its own have some of its names */
#include "pt_test.h"

#if PT_TIMED_PARKS && PT_PORT

#if PT_CANCEL
#define ON_FINALLY \
    PT_FINALLY     \
    trace_add("%c finally ", self->name);
#else
#define ON_FINALLY
#endif

/* Parks for a time, again and again: until a deadline if it has one. */
struct lot {
    struct pt pt;
    char name;
    int parks;
    pt_time delay, until;
};

static PT_ASYNC(lot, self)
{
    for (; self->parks > 0; self->parks--) {
        if (self->until)
            PT_PARK_DEADLINE(self->until);
        else
            PT_PARK_FOR(self->delay);
        trace_add("%c:%s@%d ", self->name, self->pt.status == PT_OK ? "woken" : "late",
                  test_ms(PT_NOW()));
        ck_assert(self->pt.status == PT_OK || self->pt.status == PT_ETIMEDOUT);
    }
    ON_FINALLY
}
PT_END

typedef PT_TASK(lot) lot_task;

static lot_task lots[6];

/* Run a turn MS milliseconds after the start; returns when the next one is needed, or -1: never. */
static int next_turn(int ms)
{
    pt_time next;

    world.clock.now = test_at(ms);
    next = pt_loop_turn(&world.loop, world.clock.now);
    return (pt_time)(next - world.clock.now) == PT_DELAY_NEVER ? -1 : test_ms(next);
}

static void open_world(void)
{
    test_zero(lots);
    test_open(&world);
}

static struct pt_task *start_until(char name, int ms, int parks, pt_time until)
{
    lot_task *lot = &lots[name - 'a'];

    ck_assert_int_eq(PT_START(&world.loop, lot, lot, .name = name, .parks = parks, .until = until,
                              .delay = (pt_time)((pt_time)ms * PT_MS(1))),
                     PT_OK);
    return &lot->task;
}

static struct pt_task *start(char name, int ms, int parks)
{
    return start_until(name, ms, parks, 0);
}

START_TEST(a_wake_ends_a_park_with_a_time)
{
    struct pt_task *a;

    open_world();
    a = start('a', 10, 2);
    ck_assert_int_eq(next_turn(0), 10);
    ck_assert_int_eq(next_turn(4), 10);
    pt_wake(a);
    ck_assert(!pt_loop_idle(&world.loop));
    ck_assert_int_eq(next_turn(5), 15);
    ck_assert_trace("a:woken@5 ");
    pt_wake(a);
    ck_assert_int_eq(next_turn(6), -1); /* nothing is left in the timer queue */
    ck_assert_trace(PT_CANCEL ? "a:woken@6 a finally " : "a:woken@6 ");
    run_world("");
}
END_TEST

START_TEST(the_time_ends_a_park_that_nobody_wakes)
{
    open_world();
    start('a', 5, 2);
    next_turn(0);
    next_turn(4);
    ck_assert_trace("");
    ck_assert_int_eq(next_turn(5), 10);
    ck_assert_trace("a:late@5 ");
    next_turn(30); /* a late turn */
    ck_assert_trace(PT_CANCEL ? "a:late@30 a finally " : "a:late@30 ");
    run_world("");
}
END_TEST

START_TEST(a_wake_before_a_park_with_a_time_is_kept_for_it_once)
{
    struct pt_task *a;

    open_world();
    a = start('a', 10, 3);
    pt_wake(a);
    pt_wake(a);
    ck_assert_int_eq(next_turn(0), 0);
    ck_assert_int_eq(next_turn(1), 11);
    ck_assert_trace("a:woken@1 ");
    next_turn(11);
    ck_assert_trace("a:late@11 ");
    next_turn(21);
    run_world(PT_CANCEL ? "a:late@21 a finally " : "a:late@21 ");
}
END_TEST

START_TEST(a_wake_before_the_turn_of_its_deadline_counts)
{
    struct pt_task *a;

    open_world();
    a = start('a', 5, 1);
    next_turn(0);
    pt_wake(a);
    next_turn(5);
    run_world(PT_CANCEL ? "a:woken@5 a finally " : "a:woken@5 ");
}
END_TEST

/* Wakes a task at a time. */
struct waker {
    struct pt pt;
    pt_time delay;
    struct pt_task *target;
};

static PT_ASYNC(waker, self)
{
    PT_WAIT(self->delay);
    pt_wake(self->target);
}
PT_END

START_TEST(a_wake_in_the_turn_of_its_deadline_comes_too_late_and_is_kept)
{
    static PT_TASK(waker) waker;

    test_zero(waker);
    open_world();
    PT_START(&world.loop, &waker, waker, .delay = PT_MS(5), .target = &lots[0].task);
    start('a', 5, 2);
    next_turn(0);
    next_turn(5); /* the waker runs first */
    ck_assert_trace("a:late@5 ");
    next_turn(5);
    run_world(PT_CANCEL ? "a:woken@5 a finally " : "a:woken@5 ");
}
END_TEST

START_TEST(a_wake_leaves_the_other_timers_in_order)
{
    for (int woken = 0; woken < 6; woken++) {
        static const char *const left[] = {"bcdef", "acdef", "abdef", "abcef", "abcdf", "abcde"};
        char late[6] = "";

        open_world();
        for (int i = 0; i < 6; i++)
            start((char)('a' + i), 2 + i / 2 * 2, 1); /* two with each deadline */
        next_turn(0);
        pt_wake(&lots[woken].task);
        next_turn(1);
        trace_take();
        for (int ms = 2; ms < 8; ms++) {
            const char *trace;

            next_turn(ms);
            for (trace = trace_take(); (trace = strstr(trace, ":late")); trace++)
                late[strlen(late)] = trace[-1];
        }
        ck_assert_str_eq(late, left[woken]);
        run_world("");
    }
}
END_TEST

START_TEST(a_deadline_is_shared_by_many_parks)
{
    struct pt_task *a;

    open_world();
    a = start_until('a', 0, 5, test_at(8));
    next_turn(0);
    for (int ms = 2; ms < 8; ms += 2) {
        pt_wake(a);
        ck_assert_int_eq(next_turn(ms), 8);
    }
    ck_assert_trace("a:woken@2 a:woken@4 a:woken@6 ");
    next_turn(9);
    ck_assert_trace("a:late@9 ");
    next_turn(9); /* a past deadline is due at once */
    run_world(PT_CANCEL ? "a:late@9 a finally " : "a:late@9 ");
}
END_TEST

START_TEST(a_park_for_no_time_ends_in_the_next_turn)
{
    open_world();
    start('a', 0, 1);
    ck_assert_int_eq(next_turn(0), 0);
    ck_assert_trace("");
    next_turn(0);
    run_world(PT_CANCEL ? "a:late@0 a finally " : "a:late@0 ");
}
END_TEST

START_TEST(a_wake_of_a_sleeper_is_kept_for_its_next_park)
{
    static PT_TASK(waker) waker; /* sleeps: a wake does not end that */

    test_zero(waker);
    open_world();
    PT_START(&world.loop, &waker, waker, .delay = PT_MS(5), .target = &lots[0].task);
    next_turn(0);
    pt_wake(&waker.task);
    ck_assert(pt_loop_idle(&world.loop));
    ck_assert_int_eq(next_turn(1), 5);
    run_world("");
}
END_TEST

/* Delays at the limit, given as a wider number. */
struct limit {
    struct pt pt;
    uint64_t delay;
    bool deadline;
};

static PT_ASYNC(limit, self)
{
    if (self->deadline)
        PT_PARK_DEADLINE(PT_NOW() + (pt_time)self->delay);
    else
        PT_PARK_FOR(self->delay);
}
PT_END

START_TEST(a_park_for_too_long_ends_the_function_with_a_code)
{
    static PT_TASK(limit) task;

    test_open(&world);
    for (int deadline = 0; deadline < 2; deadline++) {
        test_zero(task);
        if (!PT_DEBUG && !deadline) { /* it would stop */
            PT_START(&world.loop, &task, limit, .delay = PT_DELAY_NEVER);
            next_turn(0);
            ck_assert_int_eq(pt_task_status(&task.task), PT_ERANGE);
        }
        PT_START(&world.loop, &task, limit, .delay = PT_DELAY_MAX, .deadline = deadline);
        next_turn(0);
        ck_assert(pt_task_alive(&task.task));
        pt_wake(&task.task);
        next_turn(0);
        ck_assert_int_eq(pt_task_status(&task.task), PT_OK);
    }
    run_world("");
}
END_TEST

START_TEST(a_park_until_never_is_a_park)
{
    static PT_TASK(limit) task;

    test_zero(task);
    test_open(&world);
    for (int early = 0; early < 2; early++) {
        PT_START(&world.loop, &task, limit, .delay = PT_DELAY_NEVER, .deadline = true);
        if (early) { /* a wake before the park counts */
            pt_wake(&task.task);
            next_turn(0);
        } else {
            ck_assert_int_eq(pt_loop_run(&world.loop), PT_EDEADLK);
            pt_wake(&task.task);
        }
        next_turn(0);
        ck_assert(pt_task_done(&task.task));
        ck_assert_int_eq(pt_task_status(&task.task), PT_OK);
    }
    run_world("");
}
END_TEST

#if PT_AWAIT
struct around {
    struct pt pt;
    struct lot lot;
};

static PT_ASYNC(around, self)
{
    PT_WAIT_COMPLETE(&self->lot, lot, .name = 'i', .parks = 2, .until = 0, .delay = PT_MS(5));
    trace_add("%d ", self->pt.status);
}
PT_END

START_TEST(an_awaited_function_parks_for_a_time)
{
    static PT_TASK(around) task;

    test_zero(task);
    test_open(&world);
    PT_START(&world.loop, &task, around);
    next_turn(0);
    next_turn(5);
    pt_wake(&task.task);
    next_turn(6);
    run_world(PT_CANCEL ? "i:late@5 i:woken@6 i finally 0 " : "i:late@5 i:woken@6 0 ");
}
END_TEST
#endif

#if PT_PAUSE
START_TEST(a_pause_holds_a_park_that_is_over)
{
    struct pt_task *a;

    open_world();
    a = start('a', 5, 2);
    next_turn(0);
    pt_pause(a);
    next_turn(5);
    next_turn(6);
    ck_assert_trace("");
    pt_resume(a);
    next_turn(7);
    ck_assert_trace("a:late@7 ");
    pt_pause(a);
    pt_wake(a);
    ck_assert_int_eq(next_turn(8), -1);
    pt_wake(a);
    pt_resume(a);
    next_turn(9);
    run_world(PT_CANCEL ? "a:woken@9 a finally " : "a:woken@9 ");
}
END_TEST
#endif

#if PT_CANCEL
START_TEST(a_cancel_ends_a_park_with_a_time)
{
    struct pt_task *a;

    open_world();
    a = start('a', 5, 1);
    next_turn(0);
    pt_cancel(a, PT_ECANCELED);
    ck_assert_int_eq(next_turn(1), -1);
    ck_assert_trace("a finally ");
    ck_assert_int_eq(pt_task_status(a), PT_ECANCELED);
    a = start('a', 5, 1);
    next_turn(1);
    pt_wake(a);
    pt_cancel(a, PT_ECANCELED); /* the wake gave it nothing to keep */
    ck_assert_int_eq(next_turn(2), -1);
    ck_assert_trace("a finally ");
    a = start('a', 5, 1);
    pt_cancel(a, -70); /* before it parks */
    next_turn(2);
    ck_assert_trace("");
    next_turn(2);
    ck_assert_trace("a finally ");
    ck_assert_int_eq(pt_task_status(a), -70);
    run_world("");
}
END_TEST
#endif

#if PT_TIMEOUTS
/* A park in two blocks. */
struct block {
    struct pt pt;
    struct pt_scope outer, inner;
    int outside, inside, parks;
};

static PT_ASYNC(block, self)
{
    PT_WITH_TIMEOUT(&self->outer, PT_MS(self->outside)) {
        PT_WITH_TIMEOUT(&self->inner, PT_MS(self->inside)) {
            PT_PARK_FOR(PT_MS(self->parks));
            trace_add("%d@%d ", self->pt.status == PT_OK, test_ms(PT_NOW()));
            PT_PARK();
        }
        trace_add("inner%d@%d ", pt_timed_out(&self->inner), test_ms(PT_NOW()));
    }
    trace_add("outer%d@%d ", pt_timed_out(&self->outer), test_ms(PT_NOW()));
}
PT_END

static PT_TASK(block) block;

static void open_block(int outside, int inside, int parks)
{
    test_zero(block);
    test_open(&world);
    PT_START(&world.loop, &block, block, .outside = outside, .inside = inside, .parks = parks);
    next_turn(0);
}

START_TEST(a_block_ends_a_park_with_a_later_time)
{
    open_block(9, 3, 5);
    run_world("inner1@3 outer0@3 ");
    open_block(3, 9, 5);
    run_world("outer1@3 ");
}
END_TEST

START_TEST(a_park_ends_before_the_blocks_around_it)
{
    open_block(9, 7, 5);
    run_world("0@5 inner1@7 outer0@7 ");
    open_block(7, 9, 5);
    pt_wake(&block.task);
    run_world("1@0 outer1@7 ");
}
END_TEST

START_TEST(a_park_whose_time_is_that_of_its_block_counts)
{
    open_block(9, 5, 5);
    run_world("0@5 inner1@5 outer0@5 ");
}
END_TEST

/* Parks in a block that is over, and again after it. */
struct late {
    struct pt pt;
    struct pt_scope limit;
};

static PT_ASYNC(late, self)
{
    PT_WITH_TIMEOUT(&self->limit, 0) {
        PT_YIELD();
        pt_wake(pt_current_);
        PT_PARK();
        trace_add("in the block ");
    }
    PT_PARK_FOR(PT_MS(5));
    trace_add("%d@%d ", self->pt.status == PT_OK, test_ms(PT_NOW()));
}
PT_END

START_TEST(a_park_in_a_block_that_is_over_takes_the_wake_that_came_first)
{
    static PT_TASK(late) task;

    test_zero(task);
    open_world();
    PT_START(&world.loop, &task, late);
    run_world("0@5 ");
}
END_TEST

START_TEST(a_wake_leaves_the_deadlines_of_the_blocks)
{
    open_block(9, 8, 5);
    pt_wake(&block.task);
    next_turn(1);
    run_world("1@1 inner1@8 outer0@8 ");
}
END_TEST
#endif

#if PT_INSPECT
START_TEST(a_park_with_a_time_is_shown_as_a_park_and_its_end)
{
    pt_time deadline = 0;
    struct pt_task *a;

    open_world();
    a = start('a', 5, 1);
    next_turn(1);
    ck_assert_str_eq(pt_task_doing(a), "is parked");
    ck_assert(pt_task_deadline(a, &deadline));
    ck_assert_int_eq(test_ms(deadline), 6);
    pt_wake(a);
    ck_assert_str_eq(pt_task_doing(a), "is ready");
    ck_assert(!pt_task_deadline(a, &deadline));
    next_turn(2);
    trace_take();
    run_world("");
}
END_TEST
#endif

#if PT_NESTING
START_TEST(a_task_of_a_nested_loop_parks_for_a_time)
{
    static PT_TASK(pt_loop_async) nest;
    struct test_world inner;

    test_zero(nest);
    open_world();
    test_open(&inner);
    ck_assert_int_eq(PT_START(&inner.loop, &lots[0], lot, .name = 'a', .parks = 2, .until = 0,
                              .delay = PT_MS(5)),
                     PT_OK);
    PT_START(&world.loop, &nest, pt_loop_async, .loop = &inner.loop);
    next_turn(0);
    ck_assert_int_eq(next_turn(0), 5);
    pt_wake(&lots[0].task);
    ck_assert(!pt_loop_idle(&world.loop)); /* the outer loop must run it */
    ck_assert_int_eq(next_turn(1), 6);
    ck_assert_trace("a:woken@1 ");
    next_turn(6);
    ck_assert_trace(PT_CANCEL ? "a:late@6 a finally " : "a:late@6 ");
    pt_loop_close(&inner.loop);
    run_world("");
}
END_TEST
#endif

#endif

Suite *suite_park(void)
{
    Suite *suite = test_suite("park");

#if PT_TIMED_PARKS && PT_PORT
    test_add(suite, a_wake_ends_a_park_with_a_time);
    test_add(suite, the_time_ends_a_park_that_nobody_wakes);
    test_add(suite, a_wake_before_a_park_with_a_time_is_kept_for_it_once);
    test_add(suite, a_wake_before_the_turn_of_its_deadline_counts);
    test_add(suite, a_wake_in_the_turn_of_its_deadline_comes_too_late_and_is_kept);
    test_add(suite, a_wake_leaves_the_other_timers_in_order);
    test_add(suite, a_deadline_is_shared_by_many_parks);
    test_add(suite, a_park_for_no_time_ends_in_the_next_turn);
    test_add(suite, a_wake_of_a_sleeper_is_kept_for_its_next_park);
    test_add(suite, a_park_for_too_long_ends_the_function_with_a_code);
    test_add(suite, a_park_until_never_is_a_park);
#if PT_AWAIT
    test_add(suite, an_awaited_function_parks_for_a_time);
#endif
#if PT_PAUSE
    test_add(suite, a_pause_holds_a_park_that_is_over);
#endif
#if PT_CANCEL
    test_add(suite, a_cancel_ends_a_park_with_a_time);
#endif
#if PT_TIMEOUTS
    test_add(suite, a_block_ends_a_park_with_a_later_time);
    test_add(suite, a_park_ends_before_the_blocks_around_it);
    test_add(suite, a_park_whose_time_is_that_of_its_block_counts);
    test_add(suite, a_wake_leaves_the_deadlines_of_the_blocks);
    test_add(suite, a_park_in_a_block_that_is_over_takes_the_wake_that_came_first);
#endif
#if PT_INSPECT
    test_add(suite, a_park_with_a_time_is_shown_as_a_park_and_its_end);
#endif
#if PT_NESTING
    test_add(suite, a_task_of_a_nested_loop_parks_for_a_time);
#endif
#endif
    return suite;
}
