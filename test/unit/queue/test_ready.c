/* test_ready.c - the ready queue: batches, growth, counters that wrap; the random numbers
 * SPDX-License-Identifier: MIT */
/* with the room sync: others of its own have some of its names */
#include "pt_test.h"

enum { NODES = 40 };

static struct pt_node nodes[NODES];
static struct pt_ready_ ready;

#if PT_READY_STORAGE_
static struct pt_node *ring[2][64 + PT_READY_AHEAD_];
#endif

static void ready_open(void)
{
    pt_ready_init_(&ready);
#if PT_READY_STORAGE_
    pt_ready_storage_(&ready, ring[0], 64);
#endif
}

static int take(struct pt_batch_ *batch)
{
    struct pt_node *node;

    return pt_ready_take_(&ready, batch, &node, 0) ? (int)(node - nodes) : -1;
}

START_TEST(a_batch_is_what_was_queued_when_it_began)
{
    struct pt_batch_ batch;

    ready_open();
    for (int i = 0; i < 3; i++)
        pt_ready_push_(&ready, &nodes[i]);
    batch = pt_ready_begin_(&ready);
    for (int i = 0; (i = take(&batch)) >= 0;) {
        trace_add("%d ", i);
        pt_ready_push_(&ready, &nodes[i + 3]);
    }
    ck_assert_trace("0 1 2 ");
    batch = pt_ready_begin_(&ready);
    for (int i = 0; (i = take(&batch)) >= 0;)
        trace_add("%d ", i);
    ck_assert_trace("3 4 5 ");
    ck_assert(pt_ready_empty_(&ready));
}
END_TEST

START_TEST(an_empty_batch_returns_nothing)
{
    struct pt_batch_ batch;

    ready_open();
    ck_assert(pt_ready_empty_(&ready));
    batch = pt_ready_begin_(&ready);
    ck_assert_int_eq(take(&batch), -1);
}
END_TEST

#if PT_CENSUS || PT_READY_STORAGE_
START_TEST(the_count_holds_within_a_batch)
{
    struct pt_batch_ batch;

    ready_open();
    for (int i = 0; i < 3; i++)
        pt_ready_push_(&ready, &nodes[i]);
    ck_assert_uint_eq(pt_ready_count_(&ready), 3);
    batch = pt_ready_begin_(&ready);
    ck_assert_int_eq(take(&batch), 0);
    ck_assert_uint_eq(pt_ready_count_(&ready), 2);
    ck_assert_int_eq(take(&batch), 1);
    ck_assert_int_eq(take(&batch), 2);
    ck_assert_uint_eq(pt_ready_count_(&ready), 0);
    pt_ready_push_(&ready, &nodes[0]);
    ck_assert_uint_eq(pt_ready_count_(&ready), 1);
    ck_assert(!pt_ready_empty_(&ready));
}
END_TEST
#endif

#if PT_READY_STORAGE_
START_TEST(the_ring_grows_in_the_middle_of_a_batch)
{
    struct pt_batch_ batch;

    pt_ready_init_(&ready);
    pt_ready_storage_(&ready, ring[0], 4);
    for (int i = 0; i < 4; i++)
        pt_ready_push_(&ready, &nodes[i]);
    batch = pt_ready_begin_(&ready);
    trace_add("%d ", take(&batch));
    pt_ready_push_(&ready, &nodes[4]);
    pt_ready_storage_(&ready, ring[1], 8);
    memset(ring[0], 0xa5, sizeof ring[0]);
    for (int i = 5; i < 9; i++)
        pt_ready_push_(&ready, &nodes[i]);
    for (int i; (i = take(&batch)) >= 0;)
        trace_add("%d ", i);
    ck_assert_trace("0 1 2 3 ");
    batch = pt_ready_begin_(&ready);
    for (int i; (i = take(&batch)) >= 0;)
        trace_add("%d ", i);
    ck_assert_trace("4 5 6 7 8 ");
}
END_TEST

START_TEST(the_ring_works_when_its_counters_wrap)
{
    pt_ready_init_(&ready);
    ready.head = ready.tail = 0u - 5;
    pt_ready_storage_(&ready, ring[0], 8);
    for (int round = 0; round < 4; round++) {
        struct pt_batch_ batch;

        for (int i = 0; i < 7; i++)
            pt_ready_push_(&ready, &nodes[i]);
        ck_assert_uint_eq(pt_ready_count_(&ready), 7);
        batch = pt_ready_begin_(&ready);
        for (int i; (i = take(&batch)) >= 0;)
            trace_add("%d", i);
        ck_assert_trace("0123456");
    }
}
END_TEST

START_TEST(the_ring_grows_across_the_wrap_of_its_counters)
{
    struct pt_batch_ batch;

    pt_ready_init_(&ready);
    ready.head = ready.tail = 0u - 2;
    pt_ready_storage_(&ready, ring[0], 4);
    for (int i = 0; i < 4; i++)
        pt_ready_push_(&ready, &nodes[i]);
    pt_ready_storage_(&ready, ring[1], 16);
    for (int i = 4; i < 16; i++)
        pt_ready_push_(&ready, &nodes[i]);
    batch = pt_ready_begin_(&ready);
    for (int i; (i = take(&batch)) >= 0;)
        trace_add("%d ", i);
    ck_assert_trace("0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 ");
}
END_TEST
#endif

START_TEST(the_same_seed_gives_the_same_numbers)
{
    struct pt_random a = {7}, b = {7}, other = {8};
    int equal = 0;

    for (int i = 0; i < 100; i++) {
        uint64_t number = pt_random_next(&a);

        ck_assert(number == pt_random_next(&b));
        equal += number == pt_random_next(&other);
    }
    ck_assert_int_eq(equal, 0);
}
END_TEST

/* The first numbers for seed 1234567 according to the generator's published reference. */
START_TEST(the_numbers_are_those_of_splitmix64)
{
    struct pt_random random = {1234567};

    ck_assert(pt_random_next(&random) == 6457827717110365317u);
    ck_assert(pt_random_next(&random) == 3203168211198807973u);
    ck_assert(pt_random_next(&random) == 9817491932198370423u);
}
END_TEST

START_TEST(random_numbers_below_a_limit_reach_every_value)
{
    struct pt_random random = {1};
    int seen[6] = {0};

    for (int i = 0; i < 6000; i++)
        seen[pt_random_below(&random, 6)]++;
    for (int i = 0; i < 6; i++)
        ck_assert(seen[i] > 800 && seen[i] < 1200);
    ck_assert(pt_random_below(&random, 1) == 0);
    for (int i = 0; i < 100; i++)
        ck_assert(pt_random_below(&random, (uint64_t)1 << 32) < (uint64_t)1 << 32);
}
END_TEST

Suite *suite_ready(void)
{
    Suite *suite = test_suite("ready");

    test_add(suite, a_batch_is_what_was_queued_when_it_began);
    test_add(suite, an_empty_batch_returns_nothing);
#if PT_CENSUS || PT_READY_STORAGE_
    test_add(suite, the_count_holds_within_a_batch);
#endif
#if PT_READY_STORAGE_
    test_add(suite, the_ring_grows_in_the_middle_of_a_batch);
    test_add(suite, the_ring_works_when_its_counters_wrap);
    test_add(suite, the_ring_grows_across_the_wrap_of_its_counters);
#endif
    test_add(suite, the_same_seed_gives_the_same_numbers);
    test_add(suite, the_numbers_are_those_of_splitmix64);
    test_add(suite, random_numbers_below_a_limit_reach_every_value);
    return suite;
}
