/* test_taken.c - the new task of a start: from a pool, from the heap; its frame, by its address
 * SPDX-License-Identifier: MIT */
#include "test_escape.h"

#if PT_PORT && PT_TIMERS && PT_POOLS && PT_CANCEL

struct lodger {
    struct pt pt;
    int number;
};

static PT_ASYNC(lodger, self)
{
    PT_WAIT(PT_MS(5));
    trace_add("%d ", self->number);
}
PT_END

static PT_POOL(lodger, 2) house;

static void open_house(void)
{
    test_zero(house);
    test_open(&world);
}

START_TEST(the_item_of_the_last_start_is_that_task_and_its_frame)
{
    open_house();
    for (int i = 0; i < 2; i++) {
        ck_assert_int_eq(PT_START_FROM(&world.loop, &house, lodger, .number = i), PT_OK);
        ck_assert(pt_task_alive(&house.taken->task));
        ck_assert_int_eq(house.taken->frame.number, i);
        ck_assert_ptr_eq(PT_FRAME(&house.taken->task, lodger), &house.taken->frame);
    }
    pt_cancel(&house.taken->task, PT_ECANCELED);
    ck_assert_int_eq(PT_START_FROM(&world.loop, &house, lodger, .number = 2), PT_ENOMEM);
    ck_assert_ptr_null(house.taken);
    run_world("0 ");
}
END_TEST

/* Starts lodgers by each macro, and looks at each at once. */
struct landlord {
    struct pt pt;
    struct pt_task *tasks[4];
    int started;
};

static PT_ASYNC(landlord, self)
{
    PT_SPAWN_FROM(&house, lodger, .number = 0);
    self->tasks[self->started++] = &house.taken->task;
    PT_SPAWN_WHEN_FREE(&house, lodger, .number = 1);
    self->tasks[self->started++] = &house.taken->task;
    PT_SPAWN_NEW(lodger, .number = 2);
    self->tasks[self->started++] = PT_LOOP()->taken;
    PT_SPAWN_FROM(&house, lodger, .number = 9);
    trace_add("%s %d ", pt_status_name(self->pt.status), house.taken != NULL);
    PT_SPAWN_WHEN_FREE(&house, lodger, .number = 3);
    self->tasks[self->started++] = &house.taken->task;
    trace_add("frame %d ", PT_FRAME(self->tasks[3], lodger)->number);
}
PT_END

static PT_TASK(landlord) landlord;

START_TEST(a_body_knows_the_task_that_it_has_started)
{
    open_house();
    test_zero(landlord);
    ck_assert_int_eq(PT_START(&world.loop, &landlord, landlord), PT_OK);
    pt_loop_turn(&world.loop, TEST_START);
    for (int i = 0; i < 3; i++)
        ck_assert_int_eq(PT_FRAME(landlord.frame.tasks[i], lodger)->number, i);
    ck_assert_ptr_eq(landlord.frame.tasks[2], world.loop.taken);
    run_world("PT_ENOMEM 0 0 1 2 frame 3 3 ");
    ck_assert_int_eq(landlord.frame.started, 4);
}
END_TEST

START_TEST(the_newest_task_of_the_heap_is_known_outside_of_a_body)
{
    struct pt_task *first;

    open_house();
    ck_assert_int_eq(PT_START_NEW(&world.loop, lodger, .number = 1), PT_OK);
    first = world.loop.taken;
    ck_assert_int_eq(PT_START_NEW(&world.loop, lodger, .number = 2), PT_OK);
    ck_assert_ptr_ne(world.loop.taken, first);
    PT_FRAME(first, lodger)->number = 7;
    pt_cancel(world.loop.taken, PT_ECANCELED);
    test_memory.fail_from = test_memory.fail_to = test_memory.calls + 1;
    ck_assert_int_eq(PT_START_NEW(&world.loop, lodger, .number = 3), PT_ENOMEM);
    ck_assert_ptr_null(world.loop.taken);
    run_world("7 ");
    test_close(&world);
}
END_TEST

#if PT_LOOP_HAS_STORAGE_
START_TEST(a_start_in_a_loop_without_room_has_no_task)
{
    static PT_LOOP_STORAGE(1) storage;
    struct pt_loop loop;

    open_house();
    pt_loop_init(&loop, TEST_START);
    pt_loop_use(&loop, &storage);
    ck_assert_int_eq(PT_START_FROM(&loop, &house, lodger, .number = 1), PT_OK);
    ck_assert_ptr_nonnull(house.taken);
    ck_assert_int_eq(PT_START_FROM(&loop, &house, lodger, .number = 2), PT_ENOMEM);
    ck_assert_ptr_null(house.taken);
    ck_assert_uint_eq(house.pool.used, 1);
}
END_TEST
#endif

