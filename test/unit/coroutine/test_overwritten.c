/* test_overwritten.c - what PT_DEBUG finds in a frame before a start or an await zeroes it
 * SPDX-License-Identifier: MIT
 *
 * With two bytes a label, the size of struct pt is no multiple of a task's alignment on an ARM. */
#undef PT_DEBUG
#undef PT_LABEL_BITS
#define PT_DEBUG 1
#define PT_LABEL_BITS 16
#define PT_OTHER_KNOBS 1

#include "test_escape.h"

#if PT_DEBUG && PT_HAS_MEMBERS_ && PT_HAS_LOOP_ && PT_AWAIT

#define LIVES(name)                                                            \
    "the start of " name                                                       \
    ": a task in its frame still runs, and would become zero: join that task " \
    "first, or put PT_KEEP behind the name"
#define RUNS(name)                                                             \
    "the start of " name                                                       \
    ": the frame runs already, for another task, or has one in it that does: " \
    "give each task, and each level of a recursion, a frame of its own"

struct parker {
    struct pt pt;
};

static PT_ASYNC(parker, self)
{
    PT_PARK();
}
PT_END

/* A frame with a frame and a task in it. */
struct outer {
    struct pt pt;
    struct parker inner;
    char odd;
    PT_TASK(parker) child;
};

static PT_ASYNC(outer, self)
{
    PT_SPAWN(&self->child, parker);
}
PT_END

static PT_TASK(outer) whole;

/* Awaits the inner frame, or the outer one, after some turns. */
struct waiter {
    struct pt pt;
    uint8_t turns;
    bool outer, keeps;
};

static PT_ASYNC(waiter, self)
{
    for (; self->turns > 0; self->turns--)
        PT_YIELD();
    if (self->keeps)
        PT_WAIT_COMPLETE(&whole.frame.inner, parker, PT_KEEP);
    else if (self->outer)
        PT_WAIT_COMPLETE(&whole.frame, outer);
    else
        PT_WAIT_COMPLETE(&whole.frame.inner, parker);
}
PT_END

static PT_TASK(waiter) waiters[2];
static struct pt_loop loop;
static PT_LOOP_STORAGE(100) storage;

static void open_loop(void)
{
    test_zero(whole);
    test_zero(waiters);
    pt_loop_init(&loop, TEST_START);
    pt_loop_use(&loop, &storage);
}

static void turns(int count)
{
    while (count-- > 0)
        pt_loop_turn(&loop, TEST_START);
}

static pt_status start_outer(void)
{
    return PT_START(&loop, &whole, outer);
}

START_TEST(a_start_over_a_task_that_runs_in_the_frame_is_caught_wherever_the_task_is)
{
    open_loop();
    ck_assert_int_eq(start_outer(), PT_OK);
    turns(2);
    ck_assert(pt_task_done(&whole.task));
    ck_assert_panic((void)start_outer(), LIVES("outer"));
    pt_wake(&whole.frame.child.task);
    turns(2);
    ck_assert_int_eq(start_outer(), PT_OK);
    turns(2);
    ck_assert(pt_task_alive(&whole.frame.child.task));
}
END_TEST

START_TEST(a_task_in_the_frame_is_found_among_many_tasks)
{
    static PT_TASK(parker) many[90];

    open_loop();
    test_zero(many);
    for (int i = 0; i < 90; i++)
        ck_assert_int_eq(PT_START(&loop, &many[i], parker), PT_OK);
    ck_assert_int_eq(start_outer(), PT_OK);
    turns(2);
    ck_assert_panic((void)start_outer(), LIVES("outer"));
}
END_TEST

struct borrower {
    struct pt pt;
    struct outer *memory;
};

static PT_ASYNC(borrower, self)
{
    PT_WAIT_COMPLETE(self->memory, outer);
}
PT_END

START_TEST(a_frame_that_nobody_has_written_is_awaited_and_not_read)
{
    static PT_TASK(borrower) task;
    struct outer *memory = (struct outer *)malloc(sizeof *memory); /* valgrind knows */

    open_loop();
    test_zero(task);
    ck_assert_ptr_nonnull(memory);
    ck_assert_int_eq(PT_START(&loop, &task, borrower, .memory = memory), PT_OK);
    turns(2);
    pt_wake(&memory->child.task);
    turns(2);
    ck_assert(pt_task_done(&memory->child.task));
    free(memory);
}
END_TEST

