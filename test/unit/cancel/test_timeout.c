/* test_timeout.c - blocks that end when their time is over: which block, where, and how else
 * SPDX-License-Identifier: MIT */
#include "pt_test.h"

#if PT_PORT

#if PT_TIMEOUTS

/* --- two blocks in one function ------------------------------------------------------------ */

/* Does one thing in its inner block: p parks, w waits 2 ms, y yields forever, b breaks, c
 * continues, r returns. `more`: it parks in the outer block, too. */
struct twice {
    struct pt pt;
    struct pt_scope outer, inner;
    pt_time out, in;
    char how;
    bool more;
};

static void report(const char *what, const struct twice *self, const struct pt_scope *scope,
                   pt_time now)
{
    trace_add("%s%d:%d@%d ", what, pt_timed_out(scope), self->pt.status, test_ms(now));
}

static PT_ASYNC(twice, self)
{
    PT_WITH_TIMEOUT(&self->outer, self->out) {
        PT_WITH_TIMEOUT(&self->inner, self->in) {
            if (self->how == 'p')
                PT_PARK();
            else if (self->how == 'w')
                PT_WAIT(PT_MS(2));
            else if (self->how == 'b')
                break;
            else if (self->how == 'c')
                continue;
            else if (self->how == 'r')
                PT_RETURN((pt_status)-70);
            while (self->how == 'y')
                PT_YIELD();
            trace_add("end@%d ", test_ms(PT_NOW()));
        }
        report("in", self, &self->inner, PT_NOW());
        if (self->more)
            PT_PARK();
    }
    report("out", self, &self->outer, PT_NOW());
    PT_FINALLY
    trace_add("[%d", self->pt.result);
    PT_WITH_TIMEOUT(&self->inner, PT_MS(1)) { /* however they were left, both are free again */
        PT_WITH_TIMEOUT(&self->outer, PT_MS(3)) {
            PT_PARK();
        }
    }
    trace_add("]%d%d@%d ", pt_timed_out(&self->inner), pt_timed_out(&self->outer),
              test_ms(PT_NOW()));
}
PT_END

static PT_TASK(twice) two;

static void start_two(pt_time out, pt_time in, char how, bool more)
{
    test_zero(two);
    test_open(&world);
    ck_assert_int_eq(
        PT_START(&world.loop, &two, twice, .out = out, .in = in, .how = how, .more = more), PT_OK);
}

static void run_two(pt_time out, pt_time in, char how, bool more, const char *trace)
{
    start_two(out, in, how, more);
    run_world(trace);
}

START_TEST(of_two_timeouts_the_earlier_ends_its_block)
{
    run_two(PT_MS(3), PT_MS(1), 'p', false, "in1:-7@1 out0:-7@1 [0]10@2 ");
    run_two(PT_MS(3), PT_MS(1), 'p', true, "in1:-7@1 out1:-7@3 [0]10@4 ");
    run_two(PT_MS(1), PT_MS(3), 'p', true, "out1:-7@1 [0]10@2 ");
}
END_TEST

START_TEST(of_two_timeouts_at_one_tick_the_outer_ends_its_block)
{
    run_two(PT_MS(3), PT_MS(3), 'p', true, "out1:-7@3 [0]10@4 ");
}
END_TEST

START_TEST(a_block_that_is_done_in_time_does_not_time_out)
{
    run_two(PT_MS(4), PT_MS(3), 'w', false, "end@2 in0:0@2 out0:0@2 [0]10@3 ");
    run_two(PT_MS(4), PT_MS(3), 'w', true, "end@2 in0:0@2 out1:-7@4 [0]10@5 ");
}
END_TEST

START_TEST(a_timeout_of_zero_ends_the_block_at_its_first_wait)
{
    run_two(PT_MS(9), 0, 'p', false, "in1:-7@0 out0:-7@0 [0]10@1 ");
    run_two(0, PT_MS(9), 'w', false, "out1:-7@0 [0]10@1 ");
    run_two(0, 0, 'n', false, "end@0 in0:0@0 out0:0@0 [0]10@1 "); /* it has no wait */
}
END_TEST

