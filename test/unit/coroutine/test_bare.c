/* test_bare.c - resumable functions with only a label and no frame
 * SPDX-License-Identifier: MIT */
#include "pt_test.h"

PT_STATIC_ASSERT(sizeof(pt_label) == PT_LABEL_BITS / 8, "one byte of state, or two");

static int blink(pt_label *label)
{
    PT_BARE(*label)
    {
        PT_BARE_YIELD(1);
        PT_BARE_YIELD(0);
        PT_BARE_YIELD(1);
    }
    PT_BARE_END(-1);
}

START_TEST(a_bare_function_needs_a_label_and_nothing_else)
{
    pt_label label = 0;

    for (int i = 0; i < 6; i++)
        trace_add("%d ", blink(&label));
    ck_assert_trace("1 0 1 -1 -1 -1 ");
}
END_TEST

START_TEST(two_labels_are_two_bare_functions)
{
    pt_label a = 0, b = 0;

    trace_add("%d ", blink(&a));
    trace_add("%d ", blink(&a));
    trace_add("%d ", blink(&b));
    trace_add("%d ", blink(&a));
    ck_assert_trace("1 0 1 1 ");
}
END_TEST

struct counter {
    pt_label label;
    signed char count;
};

/* The struct holds the label and the variable of the loop. */
static int count_down(struct counter *counter)
{
    PT_BARE(counter->label)
    {
        while (counter->count > 0) {
            if (counter->count == 2)
                counter->count--;
            else
                PT_BARE_YIELD(counter->count--);
        }
    }
    PT_BARE_END(0);
}

START_TEST(a_bare_function_loops_on_a_variable_of_its_owner)
{
    struct counter counter = {0, 4};

    for (int i = 0; i < 5; i++)
        trace_add("%d ", count_down(&counter));
    ck_assert_trace("4 3 1 0 0 ");
}
END_TEST

static int open_and_close(pt_label *label)
{
    PT_BARE(*label)
    {
        trace_add("open ");
        PT_BARE_YIELD(1);
        trace_add("close ");
    }
    PT_BARE_END(0);
}

START_TEST(a_bare_function_that_has_ended_only_returns_its_value)
{
    pt_label label = 0;

    for (int i = 0; i < 4; i++)
        trace_add("%d ", open_and_close(&label));
    ck_assert_trace("open 1 close 0 0 0 ");
}
END_TEST

Suite *suite_bare(void)
{
    Suite *suite = test_suite("bare");

    test_add(suite, a_bare_function_needs_a_label_and_nothing_else);
    test_add(suite, two_labels_are_two_bare_functions);
    test_add(suite, a_bare_function_that_has_ended_only_returns_its_value);
    test_add(suite, a_bare_function_loops_on_a_variable_of_its_owner);
    return suite;
}