START_TEST(an_await_of_a_frame_around_one_that_another_task_runs_is_caught)
{
    open_loop();
    ck_assert_int_eq(PT_START(&loop, &waiters[0], waiter), PT_OK);
    ck_assert_int_eq(PT_START(&loop, &waiters[1], waiter, .turns = 1, .outer = true), PT_OK);
    turns(1);
    ck_assert_panic(turns(1), RUNS("outer"));
}
END_TEST

START_TEST(a_start_of_a_frame_that_a_task_awaits_is_caught_with_PT_KEEP_too)
{
    open_loop();
    ck_assert_int_eq(PT_START(&loop, &waiters[0], waiter, .outer = true), PT_OK);
    turns(1);
    pt_wake(&whole.frame.child.task);
    turns(2);
    ck_assert(pt_task_done(&waiters[0].task));
    ck_assert_int_eq(start_outer(), PT_OK); /* it is done */

    open_loop();
    ck_assert_int_eq(PT_START(&loop, &waiters[0], waiter), PT_OK);
    turns(1);
    ck_assert_panic((void)start_outer(), RUNS("outer"));
    ck_assert_int_eq(PT_START(&loop, &whole, outer, PT_KEEP), PT_OK); /* nothing becomes zero */
}
END_TEST

START_TEST(an_await_that_keeps_the_fields_of_a_frame_that_runs_is_caught)
{
    open_loop();
    ck_assert_int_eq(PT_START(&loop, &waiters[0], waiter), PT_OK);
    ck_assert_int_eq(PT_START(&loop, &waiters[1], waiter, .keeps = true), PT_OK);
    ck_assert_panic(turns(1), RUNS("parker"));
}
END_TEST

#if PT_GROUPS
struct owner {
    struct pt pt;
    struct pt_group group;
    PT_TASK(waiter) member;
    uint8_t turns;
};

static PT_ASYNC(owner, self)
{
    PT_WITH_GROUP(&self->group, PT_GROUP_ALL)
        PT_SPAWN_IN(&self->group, &self->member, waiter, .turns = self->turns);
}
PT_END

START_TEST(a_frame_that_runs_in_another_group_or_in_one_is_caught)
{
    static PT_TASK(owner) owners[2];

    open_loop();
    test_zero(owners);
    ck_assert_int_eq(PT_START(&loop, &owners[0], owner), PT_OK);
    ck_assert_int_eq(PT_START(&loop, &owners[1], owner, .turns = 2), PT_OK);
    turns(3);
    ck_assert_panic(turns(2), RUNS("parker"));

    open_loop();
    test_zero(owners);
    ck_assert_int_eq(PT_START(&loop, &owners[0], owner), PT_OK);
    ck_assert_int_eq(PT_START(&loop, &waiters[0], waiter, .turns = 3), PT_OK);
    turns(3);
    ck_assert_panic(turns(2), RUNS("parker"));
}
END_TEST
#endif

Suite *suite_overwritten(void)
{
    Suite *suite = test_suite("overwritten");

    test_add(suite, a_start_over_a_task_that_runs_in_the_frame_is_caught_wherever_the_task_is);
    test_add(suite, a_task_in_the_frame_is_found_among_many_tasks);
    test_add(suite, a_frame_that_nobody_has_written_is_awaited_and_not_read);
    test_add(suite, an_await_of_a_frame_around_one_that_another_task_runs_is_caught);
    test_add(suite, a_start_of_a_frame_that_a_task_awaits_is_caught_with_PT_KEEP_too);
    test_add(suite, an_await_that_keeps_the_fields_of_a_frame_that_runs_is_caught);
#if PT_GROUPS
    test_add(suite, a_frame_that_runs_in_another_group_or_in_one_is_caught);
#endif
    return suite;
}
#else

Suite *suite_overwritten(void)
{
    return test_suite("overwritten");
}

#endif