/* Yields, or waits for 0, in a block whose time is over from the start. */
struct brisk {
    struct pt pt;
    struct pt_scope limit;
    int waits, times;
};

static PT_ASYNC(brisk, self)
{
    PT_WITH_TIMEOUT(&self->limit, 0) {
        if (self->waits > 1)
            PT_REARM(&self->limit, PT_MS(5));
        for (; self->waits < 2 || self->times < 2; self->times++) {
            if (self->waits)
                PT_WAIT(0);
            else
                PT_YIELD();
        }
    }
    trace_add("%d:%d ", self->times, pt_timed_out(&self->limit));
}
PT_END

START_TEST(a_timeout_of_zero_ends_the_block_at_its_first_yield)
{
    for (int waits = 0; waits < 2; waits++) {
        static PT_TASK(brisk) brisk;

        test_zero(brisk);
        test_open(&world);
        PT_START(&world.loop, &brisk, brisk, .waits = waits);
        run_world("0:1 ");
    }
}
END_TEST

#if PT_AWAIT
/* Is over at once, so its end is no wait. */
struct prompt {
    struct pt pt;
    int value;
};

static PT_ASYNC(prompt, self)
{
    self->value = 7;
}
PT_END

/* Opens a block whose time is over: by a timeout, a deadline in the past, or a rearm. In the block it awaits. */
struct impatient {
    struct pt pt;
    struct pt_scope limit;
    struct prompt prompt;
    pt_time time;
};

static PT_ASYNC(impatient, self)
{
    PT_WITH_DEADLINE(&self->limit, (pt_time)(PT_NOW() + self->time)) {
        if (self->time == PT_MS(1))
            PT_REARM(&self->limit, 0);
        PT_WAIT_COMPLETE(&self->prompt, prompt);
        trace_add("%d ", self->prompt.value);
        PT_YIELD();
        trace_add("late ");
    }
    trace_add("%d@%d ", pt_timed_out(&self->limit), test_ms(PT_NOW()));
}
PT_END

START_TEST(in_a_block_whose_time_is_over_only_a_wait_or_a_yield_ends_it)
{
    const pt_time times[] = {0, (pt_time)((pt_time)0 - 9), PT_MS(1)};

    for (int i = 0; i < 3; i++) {
        static PT_TASK(impatient) impatient;

        test_zero(impatient);
        test_open(&world);
        PT_START(&world.loop, &impatient, impatient, .time = times[i]);
        run_world("7 1@0 ");
    }
}
END_TEST
#endif

START_TEST(a_rearm_after_a_timeout_of_zero_gives_the_block_its_time)
{
    static PT_TASK(brisk) brisk;

    test_zero(brisk);
    test_open(&world);
    PT_START(&world.loop, &brisk, brisk, .waits = 2);
    run_world("2:0 ");
}
END_TEST

START_TEST(break_continue_and_return_leave_a_block)
{
    run_two(PT_MS(1), PT_MS(1), 'b', false, "in0:0@0 out0:0@0 [0]10@1 ");
    run_two(PT_MS(1), PT_MS(1), 'c', false, "in0:0@0 out0:0@0 [0]10@1 ");
    run_two(PT_MS(1), PT_MS(1), 'b', true, "in0:0@0 out1:-7@1 [0]10@2 ");
    run_two(PT_MS(1), PT_MS(1), 'r', false, "[-70]10@1 ");
    ck_assert_int_eq(pt_task_status(&two.task), -70);
}
END_TEST

START_TEST(a_task_that_never_waits_is_timed_out)
{
    pt_time now = TEST_START;

    start_two(PT_MS(9), PT_MS(3), 'y', false);
    for (int i = 0; i < 20; i++) /* always ready: the test moves the clock */
        pt_loop_turn(&world.loop, now += PT_MS(1));
    /* opened @1; the yield that ended @4 counts, the next one does not */
    ck_assert_trace("in1:-7@5 out0:-7@5 [0]10@6 ");
    test_close(&world);
}
END_TEST

