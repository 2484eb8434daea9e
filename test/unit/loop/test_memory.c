/* test_memory.c - storage of loops and tasks: static, full, growing, failing, freed
 * SPDX-License-Identifier: MIT */
#include "pt_test.h"

#if PT_PORT && PT_TIMERS && PT_POOLS

struct hand {
    struct pt pt;
    int number;
    int *sum;
};

static PT_ASYNC(hand, self)
{
    PT_YIELD();
    *self->sum += self->number;
    PT_WAIT(PT_MS(1));
    *self->sum += self->number;
}
PT_END

enum { HANDS = 100 };

static PT_TASK(hand) hands[HANDS];
static int sum;

static void open_hands(void)
{
    sum = 0;
    test_zero(hands);
    test_open(&world);
}

static pt_status start_hand(struct pt_loop *loop, int i)
{
    return PT_START(loop, &hands[i], hand, .number = i, .sum = &sum);
}

static pt_status start_new(void)
{
    return PT_START_NEW(&world.loop, hand, .number = 1, .sum = &sum);
}

/* --- the copy of a loop in a forked process --- */

#if PT_REMOTE
static void never(struct pt_remote *remote, unsigned times)
{
    (void)remote, (void)times;
    ck_abort_msg("a post to a loop that was dropped");
}

START_TEST(a_loop_that_is_dropped_gives_its_memory_back_and_takes_no_posts)
{
    struct pt_remote early, late;

    open_hands();
    pt_remote_open(&early, &world.loop, never, NULL);
    pt_remote_open(&late, &world.loop, never, NULL);
    for (int i = 0; i < HANDS; i++)
        ck_assert_int_eq(start_hand(&world.loop, i), PT_OK);
    pt_remote_post(&early);
    pt_loop_drop_(&world.loop);
    ck_assert_int_eq(test_memory.blocks, 0);
    ck_assert_int_eq(pt_remote_post(&late), PT_ECLOSED);
}
END_TEST
#endif

/* --- static storage --- */

#if PT_LOOP_HAS_STORAGE_
START_TEST(a_loop_with_full_storage_refuses_another_task)
{
    static PT_LOOP_STORAGE(4) storage; /* a power of two, because a ring would round it up */
    struct pt_loop loop;
    pt_time now = TEST_START;

    open_hands();
    pt_loop_init(&loop, now);
    pt_loop_use(&loop, &storage);
    for (int i = 0; i < 4; i++)
        ck_assert_int_eq(start_hand(&loop, i), PT_OK);
    ck_assert_int_eq(start_hand(&loop, 4), PT_ENOMEM);
    ck_assert_uint_eq(pt_loop_live(&loop), 4);
    ck_assert(!pt_task_alive(&hands[4].task));
    ck_assert_int_eq(pt_task_status(&hands[4].task), PT_EINVAL);
    while (pt_loop_live(&loop))
        now = pt_loop_turn(&loop, now);
    ck_assert_int_eq(sum, 2 * (0 + 1 + 2 + 3));
    ck_assert_int_eq(start_hand(&loop, 4), PT_OK);
    while (pt_loop_live(&loop))
        now = pt_loop_turn(&loop, now);
    ck_assert_int_eq(sum, 2 * (0 + 1 + 2 + 3 + 4));
    ck_assert_int_eq(test_memory.calls, 0);
}
END_TEST

START_TEST(the_size_of_static_storage_is_rounded_up_to_a_power_of_two)
{
    for (unsigned bits = 0; bits < 20; bits++) {
        uint32_t power = (uint32_t)1 << bits;

        ck_assert_uint_eq(PT_POWER_OF_TWO_(power), power);
        ck_assert_uint_eq(PT_POWER_OF_TWO_(power + 1), power * 2);
        ck_assert_uint_eq(PT_POWER_OF_TWO_(power * 2 - (bits > 0)), power * 2);
    }
}
END_TEST

