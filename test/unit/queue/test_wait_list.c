/* test_wait_list.c - a wait list: any node can leave; all are popped in the order of arrival
 * SPDX-License-Identifier: MIT */
/* with the room group: others of its own have some of its names */
#include "test_talk.h"

#if PT_PORT

#if PT_HAS_WAIT_QUEUES_

enum { NODES = 5 };

static struct pt_node nodes[NODES];
static struct pt_wait_list_ list;

static void come(int count)
{
    pt_wait_list_init_(&list);
    for (int i = 0; i < count; i++)
        pt_wait_list_push_(&list, &nodes[i]);
}

/* Pop all of WHOM: the last first, or the first first if the list was reversed. */
static void serve_all(struct pt_wait_list_ *whom)
{
    while (whom->first)
        trace_add("%d ", (int)(pt_wait_list_pop_(whom) - nodes));
}

START_TEST(the_last_to_come_is_the_first_of_a_wait_list)
{
    come(3);
    ck_assert_ptr_eq(list.first, &nodes[2]);
    ck_assert_int_eq(wait_list_count(&list), 3);
    serve_all(&list);
    ck_assert_trace("2 1 0 ");
}
END_TEST

START_TEST(a_wait_list_that_is_reversed_is_popped_in_the_order_of_arrival)
{
    struct pt_wait_list_ turned = {NULL};

    come(NODES);
    pt_wait_list_reverse_(&list, &turned);
    ck_assert_ptr_null(list.first);
    serve_all(&turned);
    ck_assert_trace("0 1 2 3 4 ");
    pt_wait_list_reverse_(&list, &turned); /* of an empty list */
    ck_assert_ptr_null(turned.first);
}
END_TEST

#if PT_HAS_LEAVERS_
START_TEST(any_node_can_leave_a_wait_list)
{
    for (int leaver = 0; leaver < NODES; leaver++)
        for (int turns = 0; turns < 2; turns++) { /* also a reversed list */
            struct pt_wait_list_ turned = {NULL};
            char rest[2 * NODES + 1] = "0 1 2 3 4 ";

            come(NODES);
            if (turns)
                pt_wait_list_reverse_(&list, &turned);
            pt_wait_remove_(&nodes[leaver]);
            memmove(rest + 2 * leaver, rest + 2 * leaver + 2, sizeof rest - 2 * (size_t)leaver - 2);
            if (!turns)
                pt_wait_list_reverse_(&list, &turned);
            serve_all(&turned);
            ck_assert_trace(rest);
        }
}
END_TEST

START_TEST(a_node_that_left_a_wait_list_can_come_again)
{
    come(2);
    pt_wait_remove_(&nodes[1]);
    pt_wait_remove_(&nodes[0]);
    ck_assert_ptr_null(list.first);
    pt_wait_list_push_(&list, &nodes[1]);
    pt_wait_list_push_(&list, &nodes[0]);
    serve_all(&list);
    ck_assert_trace("0 1 ");
}
END_TEST
#endif

#endif

Suite *suite_wait_list(void)
{
    Suite *suite = test_suite("wait_list");

#if PT_HAS_WAIT_QUEUES_
    test_add(suite, the_last_to_come_is_the_first_of_a_wait_list);
    test_add(suite, a_wait_list_that_is_reversed_is_popped_in_the_order_of_arrival);
#if PT_HAS_LEAVERS_
    test_add(suite, any_node_can_leave_a_wait_list);
    test_add(suite, a_node_that_left_a_wait_list_can_come_again);
#endif
#endif
    return suite;
}
#else

Suite *suite_wait_list(void)
{
    return test_suite("wait_list");
}

#endif