START_TEST(a_block_can_have_a_timeout_of_never)
{
    run_two(PT_MS(1), PT_DELAY_NEVER, 'p', false, "out1:-7@1 [0]10@2 ");
    start_two(PT_DELAY_NEVER, PT_DELAY_NEVER, 'p', true);
    ck_assert_int_eq(pt_loop_run(&world.loop), PT_EDEADLK);
    pt_wake(&two.task);
    ck_assert_int_eq(pt_loop_run(&world.loop), PT_EDEADLK);
    pt_wake(&two.task);
    run_world("end@0 in0:0@0 out0:0@0 [0]10@1 ");
}
END_TEST

START_TEST(a_timeout_of_never_does_not_end_when_the_clock_wraps)
{
    start_two(PT_DELAY_NEVER, PT_DELAY_NEVER, 'p', false);
    for (pt_time now = TEST_START, i = 0; i < 5; i++, now += PT_DELAY_NEVER / 2)
        ck_assert_uint_eq(pt_loop_turn(&world.loop, now), (pt_time)(now + PT_DELAY_NEVER));
    ck_assert_trace("");
    pt_wake(&two.task);
    ck_assert_int_eq(pt_loop_run(&world.loop), PT_OK);
    trace_take();
    test_close(&world);
}
END_TEST

START_TEST(a_timeout_that_is_too_long_ends_the_function_with_a_code)
{
    if (PT_DEBUG)
        return; /* it stops: test/misuse/delay_long.c */
    run_two((pt_time)(PT_DELAY_NEVER + 1), 0, 'p', false, "[-5]10@1 ");
    run_two(PT_MS(1), (pt_time)(PT_DELAY_NEVER + 2), 'p', false, "[-5]10@1 ");
    ck_assert_int_eq(pt_task_status(&two.task), PT_ERANGE);
}
END_TEST

#if !PT_DEBUG
struct twice_limited {
    struct pt pt;
    struct pt_scope limit;
};

static PT_ASYNC(twice_limited, self)
{
    PT_WITH_TIMEOUT(&self->limit, PT_MS(2)) {
        PT_WITH_TIMEOUT(&self->limit, PT_MS(1)) {
            trace_add("never ");
        }
        trace_add("never ");
    }
    trace_add("never ");
}
PT_END

START_TEST(a_scope_in_use_ends_the_function_with_a_code)
{
    static PT_TASK(twice_limited) task;

    test_open(&world);
    test_zero(task);
    PT_START(&world.loop, &task, twice_limited);
    run_world("");
    ck_assert_int_eq(pt_task_status(&task.task), PT_EBUSY);
}
END_TEST
#endif

START_TEST(a_delay_is_too_long_from_never_on)
{
    static const pt_time fit[] = {0, 1, PT_DELAY_MAX - 1, PT_DELAY_MAX};
    static const pt_time too_long[] = {PT_DELAY_NEVER, (pt_time)(PT_DELAY_NEVER + 1), (pt_time)-2,
                                       (pt_time)-1};

    for (int i = 0; i < 4; i++) {
        ck_assert(!pt_is_too_long_(fit[i]));
        ck_assert(pt_is_too_long_(too_long[i]));
    }
}
END_TEST

START_TEST(the_longest_timeout_passes)
{
    start_two(PT_DELAY_MAX, PT_DELAY_NEVER, 'p', false);
    ck_assert_uint_eq(pt_loop_turn(&world.loop, TEST_START), (pt_time)(TEST_START + PT_DELAY_MAX));
    world.clock.now = (pt_time)(TEST_START + PT_DELAY_MAX - 1);
    pt_loop_turn(&world.loop, world.clock.now);
    ck_assert_trace("");
    ck_assert_int_eq(pt_loop_run(&world.loop), PT_OK);
    ck_assert(!strncmp(trace_take(), "out1:-7", 7));
    ck_assert_uint_eq(world.clock.now, (pt_time)(TEST_START + PT_DELAY_MAX + PT_MS(1)));
    test_close(&world);
}
END_TEST

#if PT_PAUSE
START_TEST(a_timeout_of_a_paused_task_ends_its_block_after_the_resume)
{
    start_two(PT_MS(9), PT_MS(3), 'p', false);
    pt_loop_turn(&world.loop, TEST_START);
    pt_pause(&two.task);
    pt_loop_turn(&world.loop, test_at(3));
    pt_loop_turn(&world.loop, test_at(5));
    ck_assert_trace("");
    pt_resume(&two.task);
    world.clock.now = test_at(5);
    run_world("in1:-7@5 out0:-7@5 [0]10@6 ");
}
END_TEST
#endif

