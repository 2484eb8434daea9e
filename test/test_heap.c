/* test_heap.c - the heap and the sorted list against a sorted array, the heap's numbers at their
 * limits
 * SPDX-License-Identifier: MIT */
#include "pt_test.h"

enum { NODES = 64 };

static struct pt_node nodes[NODES];
static struct pt_heap_entry entries[NODES];
static struct pt_heap heap;
static struct pt_list list;

static int number(const struct pt_node *node)
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

#if PT_HEAP_WIDE
/* Every entry is behind its parent, and every node knows its index. */
static bool heap_is_sound(void)
{
    bool sound = true;

    for (pt_heap_index i = 1; i < heap.count; i++)
        sound = sound && pt_heap_before_(&entries[(i - 1) / PT_HEAP_ARITY], &entries[i]);
    for (pt_heap_index i = 0; i < heap.count; i++)
        sound = sound && pt_heap_find_(&heap, entries[i].node) == i;
    return sound;
}
#else
/* How many children NODE has; -1 if one of them, or of theirs, is before its parent. */
static int children(const struct pt_node *node)
{
    const struct pt_node *child = node->child;
    int count = 0;

    if (!child)
        return 0;
    do {
        child = child->link.next;
        if (pt_time_before(child->at, node->at) || children(child) < 0)
            return -1;
        count++;
    } while (child != node->child);
    return count;
}

