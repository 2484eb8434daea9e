/* test_list.c - the stack, the sorted list, the fifo
 * SPDX-License-Identifier: MIT */
/* with the room cancel: others of its own have some of its names */
#include "pt_test.h"

#if PT_TIMERS

static struct pt_node nodes[6];

/* Add the numbers of the nodes from FIRST to a NULL link to the trace. */
static void trace_nodes(const struct pt_node *first)
{
    for (; first; first = first->link.next)
        trace_add("%d ", (int)(first - nodes));
}

START_TEST(a_stack_pops_the_last_node_first)
{
    struct pt_list list;

    pt_list_init(&list);
    ck_assert_ptr_null(list.first);
    for (int i = 0; i < 3; i++)
        pt_list_push(&list, &nodes[i]);
    trace_nodes(list.first);
    ck_assert_trace("2 1 0 ");
    while (list.first)
        trace_nodes((pt_list_pop(&list)->link.next = NULL, list.first));
    ck_assert_trace("1 0 0 ");
}
END_TEST

START_TEST(a_node_can_be_taken_from_anywhere_in_a_list)
{
    struct pt_list list;

    pt_list_init(&list);
    for (int i = 0; i < 5; i++)
        pt_list_push(&list, &nodes[i]);
    pt_list_remove(&list, &nodes[4]);
    pt_list_remove(&list, &nodes[2]);
    pt_list_remove(&list, &nodes[0]);
    trace_nodes(list.first);
    ck_assert_trace("3 1 ");
    pt_list_remove(&list, &nodes[3]);
    pt_list_remove(&list, &nodes[1]);
    ck_assert_ptr_null(list.first);
}
END_TEST

START_TEST(a_sorted_list_keeps_equal_deadlines_in_their_order)
{
    static const unsigned char delays[6] = {4, 1, 4, 0, 1, 9};
    struct pt_list list;

    pt_list_init(&list);
    for (int i = 0; i < 6; i++) {
        nodes[i].at = (pt_time)(TEST_START + delays[i] * PT_MS(1));
        pt_list_add_sorted(&list, &nodes[i]);
    }
    trace_nodes(list.first);
    ck_assert_trace("3 1 4 0 2 5 ");
}
END_TEST

START_TEST(a_sorted_list_sorts_across_the_longest_delay)
{
    struct pt_list list;

    pt_list_init(&list);
    nodes[0].at = (pt_time)(TEST_START + PT_DELAY_MAX);
    nodes[1].at = TEST_START;
    pt_list_add_sorted(&list, &nodes[0]);
    pt_list_add_sorted(&list, &nodes[1]);
    trace_nodes(list.first);
    ck_assert_trace("1 0 ");
}
END_TEST

START_TEST(a_fifo_pops_the_first_node_first)
{
    struct pt_fifo fifo;

    pt_fifo_init(&fifo);
    ck_assert(pt_fifo_empty(&fifo));
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < 3; i++) {
            ck_assert_uint_eq(pt_fifo_count(&fifo), (size_t)i);
            pt_fifo_push(&fifo, &nodes[i]);
            ck_assert(!pt_fifo_empty(&fifo));
        }
        while (!pt_fifo_empty(&fifo))
            trace_add("%d ", (int)(pt_fifo_pop(&fifo) - nodes));
    }
    ck_assert_trace("0 1 2 0 1 2 ");
}
END_TEST

START_TEST(a_push_returns_the_first_node_of_the_fifo)
{
    struct pt_fifo fifo;

    pt_fifo_init(&fifo);
    for (int i = 0; i < 3; i++)
        trace_add("%d ", (int)(pt_fifo_push(&fifo, &nodes[i]) - nodes));
    pt_fifo_pop(&fifo);
    trace_add("%d ", (int)(pt_fifo_push(&fifo, &nodes[3]) - nodes));
    ck_assert_trace("0 0 0 1 ");
}
END_TEST

START_TEST(a_fifo_accepts_a_push_between_two_pops)
{
    struct pt_fifo fifo;

    pt_fifo_init(&fifo);
    pt_fifo_push(&fifo, &nodes[0]);
    pt_fifo_push(&fifo, &nodes[1]);
    trace_add("%d ", (int)(pt_fifo_pop(&fifo) - nodes));
    pt_fifo_push(&fifo, &nodes[2]);
    ck_assert_uint_eq(pt_fifo_count(&fifo), 2);
    trace_add("%d ", (int)(pt_fifo_pop(&fifo) - nodes));
    trace_add("%d ", (int)(pt_fifo_pop(&fifo) - nodes));
    ck_assert(pt_fifo_empty(&fifo));
    ck_assert_trace("0 1 2 ");
}
END_TEST

START_TEST(a_fifo_can_be_emptied_at_once)
{
    struct pt_fifo fifo;

    pt_fifo_init(&fifo);
    ck_assert_ptr_null(pt_fifo_take_all(&fifo));
    for (int i = 0; i < 3; i++)
        pt_fifo_push(&fifo, &nodes[i]);
    trace_nodes(pt_fifo_take_all(&fifo));
    ck_assert_trace("0 1 2 ");
    ck_assert(pt_fifo_empty(&fifo));
    ck_assert_uint_eq(pt_fifo_count(&fifo), 0);
    pt_fifo_push(&fifo, &nodes[4]);
    trace_nodes(pt_fifo_take_all(&fifo));
    ck_assert_trace("4 ");
}
END_TEST

Suite *suite_list(void)
{
    Suite *suite = test_suite("list");

    test_add(suite, a_stack_pops_the_last_node_first);
    test_add(suite, a_node_can_be_taken_from_anywhere_in_a_list);
    test_add(suite, a_sorted_list_keeps_equal_deadlines_in_their_order);
    test_add(suite, a_sorted_list_sorts_across_the_longest_delay);
    test_add(suite, a_fifo_pops_the_first_node_first);
    test_add(suite, a_push_returns_the_first_node_of_the_fifo);
    test_add(suite, a_fifo_accepts_a_push_between_two_pops);
    test_add(suite, a_fifo_can_be_emptied_at_once);
    return suite;
}
#else

Suite *suite_list(void)
{
    return test_suite("list");
}

#endif
