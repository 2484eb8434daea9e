/* test_range.c - a delay or deadline too far ahead fails with a code and is never cut
 * SPDX-License-Identifier: MIT */
/* with the room channel: others of its own have some of its names */
#include "test_native.h"

#if PT_PORT && PT_TIMEOUTS

enum way {
    WAIT,
    WAIT_DEADLINE,
    TICK,
    TIMEOUT,
    DEADLINE,
    REARM,
#if PT_SELECTS
    AFTER,
    UNTIL,
#endif
    WAYS
};

struct far {
    struct pt pt;
    struct pt_scope limit;
    struct pt_ticker ticker;
#if PT_SELECTS
    PT_SELECTION(2) next;
    struct pt_event other; /* never set: PT_DEBUG stops if no case can come true */
#endif
    enum way way;
    uint64_t delay; /* can have more bits than pt_time */
};

/* Waits for the delay in the given way. The function ends with a code if the way refuses the
 * delay. */
static PT_ASYNC(far, self)
{
    if (self->way == WAIT) {
        PT_WAIT(self->delay);
    } else if (self->way == WAIT_DEADLINE) {
        PT_WAIT_DEADLINE(PT_NOW() + self->delay);
    } else if (self->way == TICK) {
        pt_ticker_start(&self->ticker, PT_NOW(), self->delay, PT_TICKS_BURST);
        PT_WAIT_TICK(&self->ticker);
    } else if (self->way == TIMEOUT) {
        PT_WITH_TIMEOUT(&self->limit, self->delay) {
            PT_PARK();
        }
    } else if (self->way == DEADLINE) {
        PT_WITH_DEADLINE(&self->limit, PT_NOW() + self->delay) {
            PT_PARK();
        }
    } else if (self->way == REARM) {
        PT_WITH_TIMEOUT(&self->limit, PT_MS(1)) {
            PT_REARM(&self->limit, self->delay);
            if (self->pt.status != PT_OK)
                PT_RETURN(self->pt.status);
            PT_PARK();
        }
    }
#if PT_SELECTS
    if (self->way == AFTER)
        PT_SELECT(&self->next, PT_CASE_AFTER(self->delay));
    if (self->way == UNTIL)
        PT_SELECT(&self->next, PT_CASE_UNTIL(PT_NOW() + self->delay), PT_CASE_EVENT(&self->other));
    if (self->way >= AFTER && self->pt.status != PT_OK)
        PT_RETURN(self->pt.status);
#endif
    trace_add("%d ", test_ms(PT_NOW()));
}
PT_END

static PT_TASK(far) task;

/* Check what the way does with the delay: a code, or the milliseconds after which it continued. */
static void run_far(enum way way, uint64_t delay, pt_status status, const char *trace)
{
    test_zero(task);
    test_open(&world);
    PT_START(&world.loop, &task, far, .way = way, .delay = delay);
    ck_assert_int_eq(pt_loop_run(&world.loop), PT_OK);
    ck_assert_int_eq(pt_task_status(&task.task), status);
    ck_assert_trace(trace);
    test_close(&world);
}

START_TEST(a_deadline_that_never_comes_is_refused_in_each_wait)
{
    if (PT_DEBUG)
        return; /* it stops: test/misuse/delay_long.c */
    run_far(WAIT, PT_DELAY_NEVER, PT_ERANGE, "");
    run_far(WAIT_DEADLINE, PT_DELAY_NEVER, PT_ERANGE, "");
    run_far(TICK, PT_DELAY_NEVER, PT_ERANGE, "");
    run_far(REARM, PT_DELAY_NEVER, PT_ERANGE, "");
#if PT_SELECTS
    run_far(AFTER, PT_DELAY_NEVER, PT_ERANGE, "");
#endif
}
END_TEST

#if PT_CANCEL
START_TEST(a_deadline_that_never_comes_ends_no_block_and_is_no_case)
{
    for (int way = 0; way < WAYS; way++) {
        if (way != DEADLINE && way != TIMEOUT PT_IF_(PT_SELECTS, &&way != UNTIL))
            continue;
        test_zero(task);
        test_open(&world);
        PT_START(&world.loop, &task, far, .way = (enum way)way, .delay = PT_DELAY_NEVER);
        ck_assert_int_eq(pt_loop_run(&world.loop), PT_EDEADLK);
        ck_assert_uint_eq(world.clock.now, TEST_START);
        pt_cancel(&task.task, PT_ECANCELED);
        ck_assert_int_eq(pt_loop_run(&world.loop), PT_OK);
        ck_assert_int_eq(pt_task_status(&task.task), PT_ECANCELED);
        ck_assert_trace("");
        test_close(&world);
    }
}
END_TEST
#endif