static bool heap_is_sound(void)
{
    return !heap.first || children(heap.first) >= 0;
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

START_TEST(a_rekeyed_node_goes_behind_its_equals)
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

START_TEST(the_last_entry_can_be_removed)
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

#if PT_HEAP_WIDE
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

START_TEST(the_epoch_follows_a_clock_that_runs_far)
{
    pt_time now = TEST_START;

    heap_open(now);
    for (int step = 0; step < 20; step++) {
        heap_push_at(0, (pt_time)(now + PT_DELAY_MAX));
        heap_push_at(1, (pt_time)(now + PT_DELAY_MAX - 1));
        heap_push_at(2, (pt_time)(now + PT_DELAY_MAX));
        now = (pt_time)(now + PT_DELAY_MAX / 2 + (pt_time)step % 3);
        pt_heap_rebase(&heap, now);
        heap_push_at(3, now);
        heap_push_at(4, (pt_time)(now + PT_DELAY_MAX));
        ck_assert(heap_is_sound());
        trace_heap();
        ck_assert_trace("3 1 0 2 4 ");
    }
}
END_TEST

START_TEST(the_epoch_stays_while_the_clock_is_near)
{
    heap_open(TEST_START);
    pt_heap_rebase(&heap, (pt_time)(TEST_START + PT_DELAY_MAX / 2));
    ck_assert_uint_eq(heap.epoch, TEST_START);
    pt_heap_rebase(&heap, (pt_time)(TEST_START + PT_DELAY_MAX / 2 + 1));
    ck_assert_uint_eq(heap.epoch, (pt_time)(TEST_START + PT_DELAY_MAX / 2 + 1));
}
END_TEST
#else
/* Without the pairs, or with pairs of the wrong neighbours, it is about 30. */
START_TEST(a_pop_meets_few_children)
{
    struct pt_random chance;
    int met = 0;

    heap_open(TEST_START);
    chance.state = 1;
    for (int i = 0; i < NODES; i++)
        heap_push_at(i, (pt_time)(TEST_START + pt_random_below(&chance, 1000)));
    for (int pops = 0; pops < 1000; pops++) {
        struct pt_node *first = pt_heap_pop(&heap);

        first->at = (pt_time)(first->at + pt_random_below(&chance, 1000));
        pt_heap_push(&heap, first);
        met += children(heap.first);
    }
    ck_assert_int_lt(met, 10 * 1000);
}
END_TEST
#endif

/* --- a model: an array, sorted by deadline and by arming order --- */

struct queue {
    void (*push)(struct pt_node *node);
    struct pt_node *(*pop)(void);
    void (*remove)(struct pt_node *node);
    void (*rekey)(struct pt_node *node);
    bool (*sound)(pt_time now);
};

static int model[NODES], model_count;
static bool armed[NODES];

static void model_push(int i, pt_time now)
{
    int at = model_count++;

    for (; at > 0 && (pt_time)(nodes[model[at - 1]].at - now) > (pt_time)(nodes[i].at - now); at--)
        model[at] = model[at - 1];
    model[at] = i;
    armed[i] = true;
}

static void model_remove(int i)
{
    int at = 0;

    while (model[at] != i)
        at++;
    for (model_count--; at < model_count; at++)
        model[at] = model[at + 1];
    armed[i] = false;
}

/* Often a few ticks, so that deadlines are equal; sometimes as long as a delay can be. */
static pt_time random_delay(struct pt_random *chance)
{
    static const pt_time masks[4] = {3, 3, 0xff, PT_DELAY_MAX};

    return (pt_time)(pt_random_next(chance) & masks[pt_random_below(chance, 4)]);
}

/* Pop from both; the deadline of what came. */
static pt_time pop_both(const struct queue *queue)
{
    int i = model[0];

    ck_assert_int_eq(number(queue->pop()), i);
    model_remove(i);
    return nodes[i].at;
}

/* One operation on queue and model; the time after it. */
static pt_time random_operation(const struct queue *queue, struct pt_random *chance, pt_time now)
{
    int i = (int)pt_random_below(chance, NODES);

    if (!armed[i]) {
        nodes[i].at = (pt_time)(now + random_delay(chance));
        queue->push(&nodes[i]);
        model_push(i, now);
        return now;
    }
    switch (pt_random_below(chance, 4)) {
    case 0:
        model_remove(i);
        queue->remove(&nodes[i]);
        return now;
    case 1:
        model_remove(i);
        nodes[i].at = (pt_time)(now + random_delay(chance));
        queue->rekey(&nodes[i]);
        model_push(i, now);
        return now;
    default: return pop_both(queue);
    }
}

static void compare_with_model(const struct queue *queue, uint64_t seed)
{
    struct pt_random chance = {0};
    pt_time now = TEST_START;

    chance.state = seed;
    model_count = 0;
    memset(armed, 0, sizeof armed);
    for (int step = 0; step < 5000; step++) {
        now = random_operation(queue, &chance, now);
        ck_assert_msg(queue->sound(now), "after step %d of seed %d", step, (int)seed);
    }
    while (model_count)
        pop_both(queue);
}

static void queue_heap_push(struct pt_node *node)
{
    pt_heap_push(&heap, node);
}

static struct pt_node *queue_heap_pop(void)
{
    return pt_heap_pop(&heap);
}

static void queue_heap_remove(struct pt_node *node)
{
    pt_heap_remove(&heap, node);
}

static void queue_heap_rekey(struct pt_node *node)
{
    pt_heap_rekey(&heap, node);
}

static bool queue_heap_sound(pt_time now)
{
    pt_heap_rebase(&heap, now);
    return heap_is_sound();
}

START_TEST(the_heap_agrees_with_a_sorted_array)
{
    static const struct queue queue = {queue_heap_push, queue_heap_pop, queue_heap_remove,
                                       queue_heap_rekey, queue_heap_sound};

    for (uint64_t seed = 1; seed <= 3; seed++) {
        heap_open(TEST_START);
        compare_with_model(&queue, seed);
        ck_assert_ptr_null(pt_heap_first(&heap));
    }
}
END_TEST

static void queue_list_push(struct pt_node *node)
{
    pt_list_add_sorted(&list, node);
}

static struct pt_node *queue_list_pop(void)
{
    return pt_list_pop(&list);
}

static void queue_list_remove(struct pt_node *node)
{
    pt_list_remove(&list, node);
}

static void queue_list_rekey(struct pt_node *node)
{
    pt_list_remove(&list, node);
    pt_list_add_sorted(&list, node);
}

static bool queue_list_sound(pt_time now)
{
    (void)now;
    return number(list.first) == (model_count ? model[0] : -1);
}

START_TEST(the_sorted_list_agrees_with_a_sorted_array)
{
    static const struct queue queue = {queue_list_push, queue_list_pop, queue_list_remove,
                                       queue_list_rekey, queue_list_sound};

    for (uint64_t seed = 1; seed <= 3; seed++) {
        pt_list_init(&list);
        compare_with_model(&queue, seed);
        ck_assert_ptr_null(list.first);
    }
}
END_TEST

/* The contract of the timer queue, whoever stands behind it. */
START_TEST(the_timer_queue_offers_five_operations)
{
    struct pt_timers timers;

    pt_timers_init(&timers, TEST_START);
#if PT_TIMERS_STORAGE
    pt_heap_storage(&timers.heap, entries, NODES);
#endif
    ck_assert_ptr_null(pt_timers_first(&timers));
    for (int i = 0; i < 4; i++) {
        nodes[i].at = (pt_time)(TEST_START + (pt_time)(3 - i) * PT_MS(1));
        pt_timers_add(&timers, &nodes[i]);
    }
    pt_timers_rebase(&timers, TEST_START);
    ck_assert_int_eq(number(pt_timers_first(&timers)), 3);
    pt_timers_remove(&timers, &nodes[2]);
    while (pt_timers_first(&timers))
        trace_add("%d ", number(pt_timers_pop(&timers)));
    ck_assert_trace("3 1 0 ");
}
END_TEST

Suite *suite_heap(void)
{
    Suite *suite = test_suite("heap");

    test_add(suite, an_empty_heap_has_no_first_node);
    test_add(suite, equal_deadlines_leave_the_heap_in_arming_order);
    test_add(suite, the_heap_sorts_across_the_wrap);
    test_add(suite, a_rekeyed_node_goes_behind_its_equals);
    test_add(suite, the_last_entry_can_be_removed);
#if PT_HEAP_WIDE
    test_add(suite, a_heap_moves_to_larger_storage);
    test_add(suite, the_epoch_follows_a_clock_that_runs_far);
    test_add(suite, the_epoch_stays_while_the_clock_is_near);
#else
    test_add(suite, a_pop_meets_few_children);
#endif
    test_add(suite, the_heap_agrees_with_a_sorted_array);
    test_add(suite, the_sorted_list_agrees_with_a_sorted_array);
    test_add(suite, the_timer_queue_offers_five_operations);
    return suite;
}