START_TEST(a_new_task_without_an_allocator_fails_with_a_code)
{
    struct pt_virtual bare;
    struct pt_loop loop;

    open_hands();
    pt_virtual_init(&bare, 0, NULL);
    pt_loop_open(&loop, &bare.port);
    ck_assert_int_eq(PT_START_NEW(&loop, hand, .number = 1), PT_ENOMEM);
    pt_loop_close(&loop);
    pt_loop_close(&loop); /* the second close does nothing */
    pt_loop_init(&loop, TEST_START);
    ck_assert_int_eq(PT_START_NEW(&loop, hand, .number = 1), PT_ENOMEM);
}
END_TEST

START_TEST(a_loop_on_a_port_without_memory_uses_the_storage_it_is_given)
{
    static PT_LOOP_STORAGE(1) storage;
    struct pt_virtual bare;
    struct pt_loop loop;

    open_hands();
    pt_virtual_init(&bare, 0, NULL);
    bare.now = TEST_START;
    pt_loop_open(&loop, &bare.port);
    pt_loop_use(&loop, &storage);
    ck_assert_int_eq(start_hand(&loop, 1), PT_OK);
    ck_assert_int_eq(start_hand(&loop, 2), PT_ENOMEM);
    ck_assert_int_eq(pt_loop_run(&loop), PT_OK);
    ck_assert_int_eq(sum, 2);
    pt_loop_close(&loop);
}
END_TEST
#else
START_TEST(a_loop_linked_through_its_tasks_has_no_limit_and_one_byte_of_storage)
{
    static PT_LOOP_STORAGE(1) storage;
    struct pt_loop loop;
    pt_time now = TEST_START;

    open_hands();
    ck_assert_uint_eq(sizeof storage, 1);
    pt_loop_init(&loop, now);
    pt_loop_use(&loop, &storage);
    for (int i = 0; i < HANDS; i++)
        ck_assert_int_eq(start_hand(&loop, i), PT_OK);
    while (pt_loop_live(&loop))
        now = pt_loop_turn(&loop, now);
    ck_assert_int_eq(sum, HANDS * (HANDS - 1));
}
END_TEST
#endif

#if PT_LOOP_HAS_STORAGE_
/* So many tasks do not fit in memory: the test only sets the counts. */
START_TEST(a_loop_whose_storage_would_overflow_its_count_fails_with_a_code)
{
    open_hands();
    test_memory.fail_from = 1;
    test_memory.fail_to = 9;
    for (unsigned many = 1u << 31; many >= 1u << 28; many >>= 1) {
        world.loop.live = world.loop.capacity = many;
        ck_assert_int_eq(start_hand(&world.loop, 0), PT_ENOMEM);
    }
    world.loop.live = world.loop.capacity = 0;
    test_close(&world);
}
END_TEST
#endif

START_TEST(a_block_larger_than_the_largest_size_is_not_asked_for)
{
    open_hands();
    ck_assert_ptr_null(pt_loop_resize_(&world.loop, NULL, 3, SIZE_MAX / 2));
    ck_assert_int_eq(test_memory.calls, 0);
    test_close(&world);
}
END_TEST

/* --- growth --- */

START_TEST(storage_grows_with_the_tasks_and_is_freed)
{
    open_hands();
    ck_assert_int_eq(test_memory.calls, 0);
    for (int i = 0; i < HANDS; i++) {
        ck_assert_int_eq(start_hand(&world.loop, i), PT_OK);
        if (i == 50)
            pt_loop_turn(&world.loop, world.clock.now);
    }
    ck_assert_int_eq(test_memory.blocks,
                     PT_READY_STORAGE_ + PT_TIMERS_STORAGE_ + (PT_HAS_BUCKETS_ ? 3 : 0));
    ck_assert_int_eq(pt_loop_run(&world.loop), PT_OK);
    ck_assert_int_eq(sum, HANDS * (HANDS - 1));
    test_close(&world);
}
END_TEST

