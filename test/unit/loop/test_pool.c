/* test_pool.c - tasks from a pool: exhaustion as a code or a wait, storage that returns to the pool
 * SPDX-License-Identifier: MIT */
#include "pt_test.h"

#if PT_PORT && PT_TIMERS && PT_POOLS

struct guest {
    struct pt pt;
    int number;
    pt_time stay;
};

static PT_ASYNC(guest, self)
{
    trace_add("+%d@%d ", self->number, test_ms(PT_NOW()));
    PT_WAIT(self->stay);
    trace_add("-%d@%d ", self->number, test_ms(PT_NOW()));
}
PT_END

typedef PT_POOL(guest, 2) inn;

static inn rooms;

/* Without a fork for each test, a static pool must be cleared by hand. */
static void open_rooms(void)
{
    test_zero(rooms);
    test_open(&world);
}

static pt_status check_in(int number, int ms)
{
    return PT_START_FROM(&world.loop, &rooms, guest, .number = number,
                         .stay = (pt_time)((pt_time)ms * PT_MS(1)));
}

START_TEST(a_spawn_from_an_empty_pool_fails_with_a_code)
{
    const struct pt_pool *pool = &rooms.pool;

    open_rooms();
    ck_assert_int_eq(check_in(1, 2), PT_OK);
    ck_assert_int_eq(check_in(2, 2), PT_OK);
    ck_assert_int_eq(check_in(3, 2), PT_ENOMEM);
    ck_assert_uint_eq(pt_loop_live(&world.loop), 2);
    ck_assert_uint_eq(pool->used, 2);
    run_world("+1@0 +2@0 -1@2 -2@2 ");
}
END_TEST

START_TEST(a_task_frees_its_storage_when_it_is_done)
{
    open_rooms();
    for (int i = 0; i < 3; i++) {
        ck_assert_int_eq(check_in(2 * i, 0), PT_OK);
        ck_assert_int_eq(check_in(2 * i + 1, 0), PT_OK);
        ck_assert_int_eq(check_in(9, 0), PT_ENOMEM);
        ck_assert_int_eq(pt_loop_run(&world.loop), PT_OK);
    }
    ck_assert_uint_eq(rooms.pool.used, 0);
    run_world("+0@0 +1@0 -0@0 -1@0 +2@0 +3@0 -2@0 -3@0 +4@0 +5@0 -4@0 -5@0 ");
}
END_TEST

struct porter {
    struct pt pt;
    int from, to;
};

static PT_ASYNC(porter, self)
{
    for (; self->from < self->to; self->from++) {
        PT_SPAWN_FROM(&rooms, guest, .number = self->from, .stay = PT_MS(1));
        trace_add("%s ", pt_status_name(self->pt.status));
    }
}
PT_END

START_TEST(a_task_that_spawns_from_an_empty_pool_gets_a_code)
{
    static PT_TASK(porter) night;

    open_rooms();
    test_zero(night);
    PT_START(&world.loop, &night, porter, .from = 1, .to = 4);
    run_world("PT_OK PT_OK PT_ENOMEM +1@0 +2@0 -1@1 -2@1 ");
}
END_TEST

struct patient {
    struct pt pt;
    int from, to;
};

static PT_ASYNC(patient, self)
{
    for (; self->from < self->to; self->from++) {
        PT_SPAWN_WHEN_FREE(&rooms, guest, .number = self->from, .stay = PT_MS(1));
        trace_add("%d:%s ", self->from, pt_status_name(self->pt.status));
    }
}
PT_END

static PT_TASK(patient) queue[3];

static void start_patient(int i, int from, int to)
{
    ck_assert_int_eq(PT_START(&world.loop, &queue[i], patient, .from = from, .to = to), PT_OK);
}

START_TEST(a_task_can_wait_for_free_storage)
{
    open_rooms();
    test_zero(queue);
    start_patient(0, 1, 5);
    run_world("1:PT_OK 2:PT_OK +1@0 +2@0 -1@1 -2@1 3:PT_OK 4:PT_OK +3@1 +4@1 -3@2 -4@2 ");
    ck_assert_uint_eq(rooms.pool.used, 0);
    ck_assert_uint_eq(rooms.pool.granted, 0);
}
END_TEST

START_TEST(tasks_that_wait_for_storage_get_it_in_order)
{
    open_rooms();
    test_zero(queue);
    ck_assert_int_eq(check_in(8, 1), PT_OK);
    ck_assert_int_eq(check_in(9, 1), PT_OK);
    start_patient(1, 1, 2);
    start_patient(0, 2, 3);
    start_patient(2, 3, 4);
    run_world("+8@0 +9@0 -8@1 -9@1 1:PT_OK 2:PT_OK +1@1 +2@1 -1@2 -2@2 3:PT_OK +3@2 -3@3 ");
}
END_TEST

