/* test_untimed.c - a loop without timers on a port: it never waits, and reports a deadlock
 * SPDX-License-Identifier: MIT */
#undef PT_TIMERS
#undef PT_TIME_BITS
#undef PT_TICKS_PER_SEC
#undef PT_NESTING
#undef PT_TIMEOUTS
#undef PT_TIMED_PARKS
#undef PT_SINCE
#undef PT_SLOWMO
#undef PT_DEBUG
#define PT_OTHER_KNOBS 1
#define PT_TIMERS PT_TIMERS_NONE
#define PT_NESTING 0
#define PT_SLOWMO 0
#include "pt_test.h"

#if PT_PORT

struct untimed {
    struct pt pt;
    char name;
    int times;
    bool parks;
};

static PT_ASYNC(untimed, self)
{
    for (; self->times > 0; self->times--) {
        trace_add("%c ", self->name);
        PT_YIELD();
    }
    if (self->parks)
        PT_PARK();
    trace_add("%c. ", self->name);
}
PT_END

static PT_TASK(untimed) a, b;
static PT_LOOP_STORAGE(2) storage;
static struct pt_virtual clock_of;
static struct pt_loop loop;

static void open_loop(void)
{
    test_zero(a);
    test_zero(b);
    pt_virtual_init(&clock_of, 0, NULL);
    clock_of.now = TEST_START;
    pt_loop_open(&loop, &clock_of.port);
    pt_loop_use(&loop, &storage);
}

START_TEST(a_loop_without_timers_runs_to_its_end)
{
    open_loop();
    PT_START(&loop, &a, untimed, .name = 'a', .times = 2, .parks = false);
    PT_START(&loop, &b, untimed, .name = 'b', .times = 1, .parks = false);
    ck_assert_int_eq(pt_loop_run(&loop), PT_OK);
    ck_assert_trace("a b a b. a. ");
    ck_assert_uint_eq(clock_of.now, TEST_START);
    pt_loop_close(&loop);
}
END_TEST

START_TEST(a_loop_without_timers_reports_when_nothing_can_wake_its_tasks)
{
    open_loop();
    PT_START(&loop, &a, untimed, .name = 'a', .times = 1, .parks = true);
    ck_assert_int_eq(pt_loop_run(&loop), PT_EDEADLK);
    ck_assert_trace("a ");
    pt_wake(&a.task);
    ck_assert_int_eq(pt_loop_run(&loop), PT_OK);
    ck_assert_trace("a. ");
    pt_loop_close(&loop);
}
END_TEST

Suite *suite_untimed(void)
{
    Suite *suite = test_suite("untimed");

    test_add(suite, a_loop_without_timers_runs_to_its_end);
    test_add(suite, a_loop_without_timers_reports_when_nothing_can_wake_its_tasks);
    return suite;
}
#else

Suite *suite_untimed(void)
{
    return test_suite("untimed");
}

#endif