START_TEST(a_ticker_refuses_a_period_longer_than_never)
{
    run_far(TICK, (uint64_t)PT_DELAY_NEVER + 1, PT_ERANGE, "");
    run_far(TICK, (pt_time) ~(pt_time)0, PT_ERANGE, "");
}
END_TEST

START_TEST(a_short_delay_is_accepted_in_each_wait)
{
    for (int way = WAIT; way < WAYS; way++)
        run_far((enum way)way, PT_MS(2), PT_OK, "2 ");
}
END_TEST

#if PT_TIME_BITS < 64
START_TEST(a_delay_with_too_many_bits_is_refused_in_each_wait)
{
    if (PT_DEBUG)
        return;                                         /* it stops: test/misuse/delay_long.c */
    const uint64_t round = (uint64_t)1 << PT_TIME_BITS; /* cut to pt_time, it would be 0 */

    for (int way = WAIT; way < WAYS; way++) {
        run_far((enum way)way, round + PT_MS(2), PT_ERANGE, "");
        run_far((enum way)way, UINT64_C(5000000000), PT_ERANGE, "");
        run_far((enum way)way, ((uint64_t)1 << 48) + PT_MS(2), PT_ERANGE, "");
    }
}
END_TEST
#endif

#if TEST_NATIVE

static pt_status wait_far(struct pt_native *self)
{
    struct pt_ticker ticker;
    struct pt_scope limit;
    uint64_t delay = (uint64_t)PT_DELAY_NEVER + (PT_TIME_BITS < 64 ? (uint64_t)1 << 48 : 1u);

    ck_assert_int_eq(pt_native_wait(self, delay), PT_ERANGE);
    ck_assert_int_eq(pt_native_wait_deadline(self, pt_native_now(self) + PT_DELAY_NEVER),
                     PT_ERANGE);
    pt_ticker_start(&ticker, pt_native_now(self), delay, PT_TICKS_SKIP);
    ck_assert_int_eq(pt_native_wait_tick(self, &ticker), PT_ERANGE);
    ck_assert_int_eq(pt_native_timeout(self, &limit, delay), PT_ERANGE);
    ck_assert_int_eq(pt_native_timeout(self, &limit, PT_MS(1)), PT_OK);
    ck_assert_int_eq(pt_native_rearm(self, &limit, delay), PT_ERANGE);
    ck_assert(!pt_native_timeout_end(self, &limit));
#if PT_TIME_BITS < 64
    ck_assert_int_eq(pt_native_wait_deadline(self, pt_native_now(self) + delay), PT_ERANGE);
    ck_assert_int_eq(pt_native_deadline(self, &limit, pt_native_now(self) + delay), PT_ERANGE);
#endif
    return PT_OK;
}

START_TEST(a_native_body_cannot_wait_for_a_time_too_far_ahead)
{
    open_natives();
    start(0, wait_far);
    ck_assert_int_eq(pt_loop_run(&world.loop), PT_OK);
    ck_assert_int_eq(pt_task_status(&natives[0].task), PT_OK);
    test_close(&world);
}
END_TEST

#endif
#endif

Suite *suite_range(void)
{
    Suite *suite = test_suite("range");

#if PT_PORT && PT_TIMEOUTS
    test_add(suite, a_deadline_that_never_comes_is_refused_in_each_wait);
#if PT_CANCEL
    test_add(suite, a_deadline_that_never_comes_ends_no_block_and_is_no_case);
#endif
    test_add(suite, a_ticker_refuses_a_period_longer_than_never);
    test_add(suite, a_short_delay_is_accepted_in_each_wait);
#if PT_TIME_BITS < 64
    test_add(suite, a_delay_with_too_many_bits_is_refused_in_each_wait);
#endif
#if TEST_NATIVE
    test_add(suite, a_native_body_cannot_wait_for_a_time_too_far_ahead);
#endif
#endif
    return suite;
}