START_TEST(no_spawn_overtakes_a_task_that_waits_for_storage)
{
    open_rooms();
    test_zero(queue);
    ck_assert_int_eq(check_in(8, 1), PT_OK);
    ck_assert_int_eq(check_in(9, 5), PT_OK);
    start_patient(0, 1, 2);
    pt_loop_turn(&world.loop, TEST_START);
    pt_loop_turn(&world.loop, test_at(1));
    ck_assert_trace("+8@0 +9@0 -8@1 ");
    ck_assert_uint_eq(rooms.pool.used, 1);
    ck_assert_int_eq(check_in(7, 1), PT_ENOMEM); /* the free room is reserved for the waiter */
    world.clock.now = test_at(1);
    run_world("1:PT_OK +1@1 -1@2 -9@5 ");
}
END_TEST

START_TEST(a_wake_does_not_end_the_wait_for_storage)
{
    open_rooms();
    test_zero(queue);
    ck_assert_int_eq(check_in(8, 1), PT_OK);
    ck_assert_int_eq(check_in(9, 1), PT_OK);
    start_patient(0, 1, 2);
    pt_loop_turn(&world.loop, TEST_START);
    pt_wake(&queue[0].task);
    pt_loop_turn(&world.loop, TEST_START);
    ck_assert_trace("+8@0 +9@0 ");
    run_world("-8@1 -9@1 1:PT_OK +1@1 -1@2 ");
}
END_TEST

START_TEST(a_failed_start_returns_its_storage_to_the_pool)
{
    static PT_LOOP_STORAGE(2) storage;
    struct pt_loop loop;

    open_rooms();
    pt_loop_init(&loop, TEST_START);
    pt_loop_use(&loop, &storage);
#if PT_LOOP_HAS_STORAGE_
    {
        static PT_TASK(guest) first, second;

        test_zero(first);
        test_zero(second);
        ck_assert_int_eq(PT_START(&loop, &first, guest, .number = 1), PT_OK);
        ck_assert_int_eq(PT_START(&loop, &second, guest, .number = 2), PT_OK);
        ck_assert_int_eq(PT_START_FROM(&loop, &rooms, guest, .number = 3), PT_ENOMEM);
        ck_assert_uint_eq(rooms.pool.used, 0);
    }
#endif
    ck_assert_int_eq(check_in(4, 0), PT_OK);
    run_world("+4@0 -4@0 ");
}
END_TEST

#if PT_LOOP_HAS_STORAGE_

static int asked;              /* how many fields were evaluated */
static struct pt_loop cramped; /* a loop that cannot grow */

static void open_cramped(void)
{
    static PT_LOOP_STORAGE(4) storage; /* a power of two, because a ring would round it up */

    asked = 0;
    open_rooms();
    test_zero(queue);
    pt_loop_init(&cramped, TEST_START);
    pt_loop_use(&cramped, &storage);
}

static void crowd(int tasks)
{
    static PT_TASK(guest) others[4];

    test_zero(others);
    for (int i = 0; i < tasks; i++)
        ck_assert_int_eq(PT_START(&cramped, &others[i], guest, .stay = PT_MS(9)), PT_OK);
    ck_assert_uint_eq(pt_loop_live(&cramped), 4);
}

struct usher {
    struct pt pt;
};

static PT_ASYNC(usher, self)
{
    PT_SPAWN_FROM(&rooms, guest, .number = ++asked);
    trace_add("%s ", pt_status_name(self->pt.status));
    PT_SPAWN_WHEN_FREE(&rooms, guest, .number = ++asked);
    trace_add("%s ", pt_status_name(self->pt.status));
}
PT_END

static struct pt_loop *count_loop(int *calls)
{
    ++*calls;
    return &cramped;
}

START_TEST(no_field_of_a_task_from_a_pool_is_evaluated_if_its_loop_has_no_room)
{
    static PT_TASK(usher) usher_task;
    int calls = 0;

    open_cramped();
    test_zero(usher_task);
    ck_assert_int_eq(PT_START(&cramped, &usher_task, usher), PT_OK);
    crowd(3);
    ck_assert_int_eq(PT_START_FROM(count_loop(&calls), &rooms, guest, .number = ++asked),
                     PT_ENOMEM);
    ck_assert_int_eq(calls, 1);
    ck_assert_uint_eq(rooms.pool.used, 0);
    pt_loop_turn(&cramped, TEST_START);
    ck_assert_trace("PT_ENOMEM PT_ENOMEM +0@0 +0@0 +0@0 ");
    ck_assert_int_eq(asked, 0);
    ck_assert_uint_eq(rooms.pool.used, 0);
    ck_assert_int_eq(PT_START_FROM(count_loop(&calls), &rooms, guest, .number = ++asked), PT_OK);
    ck_assert_int_eq(calls, 2);
    ck_assert_int_eq(asked, 1);
}
END_TEST

