/* test_heap.c - the heap of the configuration: heap.h (PT_TIMERS_ARRAY) or heap_linked.h
 * SPDX-License-Identifier: MIT
 *
 * Both offer the same functions and have the same tests. */
/* with the room loop: others of its own have some of its names */
#include "pt_test.h"

#if PT_TIMERS

#if PT_TIMERS >= PT_TIMERS_HEAP

enum { NODES = 64 };

static struct pt_heap_node nodes[NODES];
static struct pt_heap_entry entries[NODES];
static struct pt_heap heap;

static int number(const struct pt_heap_node *node)
{
    return node ? (int)(node - nodes) : -1;
}

static void heap_open(pt_time now)
{
    pt_heap_init(&heap, now);
    pt_heap_storage(&heap, entries, NODES);
}

static void heap_push_at(int i, pt_time at)
{
    nodes[i].at = at;
    pt_heap_push(&heap, &nodes[i]);
}

static void trace_heap(void)
{
    while (pt_heap_first(&heap))
        trace_add("%d ", number(pt_heap_pop(&heap)));
}

#if PT_TIMERS == PT_TIMERS_ARRAY
/* No entry is before its parent, and every node knows its index. */
static bool heap_is_sound(void)
{
    bool sound = true;

    for (unsigned i = 1; i < heap.count; i++)
        sound = sound && pt_heap_before_(&entries[(i - 1) / PT_HEAP_ARITY_], &entries[i]);
    for (unsigned i = 0; i < heap.count; i++)
        sound = sound && *entries[i].index == i;
    return sound;
}
#else
/* The length of the longest path down from NODE, whose ring must be sound; -1 if one below is not. */
static int levels(const struct pt_heap_node *node)
{
    const struct pt_heap_node *child = node->child;
    int longest = 0, children = 0;

    for (; child != node; child = child->link.next) {
        int below = ++children <= 2 && !pt_time_before(child->at, node->at) ? levels(child) : -1;

        if (below < 0)
            return -1;
        longest = below > longest ? below : longest;
    }
    return longest + 1;
}

static bool heap_is_sound(void)
{
    return !heap.first || (!heap.first->link.next && levels(heap.first) > 0);
}
#endif

START_TEST(an_empty_heap_has_no_first_node)
{
    heap_open(TEST_START);
    ck_assert_ptr_null(pt_heap_first(&heap));
    heap_push_at(0, TEST_START);
    ck_assert_int_eq(number(pt_heap_first(&heap)), 0);
    ck_assert_int_eq(number(pt_heap_pop(&heap)), 0);
    ck_assert_ptr_null(pt_heap_first(&heap));
}
END_TEST

START_TEST(equal_deadlines_leave_the_heap_in_arming_order)
{
    heap_open(TEST_START);
    for (int i = 0; i < 20; i++)
        heap_push_at(i, TEST_START);
    trace_heap();
    ck_assert_trace("0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 ");
}
END_TEST

START_TEST(the_heap_sorts_across_the_wrap)
{
    heap_open(TEST_START);
    heap_push_at(0, (pt_time)(TEST_START + PT_MS(5)));
    heap_push_at(1, (pt_time)(TEST_START + PT_DELAY_MAX));
    heap_push_at(2, (pt_time)(TEST_START + PT_MS(1)));
    heap_push_at(3, TEST_START);
    heap_push_at(4, (pt_time)(TEST_START + PT_MS(4)));
    trace_heap();
    ck_assert_trace("3 2 4 0 1 ");
}
END_TEST

START_TEST(a_rekeyed_node_goes_after_equal_nodes)
{
    heap_open(TEST_START);
    for (int i = 0; i < 4; i++)
        heap_push_at(i, TEST_START);
    pt_heap_rekey(&heap, &nodes[1]);
    nodes[3].at = (pt_time)(TEST_START + 1);
    pt_heap_rekey(&heap, &nodes[3]);
    nodes[3].at = TEST_START;
    pt_heap_rekey(&heap, &nodes[3]);
    trace_heap();
    ck_assert_trace("0 2 1 3 ");
}
END_TEST

START_TEST(any_node_can_be_removed)
{
    for (int removed = 0; removed < 6; removed++) {
        heap_open(TEST_START);
        for (int i = 0; i < 6; i++)
            heap_push_at(i, (pt_time)(TEST_START + (i & 1)));
        pt_heap_remove(&heap, &nodes[removed]);
        ck_assert(heap_is_sound());
        trace_heap();
        trace_add("|");
    }
    ck_assert_trace("2 4 1 3 5 |0 2 4 3 5 |0 4 1 3 5 |0 2 4 1 5 |0 2 1 3 5 |0 2 4 1 3 |");
}
END_TEST

