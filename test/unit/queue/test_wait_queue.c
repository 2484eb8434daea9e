/* test_wait_queue.c - a queue of waiters: popped in order, and any node can leave
 * SPDX-License-Identifier: MIT */
/* with the room coroutine: others of its own have some of its names */
#include "pt_test.h"

#if PT_HAS_WAIT_QUEUES_

enum { NODES = 5 };

static struct pt_node nodes[NODES];
static struct pt_wait_queue_ line;

/* Push all nodes in order. */
static void stand_in_line(void)
{
    pt_wait_queue_init_(&line);
    for (int i = 0; i < NODES; i++)
        pt_wait_queue_push_(&line, &nodes[i]);
}

static void serve_all(void)
{
    while (pt_wait_queue_first_(&line))
        trace_add("%d ", (int)(pt_wait_queue_pop_(&line) - nodes));
}

START_TEST(an_empty_queue_of_waiters_has_no_first)
{
    pt_wait_queue_init_(&line);
    ck_assert(pt_wait_queue_empty_(&line));
    ck_assert_ptr_eq(pt_wait_queue_first_(&line), NULL);
}
END_TEST

START_TEST(waiters_are_popped_in_the_order_in_which_they_came)
{
    stand_in_line();
    ck_assert_ptr_eq(pt_wait_queue_first_(&line), &nodes[0]);
    ck_assert(!pt_wait_queue_empty_(&line));
    serve_all();
    ck_assert_trace("0 1 2 3 4 ");
}
END_TEST

START_TEST(a_queue_of_waiters_can_be_used_again_after_it_was_emptied)
{
    stand_in_line();
    serve_all();
    pt_wait_queue_push_(&line, &nodes[3]);
    pt_wait_queue_push_(&line, &nodes[1]);
    serve_all();
    ck_assert_trace("0 1 2 3 4 3 1 ");
}
END_TEST

START_TEST(a_waiter_that_comes_while_others_are_popped_is_the_last)
{
    stand_in_line();
    pt_wait_queue_push_(&line, pt_wait_queue_pop_(&line));
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
        pt_wait_remove_(&nodes[leaver]);
        memmove(rest + 2 * leaver, rest + 2 * leaver + 2, sizeof rest - 2 * (size_t)leaver - 2);
        serve_all();
        ck_assert_trace(rest);
    }
}
END_TEST

START_TEST(a_waiter_that_left_can_come_back)
{
    stand_in_line();
    for (int i = 0; i < NODES; i++) { /* all leave; in between the queue is empty */
        pt_wait_remove_(&nodes[i]);
        if (i == NODES - 1)
            ck_assert_ptr_eq(pt_wait_queue_first_(&line), NULL);
    }
    pt_wait_queue_push_(&line, &nodes[2]);
    pt_wait_queue_push_(&line, &nodes[0]);
    serve_all();
    ck_assert_trace("2 0 ");
}
END_TEST

START_TEST(a_walk_over_the_waiters_ends_after_the_last)
{
    stand_in_line();
    for (const struct pt_node *node = pt_wait_queue_first_(&line); node;
         node = pt_wait_queue_next_(&line, node))
        trace_add("%d ", (int)(node - nodes));
    ck_assert_trace("0 1 2 3 4 ");
}
END_TEST

#endif
#endif

Suite *suite_wait_queue(void)
{
    Suite *suite = test_suite("wait_queue");

#if PT_HAS_WAIT_QUEUES_
    test_add(suite, an_empty_queue_of_waiters_has_no_first);
    test_add(suite, waiters_are_popped_in_the_order_in_which_they_came);
    test_add(suite, a_queue_of_waiters_can_be_used_again_after_it_was_emptied);
    test_add(suite, a_waiter_that_comes_while_others_are_popped_is_the_last);
#if PT_HAS_LEAVERS_
    test_add(suite, any_waiter_can_leave);
    test_add(suite, a_waiter_that_left_can_come_back);
    test_add(suite, a_walk_over_the_waiters_ends_after_the_last);
#endif
#endif
    return suite;
}