#if PT_CANCEL
START_TEST(a_cancel_leaves_all_blocks)
{
    start_two(PT_MS(3), PT_MS(2), 'p', false);
    pt_loop_turn(&world.loop, TEST_START);
    pt_cancel(&two.task, (pt_status)-71);
    run_world("[-71]10@1 ");
}
END_TEST
#endif

/* --- a deadline, and a block in a loop ------------------------------------------------------ */

struct rounds {
    struct pt pt;
    struct pt_scope limit;
    pt_time deadline;
    int i;
};

static PT_ASYNC(rounds, self)
{
    for (self->i = 1; self->i <= 3; self->i++) {
        PT_WITH_DEADLINE(&self->limit, self->deadline) {
            if (self->i == 3)
                break; /* out of the block, not of the loop */
            PT_WAIT(PT_MS(2));
            trace_add("waited ");
        }
        trace_add("%d:%d@%d ", self->i, pt_timed_out(&self->limit), test_ms(PT_NOW()));
    }
}
PT_END

static void run_rounds(int start, int deadline, const char *trace)
{
    static PT_TASK(rounds) rounds;

    test_zero(rounds);
    test_open(&world);
    world.clock.now = test_at(start);
    PT_START(&world.loop, &rounds, rounds, .deadline = test_at(deadline));
    run_world(trace);
}

START_TEST(several_blocks_can_share_a_deadline)
{
    run_rounds(0, 1, "1:1@1 2:1@1 3:0@1 ");
    run_rounds(0, 3, "waited 1:0@2 2:1@3 3:0@3 ");
}
END_TEST

START_TEST(a_deadline_that_has_passed_ends_the_block_at_its_first_wait)
{
    run_rounds(4, 4, "1:1@4 2:1@4 3:0@4 ");
    run_rounds(4, 2, "1:1@4 2:1@4 3:0@4 "); /* before the clock wrapped */
}
END_TEST

#endif

Suite *suite_timeout(void)
{
    Suite *suite = test_suite("timeout");

#if PT_TIMEOUTS
    test_add(suite, of_two_timeouts_the_earlier_ends_its_block);
    test_add(suite, of_two_timeouts_at_one_tick_the_outer_ends_its_block);
    test_add(suite, a_block_that_is_done_in_time_does_not_time_out);
    test_add(suite, a_timeout_of_zero_ends_the_block_at_its_first_wait);
    test_add(suite, a_timeout_of_zero_ends_the_block_at_its_first_yield);
#if PT_AWAIT
    test_add(suite, in_a_block_whose_time_is_over_only_a_wait_or_a_yield_ends_it);
#endif
    test_add(suite, a_rearm_after_a_timeout_of_zero_gives_the_block_its_time);
    test_add(suite, break_continue_and_return_leave_a_block);
    test_add(suite, a_task_that_never_waits_is_timed_out);
    test_add(suite, a_block_can_have_a_timeout_of_never);
    test_add(suite, a_timeout_of_never_does_not_end_when_the_clock_wraps);
    test_add(suite, a_timeout_that_is_too_long_ends_the_function_with_a_code);
#if !PT_DEBUG
    test_add(suite, a_scope_in_use_ends_the_function_with_a_code);
#endif
    test_add(suite, a_delay_is_too_long_from_never_on);
    test_add(suite, the_longest_timeout_passes);
#if PT_PAUSE
    test_add(suite, a_timeout_of_a_paused_task_ends_its_block_after_the_resume);
#endif
#if PT_CANCEL
    test_add(suite, a_cancel_leaves_all_blocks);
#endif
    test_add(suite, several_blocks_can_share_a_deadline);
    test_add(suite, a_deadline_that_has_passed_ends_the_block_at_its_first_wait);
#endif
    return suite;
}
#else

Suite *suite_timeout(void)
{
    return test_suite("timeout");
}

#endif