struct leader {
    struct pt pt;
    int i;
};

static PT_ASYNC(leader, self)
{
    for (; self->i < HANDS; self->i++) {
        PT_SPAWN(&hands[self->i], hand, .number = self->i, .sum = &sum);
        trace_add("%d", self->pt.status);
    }
}
PT_END

START_TEST(storage_grows_in_the_middle_of_a_turn)
{
    static PT_TASK(leader) leader;

    open_hands();
    test_zero(leader);
    for (int i = 0; i < 10; i++)
        ck_assert_int_eq(start_hand(&world.loop, i), PT_OK);
    PT_START(&world.loop, &leader, leader, .i = 10);
    ck_assert_int_eq(pt_loop_run(&world.loop), PT_OK);
    ck_assert_int_eq((int)strspn(trace_take(), "0"), HANDS - 10);
    ck_assert_int_eq(sum, HANDS * (HANDS - 1));
    test_close(&world);
}
END_TEST

START_TEST(a_loop_that_never_had_a_task_has_nothing_to_free)
{
    open_hands();
    test_close(&world);
    ck_assert_int_eq(test_memory.calls, 0);
}
END_TEST

/* --- tasks on the heap --- */

START_TEST(a_new_task_starts_zeroed_and_is_freed_when_it_is_done)
{
    int before;

    open_hands();
    ck_assert_int_eq(start_new(), PT_OK);
    before = test_memory.blocks;
    ck_assert_int_eq(start_new(), PT_OK);
    ck_assert_int_eq(test_memory.blocks, before + 1);
    ck_assert_int_eq(pt_loop_run(&world.loop), PT_OK);
    ck_assert_int_eq(test_memory.blocks, before - 1);
    ck_assert_int_eq(sum, 4);
    test_close(&world);
}
END_TEST

struct zeroed {
    struct pt pt;
    unsigned char bytes[100];
};

static PT_ASYNC(zeroed, self)
{
    sum = 0;
    for (int i = 0; i < 100; i++)
        sum += self->bytes[i];
    trace_add("%d ", sum);
}
PT_END

struct breeder {
    struct pt pt;
    int left;
};

static PT_ASYNC(breeder, self)
{
    for (; self->left > 0; self->left--) {
        PT_SPAWN_NEW(zeroed, .bytes[3] = 3, .bytes[99] = 2);
        trace_add("%s ", pt_status_name(self->pt.status));
    }
}
PT_END

static PT_TASK(breeder) farm;

START_TEST(a_task_spawns_tasks_on_the_heap)
{
    open_hands();
    test_zero(farm);
    PT_START(&world.loop, &farm, breeder, .left = 2);
    ck_assert_int_eq(pt_loop_run(&world.loop), PT_OK);
    ck_assert_trace("PT_OK PT_OK 5 5 ");
    test_close(&world);
}
END_TEST

START_TEST(a_spawn_that_finds_no_memory_fails_with_a_code)
{
    open_hands();
    test_zero(farm);
    PT_START(&world.loop, &farm, breeder, .left = 3);
    test_memory.fail_from = test_memory.fail_to = test_memory.calls + 2;
    ck_assert_int_eq(pt_loop_run(&world.loop), PT_OK);
    ck_assert_trace("PT_OK PT_ENOMEM PT_OK 5 5 ");
    test_close(&world);
}
END_TEST

#if PT_LOOP_HAS_STORAGE_
START_TEST(no_field_of_a_task_on_the_heap_is_evaluated_if_its_loop_cannot_grow)
{
    int asked = 0;

    open_hands();
    for (int i = 0; i < 16; i++)
        ck_assert_int_eq(start_hand(&world.loop, i), PT_OK);
    ck_assert_uint_eq(pt_loop_capacity_(&world.loop), 16);
    test_memory.fail_from = test_memory.fail_to = test_memory.calls + 2;
    ck_assert_int_eq(PT_START_NEW(&world.loop, hand, .number = ++asked, .sum = &sum), PT_ENOMEM);
    ck_assert_int_eq(asked, 0);
    ck_assert_int_eq(PT_START_NEW(&world.loop, hand, .number = ++asked, .sum = &sum), PT_OK);
    ck_assert_int_eq(asked, 1);
    ck_assert_int_eq(pt_loop_run(&world.loop), PT_OK);
    test_close(&world);
}
END_TEST
#endif

