/* test_rearm.c - a timeout is put off or brought forward while its block is open
 * SPDX-License-Identifier: MIT */
#include "pt_test.h"

#if PT_TIMEOUTS

static struct test_world world;

static void run_world(const char *trace)
{
    ck_assert_int_eq(pt_loop_run(&world.loop), PT_OK);
    ck_assert_trace(trace);
    test_close(&world);
}

struct helper {
    struct pt pt;
    struct pt_scope *limit;
    pt_time delay;
};

/* Puts its caller's timeout off. */
static PT_ASYNC(helper, self)
{
    PT_WAIT(PT_MS(1));
    PT_REARM(self->limit, self->delay);
    trace_add("%d ", self->pt.status);
    PT_PARK();
}
PT_END

struct rearm {
    struct pt pt;
    struct pt_scope limit;
    struct helper helper;
    pt_time first, second;
};

static PT_ASYNC(rearm, self)
{
    PT_WITH_TIMEOUT(&self->limit, self->first) {
        PT_WAIT_COMPLETE(&self->helper, helper, .limit = &self->limit, .delay = self->second);
    }
    trace_add("late%d@%d ", pt_timed_out(&self->limit), test_ms(PT_NOW()));
    PT_REARM(&self->limit, PT_MS(1));
    trace_add("%d ", self->pt.status);
}
PT_END

static void run_rearm(pt_time first, pt_time second, const char *trace)
{
    static PT_TASK(rearm) rearm;

    test_zero(rearm);
    test_open(&world);
    PT_START(&world.loop, &rearm, rearm, .first = first, .second = second);
    run_world(trace);
}

START_TEST(a_timeout_is_put_off_or_brought_forward)
{
    run_rearm(PT_MS(3), PT_MS(6), "0 late1@7 -3 ");
    run_rearm(PT_MS(9), PT_MS(2), "0 late1@3 -3 ");
    run_rearm(PT_MS(3), 0, "0 late1@1 -3 ");
    run_rearm(PT_DELAY_NEVER, PT_MS(2), "0 late1@3 -3 ");
}
END_TEST

START_TEST(a_timeout_is_not_put_off_for_too_long)
{
    run_rearm(PT_MS(3), PT_DELAY_NEVER, "-5 late1@3 -3 ");
    run_rearm(PT_MS(3), (pt_time) ~(pt_time)0, "-5 late1@3 -3 ");
}
END_TEST

/* Misses a deadline where it cannot be interrupted, and is given more time there. */
struct slow {
    struct pt pt;
    struct pt_scope *limit;
};

static PT_ASYNC(slow, self)
{
    PT_FINALLY
    PT_WAIT(PT_MS(5));
    PT_REARM(self->limit, PT_MS(2));
}
PT_END

struct patron {
    struct pt pt;
    struct pt_scope limit;
    struct slow slow;
};

static PT_ASYNC(patron, self)
{
    PT_WITH_TIMEOUT(&self->limit, PT_MS(3)) {
        PT_WAIT_COMPLETE(&self->slow, slow, .limit = &self->limit);
        trace_add("on@%d ", test_ms(PT_NOW()));
        PT_PARK();
    }
    trace_add("late%d@%d ", pt_timed_out(&self->limit), test_ms(PT_NOW()));
}
PT_END

START_TEST(a_deadline_that_was_missed_in_a_cleanup_is_forgiven)
{
    static PT_TASK(patron) patron;

    test_zero(patron);
    test_open(&world);
    PT_START(&world.loop, &patron, patron);
    run_world("on@5 late1@7 ");
}
END_TEST

#endif

Suite *suite_rearm(void)
{
    Suite *suite = test_suite("rearm");

#if PT_TIMEOUTS
    test_add(suite, a_timeout_is_put_off_or_brought_forward);
    test_add(suite, a_timeout_is_not_put_off_for_too_long);
    test_add(suite, a_deadline_that_was_missed_in_a_cleanup_is_forgiven);
#endif
    return suite;
}