START_TEST(the_last_node_can_be_removed)
{
    heap_open(TEST_START);
    for (int i = 0; i < 3; i++)
        heap_push_at(i, TEST_START);
    pt_heap_remove(&heap, &nodes[2]);
    pt_heap_remove(&heap, &nodes[1]);
    pt_heap_remove(&heap, &nodes[0]);
    ck_assert_ptr_null(pt_heap_first(&heap));
}
END_TEST

#if PT_TIMERS == PT_TIMERS_ARRAY
START_TEST(a_heap_moves_to_larger_storage)
{
    static struct pt_heap_entry few[2];

    heap_open(TEST_START);
    pt_heap_storage(&heap, few, 2);
    heap_push_at(0, TEST_START);
    heap_push_at(1, TEST_START);
    memcpy(entries, few, sizeof few);
    pt_heap_storage(&heap, entries, NODES);
    heap_push_at(2, TEST_START);
    trace_heap();
    ck_assert_trace("0 1 2 ");
}
END_TEST

START_TEST(the_epoch_follows_a_clock_that_runs_far_ahead)
{
    pt_time now = TEST_START;

    heap_open(now);
    for (int step = 0; step < 20; step++) {
        heap_push_at(0, (pt_time)(now + PT_DELAY_MAX));
        heap_push_at(1, (pt_time)(now + PT_DELAY_MAX - 1));
        heap_push_at(2, (pt_time)(now + PT_DELAY_MAX));
        now = (pt_time)(now + PT_DELAY_MAX / 2 + (pt_time)step % 3);
        pt_heap_rebase(&heap, now);
        heap_push_at(3, nodes[1].at);
        heap_push_at(4, (pt_time)(nodes[1].at - 1));
        heap_push_at(5, now);
        heap_push_at(6, (pt_time)(now + PT_DELAY_MAX));
        ck_assert(heap_is_sound());
        trace_heap();
        ck_assert_trace("5 4 1 3 0 2 6 ");
    }
}
END_TEST

START_TEST(the_epoch_is_kept_while_the_clock_is_near)
{
    heap_open(TEST_START);
    pt_heap_rebase(&heap, (pt_time)(TEST_START + PT_DELAY_MAX / 2));
    ck_assert_uint_eq(heap.epoch, TEST_START);
    pt_heap_rebase(&heap, (pt_time)(TEST_START + PT_DELAY_MAX / 2 + 1));
    ck_assert_uint_eq(heap.epoch, (pt_time)(TEST_START + PT_DELAY_MAX / 2 + 1));
}
END_TEST
#else
START_TEST(with_timeouts_a_node_of_a_list_has_no_place_for_a_child)
{
    if (PT_TIMEOUTS)
        ck_assert_int_eq(offsetof(struct pt_node, at), offsetof(struct pt_heap_node, child));
    else
        ck_assert_int_eq(sizeof(struct pt_node), sizeof(struct pt_heap_node));
}
END_TEST

/* A list would have 64 levels, a full tree has 7. */
START_TEST(a_linked_heap_has_few_levels_whatever_the_order)
{
    for (int order = 0; order < 3; order++) {
        heap_open(TEST_START);
        for (int i = 0; i < NODES; i++)
            heap_push_at(i, (pt_time)(TEST_START + (pt_time)(order == 2 ? 0
                                                             : order    ? NODES - i
                                                                        : i)));
        for (int i = 0; i < 1000; i++) {
            struct pt_heap_node *node = i % 2 ? pt_heap_first(&heap) : &nodes[i % NODES];

            pt_heap_remove(&heap, node);
            node->at = (pt_time)(node->at + (order == 2 ? 0 : NODES));
            pt_heap_push(&heap, node);
            ck_assert(heap_is_sound());
        }
        ck_assert_int_lt(levels(heap.first), 25);
    }
}
END_TEST
#endif

#endif

Suite *suite_heap(void)
{
    Suite *suite = test_suite("heap");

#if PT_TIMERS >= PT_TIMERS_HEAP
    test_add(suite, an_empty_heap_has_no_first_node);
    test_add(suite, equal_deadlines_leave_the_heap_in_arming_order);
    test_add(suite, the_heap_sorts_across_the_wrap);
    test_add(suite, a_rekeyed_node_goes_after_equal_nodes);
    test_add(suite, any_node_can_be_removed);
    test_add(suite, the_last_node_can_be_removed);
#if PT_TIMERS == PT_TIMERS_ARRAY
    test_add(suite, a_heap_moves_to_larger_storage);
    test_add(suite, the_epoch_follows_a_clock_that_runs_far_ahead);
    test_add(suite, the_epoch_is_kept_while_the_clock_is_near);
#else
    test_add(suite, with_timeouts_a_node_of_a_list_has_no_place_for_a_child);
    test_add(suite, a_linked_heap_has_few_levels_whatever_the_order);
#endif
#endif
    return suite;
}
#else

Suite *suite_heap(void)
{
    return test_suite("heap");
}

#endif
