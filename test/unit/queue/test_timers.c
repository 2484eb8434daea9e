/* test_timers.c - the heap and the sorted list against a sorted array; the timer queue's contract
 * SPDX-License-Identifier: MIT */
/* with the room base: others of its own have some of its names */
#include "pt_test.h"

#if PT_TIMERS

#define HAS_HEAP (PT_TIMERS >= PT_TIMERS_HEAP)

enum { NODES = 64 };

static pt_time deadlines[NODES]; /* of the nodes, by their numbers */

/* --- a model: an array, sorted by deadline and by arming order --- */

struct queue {
    void (*push)(int i);
    int (*pop)(void);
    void (*remove)(int i);
    void (*rekey)(int i);
    int (*first)(pt_time now); /* -1: it is empty */
};

static int model[NODES], model_count;
static bool armed[NODES];

static void model_push(int i, pt_time now)
{
    int at = model_count++;

    for (; at > 0 && (pt_time)(deadlines[model[at - 1]] - now) > (pt_time)(deadlines[i] - now);
         at--)
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

/* Often a few ticks, so that deadlines are equal; sometimes up to the longest delay. */
static pt_time random_delay(struct pt_random *chance)
{
    static const pt_time masks[4] = {3, 3, 0xff, PT_DELAY_MAX};

    return (pt_time)(pt_random_next(chance) & masks[pt_random_below(chance, 4)]);
}

/* Pop from both and compare. Returns the deadline. */
static pt_time pop_both(const struct queue *queue)
{
    int i = model[0];

    ck_assert_int_eq(queue->pop(), i);
    model_remove(i);
    return deadlines[i];
}

/* Do one operation on queue and model. Returns the time after it. */
static pt_time random_operation(const struct queue *queue, struct pt_random *chance, pt_time now)
{
    int i = (int)pt_random_below(chance, NODES);

    if (!armed[i]) {
        deadlines[i] = (pt_time)(now + random_delay(chance));
        queue->push(i);
        model_push(i, now);
        return now;
    }
    switch (pt_random_below(chance, 4)) {
    case 0:
        model_remove(i);
        queue->remove(i);
        return now;
    case 1:
        model_remove(i);
        deadlines[i] = (pt_time)(now + random_delay(chance));
        queue->rekey(i);
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
        ck_assert_int_eq(queue->first(now), model_count ? model[0] : -1);
    }
    while (model_count)
        pop_both(queue);
}

#if HAS_HEAP

static struct pt_heap_node nodes[NODES];
static struct pt_heap_entry entries[NODES];
static struct pt_heap heap;

static int heap_number(const struct pt_heap_node *node)
{
    return node ? (int)(node - nodes) : -1;
}

static void queue_heap_push(int i)
{
    nodes[i].at = deadlines[i];
    pt_heap_push(&heap, &nodes[i]);
}

static int queue_heap_pop(void)
{
    return heap_number(pt_heap_pop(&heap));
}

static void queue_heap_remove(int i)
{
    pt_heap_remove(&heap, &nodes[i]);
}

static void queue_heap_rekey(int i)
{
    nodes[i].at = deadlines[i];
    pt_heap_rekey(&heap, &nodes[i]);
}

static int queue_heap_first(pt_time now)
{
    pt_heap_rebase(&heap, now);
    return heap_number(pt_heap_first(&heap));
}

START_TEST(the_heap_agrees_with_a_sorted_array)
{
    static const struct queue queue = {queue_heap_push, queue_heap_pop, queue_heap_remove,
                                       queue_heap_rekey, queue_heap_first};

    for (uint64_t seed = 1; seed <= 3; seed++) {
        pt_heap_init(&heap, TEST_START);
        pt_heap_storage(&heap, entries, NODES);
        compare_with_model(&queue, seed);
        ck_assert_ptr_null(pt_heap_first(&heap));
    }
}
END_TEST

#endif

static struct pt_node listed[NODES];
static struct pt_list list;

static int list_number(const struct pt_node *node)
{
    return node ? (int)(node - listed) : -1;
}

static void queue_list_push(int i)
{
    listed[i].at = deadlines[i];
    pt_list_add_sorted(&list, &listed[i]);
}

static int queue_list_pop(void)
{
    return list_number(pt_list_pop(&list));
}

static void queue_list_remove(int i)
{
    pt_list_remove(&list, &listed[i]);
}

static void queue_list_rekey(int i)
{
    queue_list_remove(i);
    queue_list_push(i);
}

static int queue_list_first(pt_time now)
{
    (void)now;
    return list_number(list.first);
}

START_TEST(the_sorted_list_agrees_with_a_sorted_array)
{
    static const struct queue queue = {queue_list_push, queue_list_pop, queue_list_remove,
                                       queue_list_rekey, queue_list_first};

    for (uint64_t seed = 1; seed <= 3; seed++) {
        pt_list_init(&list);
        compare_with_model(&queue, seed);
        ck_assert_ptr_null(list.first);
    }
}
END_TEST

/* The contract of the timer queue, whichever implementation it has. */
START_TEST(the_timer_queue_pops_timers_by_deadline)
{
    static pt_timer_ line[4];
    struct pt_timers_ timers;

    pt_timers_init_(&timers, TEST_START);
#if PT_TIMERS_STORAGE_
    pt_heap_storage(&timers.heap, entries, NODES);
#endif
    ck_assert_ptr_null(pt_timers_first_(&timers));
    for (int i = 0; i < 4; i++)
        pt_timers_add_(&timers, &line[i], test_at(6 - 2 * i));
    pt_timers_rebase_(&timers, TEST_START);
    ck_assert_int_eq(test_ms(pt_timers_at_(&timers, &line[1])), 4);
    pt_timers_remove_(&timers, &line[2]);
    while (pt_timers_first_(&timers)) {
        int at = test_ms(pt_timers_at_(&timers, pt_timers_first_(&timers)));

        trace_add("%d@%d ", (int)(pt_timers_pop_(&timers) - line), at);
    }
    ck_assert_trace("3@0 1@4 0@6 ");
}
END_TEST

Suite *suite_timers(void)
{
    Suite *suite = test_suite("timers");

#if HAS_HEAP
    test_add(suite, the_heap_agrees_with_a_sorted_array);
#endif
    test_add(suite, the_sorted_list_agrees_with_a_sorted_array);
    test_add(suite, the_timer_queue_pops_timers_by_deadline);
    return suite;
}
#else

Suite *suite_timers(void)
{
    return test_suite("timers");
}

#endif