START_TEST(an_item_goes_to_the_next_waiter_if_the_loop_has_no_room_for_the_first)
{
    open_cramped();
    ck_assert_int_eq(PT_START_FROM(&cramped, &rooms, guest, .number = 8, .stay = PT_MS(1)), PT_OK);
    ck_assert_int_eq(PT_START_FROM(&cramped, &rooms, guest, .number = 9, .stay = PT_MS(5)), PT_OK);
    ck_assert_int_eq(PT_START(&cramped, &queue[0], patient, .from = 1, .to = 2), PT_OK);
    ck_assert_int_eq(PT_START(&cramped, &queue[1], patient, .from = 2, .to = 3), PT_OK);
    pt_loop_turn(&cramped, TEST_START);
    pt_loop_turn(&cramped, test_at(1));
    ck_assert_trace("+8@0 +9@0 -8@1 ");
    crowd(1); /* in the place of guest 8 */
    for (int i = 0; i < 3; i++)
        pt_loop_turn(&cramped, test_at(1));
    ck_assert_trace("1:PT_ENOMEM +0@1 2:PT_OK +2@1 "); /* the end of waiter 1 made room */
    ck_assert_uint_eq(rooms.pool.used, 2);
    ck_assert_uint_eq(rooms.pool.granted, 0);
}
END_TEST

#endif

/* An owner that starts the next guest in the room as soon as it is free. */
struct innkeeper {
    struct pt_owner owner;
    int expected;
    PT_OWNED_TASK(guest) room;
};

static void let(struct innkeeper *innkeeper)
{
    int number = innkeeper->expected--;

    ck_assert_int_eq(
        PT_START(&world.loop, &innkeeper->room, guest, .number = number, .stay = PT_MS(1)), PT_OK);
    PT_OWN(&innkeeper->room, &innkeeper->owner);
}

static void check_out(struct pt_owner *owner, struct pt_task *task)
{
    struct innkeeper *innkeeper = (struct innkeeper *)(void *)owner;

    ck_assert(task == &innkeeper->room.task);
    ck_assert(pt_task_done(task));
    trace_add("free ");
    if (innkeeper->expected)
        let(innkeeper);
}

START_TEST(an_owner_can_reuse_the_storage_at_once)
{
    static struct innkeeper innkeeper;

    open_rooms();
    test_zero(innkeeper);
    innkeeper.owner.release = check_out;
    innkeeper.expected = 2;
    let(&innkeeper);
    run_world("+2@0 -2@1 free +1@1 -1@2 free ");
    ck_assert(pt_task_status(&innkeeper.room.task) == PT_OK);
}
END_TEST

START_TEST(a_task_is_found_from_its_node)
{
    PT_TASK(guest) tasks[2];
    struct pt_fifo line;

    pt_fifo_init(&line);
    pt_fifo_push(&line, &tasks[1].task.node);
    pt_fifo_push(&line, &tasks[0].task.node);
    ck_assert(pt_task_of(pt_fifo_pop(&line)) == &tasks[1].task);
    ck_assert(pt_task_of(pt_fifo_pop(&line)) == &tasks[0].task);
}
END_TEST

Suite *suite_pool(void)
{
    Suite *suite = test_suite("pool");

    test_add(suite, a_spawn_from_an_empty_pool_fails_with_a_code);
    test_add(suite, a_task_frees_its_storage_when_it_is_done);
    test_add(suite, a_task_that_spawns_from_an_empty_pool_gets_a_code);
    test_add(suite, a_task_can_wait_for_free_storage);
    test_add(suite, tasks_that_wait_for_storage_get_it_in_order);
    test_add(suite, no_spawn_overtakes_a_task_that_waits_for_storage);
    test_add(suite, a_wake_does_not_end_the_wait_for_storage);
    test_add(suite, a_failed_start_returns_its_storage_to_the_pool);
#if PT_LOOP_HAS_STORAGE_
    test_add(suite, no_field_of_a_task_from_a_pool_is_evaluated_if_its_loop_has_no_room);
    test_add(suite, an_item_goes_to_the_next_waiter_if_the_loop_has_no_room_for_the_first);
#endif
    test_add(suite, an_owner_can_reuse_the_storage_at_once);
    test_add(suite, a_task_is_found_from_its_node);
    return suite;
}
#else

Suite *suite_pool(void)
{
    return test_suite("pool");
}

#endif
