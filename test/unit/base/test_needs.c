/* test_needs.c - a program that names only a few features means what it means with all of them
 * SPDX-License-Identifier: MIT */
#include "few_features.h"
#define PT_AWAIT 1
#define PT_TIMEOUTS 1
#define PT_NESTING 1
#include "pt_test.h"

static struct pt_loop outer, inner;

struct beat {
    struct pt pt;
};

static PT_ASYNC(beat, self)
{
    for (;;) {
        PT_WAIT(PT_MS(2));
        trace_add("beat@%d ", test_ms(PT_NOW()));
    }
    PT_FINALLY
    trace_add("finally@%d ", test_ms(PT_NOW()));
}
PT_END

/* Runs the inner loop for 5 ms. */
struct guest {
    struct pt pt;
    struct pt_scope limit;
    struct pt_loop_async run;
};

static PT_ASYNC(guest, self)
{
    PT_WITH_TIMEOUT(&self->limit, PT_MS(5)) {
        PT_WAIT_COMPLETE(&self->run, pt_loop_async, .loop = &inner);
    }
    trace_add("limit%d@%d ", pt_timed_out(&self->limit), test_ms(PT_NOW()));
}
PT_END

START_TEST(a_timeout_around_a_nested_loop_ends_its_tasks_where_nobody_named_cancel)
{
    static PT_TASK(beat) beat;
    static PT_TASK(guest) guest;

    test_zero(beat);
    test_zero(guest);
    pt_loop_init(&outer, TEST_START);
    pt_loop_init(&inner, TEST_START);
    PT_START(&inner, &beat, beat);
    PT_START(&outer, &guest, guest);
    for (int ms = 0; ms < 8; ms++)
        pt_loop_turn(&outer, test_at(ms));
    ck_assert_trace("beat@2 beat@4 finally@5 limit1@5 ");
    ck_assert_uint_eq(pt_loop_live(&inner), 0);
}
END_TEST

Suite *suite_needs(void)
{
    Suite *suite = test_suite("needs");

    test_add(suite, a_timeout_around_a_nested_loop_ends_its_tasks_where_nobody_named_cancel);
    return suite;
}