/* --- every allocation fails --- */

/* Start 40 tasks, every second one on the heap; the allocations FROM to TO fail. Each started task
 * must run to its end; each failed start must return PT_ENOMEM. Returns whether none failed. */
static bool survive(int from, int to)
{
    int started = 0, expected = 0;

    open_hands();
    test_memory.calls = 0;
    test_memory.fail_from = from;
    test_memory.fail_to = to;
    for (int i = 0; i < 40; i++) {
        pt_status status = i % 2 ? start_new() : start_hand(&world.loop, i);

        ck_assert(status == PT_OK || status == PT_ENOMEM);
        if (status == PT_OK)
            expected += i % 2 ? 2 : 2 * i;
        started += status == PT_OK;
        ck_assert_uint_eq(pt_loop_live(&world.loop), (unsigned)started);
    }
    ck_assert_int_eq(pt_loop_run(&world.loop), PT_OK);
    ck_assert_int_eq(sum, expected);
    test_close(&world);
    return started == 40;
}

START_TEST(any_single_allocation_can_fail)
{
    int call = 1;

    while (!survive(call, call) && call < 1000)
        call++;
    /* 20 tasks; room for 16, 32, 64 in each queue that has storage; the last round failed none */
    ck_assert_int_eq(call, 20 + 3 * (PT_READY_STORAGE_ + PT_TIMERS_STORAGE_) + 1);
}
END_TEST

START_TEST(all_allocations_from_any_point_on_can_fail)
{
    int call = 1;

    while (!survive(call, 1000) && call < 1000)
        call++;
    ck_assert_int_lt(call, 1000);
}
END_TEST

Suite *suite_memory(void)
{
    Suite *suite = test_suite("memory");

#if PT_LOOP_HAS_STORAGE_
    test_add(suite, a_loop_with_full_storage_refuses_another_task);
    test_add(suite, a_loop_on_a_port_without_memory_uses_the_storage_it_is_given);
    test_add(suite, the_size_of_static_storage_is_rounded_up_to_a_power_of_two);
    test_add(suite, a_new_task_without_an_allocator_fails_with_a_code);
    test_add(suite, a_loop_whose_storage_would_overflow_its_count_fails_with_a_code);
    test_add(suite, no_field_of_a_task_on_the_heap_is_evaluated_if_its_loop_cannot_grow);
#else
    test_add(suite, a_loop_linked_through_its_tasks_has_no_limit_and_one_byte_of_storage);
#endif
#if PT_REMOTE
    test_add(suite, a_loop_that_is_dropped_gives_its_memory_back_and_takes_no_posts);
#endif
    test_add(suite, a_block_larger_than_the_largest_size_is_not_asked_for);
    test_add(suite, storage_grows_with_the_tasks_and_is_freed);
    test_add(suite, storage_grows_in_the_middle_of_a_turn);
    test_add(suite, a_loop_that_never_had_a_task_has_nothing_to_free);
    test_add(suite, a_new_task_starts_zeroed_and_is_freed_when_it_is_done);
    test_add(suite, a_task_spawns_tasks_on_the_heap);
    test_add(suite, a_spawn_that_finds_no_memory_fails_with_a_code);
    test_add(suite, any_single_allocation_can_fail);
    test_add(suite, all_allocations_from_any_point_on_can_fail);
    return suite;
}
#else

Suite *suite_memory(void)
{
    return test_suite("memory");
}

#endif
