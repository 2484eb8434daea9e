/* test_crowd.c - a crowd: one pointer, left by whoever likes, served at once in the order of arrival
 * SPDX-License-Identifier: MIT */
#include "test_talk.h"

#if PT_PORT

#if PT_HAS_WAITS_

enum { NODES = 5 };

static struct pt_node nodes[NODES];
static struct pt_crowd crowd;

static void come(int count)
{
    pt_crowd_init(&crowd);
    for (int i = 0; i < count; i++)
        pt_crowd_push(&crowd, &nodes[i]);
}

/* Serve all of WHOM, the last first; or of a crowd that was turned, the first. */
static void serve_all(struct pt_crowd *whom)
{
    while (whom->first)
        trace_add("%d ", (int)(pt_crowd_pop(whom) - nodes));
}

START_TEST(who_came_last_is_the_first_of_a_crowd)
{
    come(3);
    ck_assert_ptr_eq(crowd.first, &nodes[2]);
    ck_assert_int_eq(crowd_count(&crowd), 3);
    serve_all(&crowd);
    ck_assert_trace("2 1 0 ");
}
END_TEST

START_TEST(a_crowd_that_is_turned_is_served_in_the_order_of_arrival)
{
    struct pt_crowd turned = {NULL};

    come(NODES);
    pt_crowd_turn(&crowd, &turned);
    ck_assert_ptr_null(crowd.first);
    serve_all(&turned);
    ck_assert_trace("0 1 2 3 4 ");
    pt_crowd_turn(&crowd, &turned); /* of nobody */
    ck_assert_ptr_null(turned.first);
}
END_TEST

#if PT_HAS_LEAVERS_
START_TEST(anybody_can_leave_a_crowd)
{
    for (int leaver = 0; leaver < NODES; leaver++)
        for (int turns = 0; turns < 2; turns++) { /* also a crowd that was turned */
            struct pt_crowd turned = {NULL};
            char rest[2 * NODES + 1] = "0 1 2 3 4 ";

            come(NODES);
            if (turns)
                pt_crowd_turn(&crowd, &turned);
            pt_waits_remove(&nodes[leaver]);
            memmove(rest + 2 * leaver, rest + 2 * leaver + 2, sizeof rest - 2 * (size_t)leaver - 2);
            if (!turns)
                pt_crowd_turn(&crowd, &turned);
            serve_all(&turned);
            ck_assert_trace(rest);
        }
}
END_TEST

START_TEST(who_left_a_crowd_may_come_again)
{
    come(2);
    pt_waits_remove(&nodes[1]);
    pt_waits_remove(&nodes[0]);
    ck_assert_ptr_null(crowd.first);
    pt_crowd_push(&crowd, &nodes[1]);
    pt_crowd_push(&crowd, &nodes[0]);
    serve_all(&crowd);
    ck_assert_trace("0 1 ");
}
END_TEST
#endif

#endif

Suite *suite_crowd(void)
{
    Suite *suite = test_suite("crowd");

#if PT_HAS_WAITS_
    test_add(suite, who_came_last_is_the_first_of_a_crowd);
    test_add(suite, a_crowd_that_is_turned_is_served_in_the_order_of_arrival);
#if PT_HAS_LEAVERS_
    test_add(suite, anybody_can_leave_a_crowd);
    test_add(suite, who_left_a_crowd_may_come_again);
#endif
#endif
    return suite;
}
#else

Suite *suite_crowd(void)
{
    return test_suite("crowd");
}

#endif
