/* test_waits.c - a queue of waiters: served in order, and left by whoever likes
 * SPDX-License-Identifier: MIT */
#include "pt_test.h"

#if PT_HAS_WAITS_

enum { NODES = 5 };

static struct pt_node nodes[NODES];
static struct pt_waits line;

/* All NODES in line, in order. */
static void stand_in_line(void)
{
    pt_waits_init(&line);
    for (int i = 0; i < NODES; i++)
        pt_waits_push(&line, &nodes[i]);
}

static void serve_all(void)
{
    while (pt_waits_first(&line))
        trace_add("%d ", (int)(pt_waits_pop(&line) - nodes));
}

START_TEST(an_empty_queue_of_waiters_has_no_first)
{
    pt_waits_init(&line);
    ck_assert(pt_waits_empty(&line));
    ck_assert_ptr_eq(pt_waits_first(&line), NULL);
}
END_TEST

START_TEST(waiters_are_served_in_the_order_in_which_they_came)
{
    stand_in_line();
    ck_assert_ptr_eq(pt_waits_first(&line), &nodes[0]);
    ck_assert(!pt_waits_empty(&line));
    serve_all();
    ck_assert_trace("0 1 2 3 4 ");
}
END_TEST

START_TEST(a_queue_of_waiters_that_was_served_takes_others)
{
    stand_in_line();
    serve_all();
    pt_waits_push(&line, &nodes[3]);
    pt_waits_push(&line, &nodes[1]);
    serve_all();
    ck_assert_trace("0 1 2 3 4 3 1 ");
}
END_TEST

START_TEST(who_comes_while_others_are_served_is_the_last)
{
    stand_in_line();
    pt_waits_push(&line, pt_waits_pop(&line));
    serve_all();
    ck_assert_trace("1 2 3 4 0 ");
}
END_TEST

#if PT_HAS_LEAVERS_

START_TEST(any_waiter_can_leave)
{
    for (int leaver = 0; leaver < NODES; leaver++) {
        char rest[2 * NODES + 1] = "0 1 2 3 4 ";

        stand_in_line();
        pt_waits_remove(&nodes[leaver]);
        memmove(rest + 2 * leaver, rest + 2 * leaver + 2, sizeof rest - 2 * (size_t)leaver - 2);
        serve_all();
        ck_assert_trace(rest);
    }
}
END_TEST

START_TEST(a_waiter_who_left_can_come_back)
{
    stand_in_line();
    for (int i = 0; i < NODES; i++) { /* all leave, and the queue is empty in between */
        pt_waits_remove(&nodes[i]);
        if (i == NODES - 1)
            ck_assert_ptr_eq(pt_waits_first(&line), NULL);
    }
    pt_waits_push(&line, &nodes[2]);
    pt_waits_push(&line, &nodes[0]);
    serve_all();
    ck_assert_trace("2 0 ");
}
END_TEST

START_TEST(a_walk_over_the_waiters_ends_behind_the_last)
{
    stand_in_line();
    for (const struct pt_node *node = pt_waits_first(&line); node;
         node = pt_waits_next(&line, node))
        trace_add("%d ", (int)(node - nodes));
    ck_assert_trace("0 1 2 3 4 ");
}
END_TEST

#endif
#endif

Suite *suite_waits(void)
{
    Suite *suite = test_suite("waits");

#if PT_HAS_WAITS_
    test_add(suite, an_empty_queue_of_waiters_has_no_first);
    test_add(suite, waiters_are_served_in_the_order_in_which_they_came);
    test_add(suite, a_queue_of_waiters_that_was_served_takes_others);
    test_add(suite, who_comes_while_others_are_served_is_the_last);
#if PT_HAS_LEAVERS_
    test_add(suite, any_waiter_can_leave);
    test_add(suite, a_waiter_who_left_can_come_back);
    test_add(suite, a_walk_over_the_waiters_ends_behind_the_last);
#endif
#endif
    return suite;
}