#if PT_JOINS
/* Joins a task that it has from the heap: it gets the code, though the task is gone then. */
struct heir {
    struct pt pt;
};

static PT_ASYNC(heir, self)
{
    PT_SPAWN_NEW(lodger, .number = 1);
    pt_cancel(PT_LOOP()->taken, -70);
    PT_JOIN(PT_LOOP()->taken);
    trace_add("%d ", self->pt.status);
}
PT_END

START_TEST(a_joiner_of_a_task_of_the_heap_gets_its_code)
{
    static PT_TASK(heir) heir;

    open_house();
    test_zero(heir);
    ck_assert_int_eq(PT_START(&world.loop, &heir, heir), PT_OK);
    run_world("-70 ");
    test_close(&world);
}
END_TEST
#endif

#if PT_AWAIT
/* Awaits a lodger: the task's top frame is another one than its base frame. */
struct host {
    struct pt pt;
    int number;
    struct lodger lodger;
};

static PT_ASYNC(host, self)
{
    PT_WAIT_COMPLETE(&self->lodger, lodger, .number = 4);
}
PT_END

START_TEST(the_base_frame_of_a_task_that_awaits_is_found)
{
    open_house();
    ck_assert_int_eq(PT_START_NEW(&world.loop, host, .number = 3), PT_OK);
    pt_loop_turn(&world.loop, TEST_START);
    ck_assert_int_eq(PT_FRAME(world.loop.taken, host)->number, 3);
    ck_assert_int_eq(PT_FRAME(world.loop.taken, host)->lodger.number, 4);
    run_world("4 ");
    test_close(&world);
}
END_TEST
#endif

#if PT_DEBUG
START_TEST(the_frame_of_no_task_and_of_one_that_is_done_stops)
{
    struct lodger *frame = NULL;

    open_house();
    ck_assert_panic(frame = PT_FRAME(NULL, lodger),
                    "PT_FRAME: the task is NULL: did its start fail?");
    ck_assert_int_eq(PT_START_FROM(&world.loop, &house, lodger, .number = 1), PT_OK);
    run_world("1 ");
    ck_assert_panic(frame = PT_FRAME(&house.taken->task, lodger),
                    "PT_FRAME: the task is done, and its frame can be gone");
    ck_assert_ptr_null(frame);
}
END_TEST
#endif

/* A generator has no loop. */
struct loner {
    struct pt pt;
    struct pt_loop *loop;
};

static PT_ASYNC(loner, self)
{
    self->loop = PT_LOOP();
    PT_YIELD();
}
PT_END

START_TEST(a_body_knows_its_loop_and_a_generator_has_none)
{
    static PT_TASK(loner) task;
    struct loner generator;

    open_house();
    test_zero(task);
    ck_assert_int_eq(PT_START(&world.loop, &task, loner), PT_OK);
    run_world("");
    ck_assert_ptr_eq(task.frame.loop, &world.loop);
    PT_INIT(&generator, loner);
    generator.loop = &world.loop;
    ck_assert(pt_next(&generator.pt));
    ck_assert_ptr_null(generator.loop);
    pt_close(&generator.pt);
}
END_TEST

Suite *suite_taken(void)
{
    Suite *suite = test_suite("taken");

    test_add(suite, the_item_of_the_last_start_is_that_task_and_its_frame);
    test_add(suite, a_body_knows_the_task_that_it_has_started);
    test_add(suite, the_newest_task_of_the_heap_is_known_outside_of_a_body);
#if PT_LOOP_HAS_STORAGE_
    test_add(suite, a_start_in_a_loop_without_room_has_no_task);
#endif
#if PT_JOINS
    test_add(suite, a_joiner_of_a_task_of_the_heap_gets_its_code);
#endif
#if PT_AWAIT
    test_add(suite, the_base_frame_of_a_task_that_awaits_is_found);
#endif
#if PT_DEBUG
    test_add(suite, the_frame_of_no_task_and_of_one_that_is_done_stops);
#endif
    test_add(suite, a_body_knows_its_loop_and_a_generator_has_none);
    return suite;
}
#else
Suite *suite_taken(void)
{
    return test_suite("taken");
}
#endif
