/* test_spawn.c - starting tasks, awaiting functions, joining
 * SPDX-License-Identifier: MIT */
#include "pt_test.h"

#if PT_PORT && PT_TIMERS && PT_AWAIT && PT_CLEANUP && PT_JOINS

/* --- spawn --- */

struct child {
    struct pt pt;
    char name;
    int turns;
    pt_status code;
};

static PT_ASYNC(child, self)
{
    for (; self->turns > 0; self->turns--) {
        trace_add("%c", self->name);
        PT_YIELD();
    }
    trace_add("%c.", self->name);
    PT_RETURN(self->code);
}
PT_END

struct parent {
    struct pt pt;
    PT_TASK(child) one, two;
};

static PT_ASYNC(parent, self)
{
    trace_add("<");
    PT_SPAWN(&self->one, child, .name = 'x', .turns = 1);
    trace_add("%d", self->pt.status);
    PT_SPAWN(&self->two, child, .name = 'y', .turns = 1);
    trace_add("%d>", self->pt.status);
    PT_YIELD();
    trace_add("p");
    PT_JOIN(&self->one.task);
    PT_JOIN(&self->two.task);
}
PT_END

static PT_TASK(parent) family;
static PT_TASK(child) a, b;

static void open_family(void)
{
    test_zero(family);
    test_zero(a);
    test_zero(b);
    test_open(&world);
}

START_TEST(the_spawner_continues_and_its_children_run_after_the_ready_tasks)
{
    open_family();
    PT_START(&world.loop, &family, parent);
    PT_START(&world.loop, &a, child, .name = 'a', .turns = 2);
    run_world("<00>axypax.y.a.");
}
END_TEST

#if PT_HAS_LOOP_ /* else a task returns every spawn */
START_TEST(a_body_that_is_resumed_by_hand_returns_its_spawn_even_if_its_task_was_in_a_loop)
{
    pt_op op;

    open_family();
    PT_START(&world.loop, &family, parent);
    run_world("<00>xypx.y.");
    PT_INIT(&family.frame, parent);
    op = PT_FN(parent)(&family.frame.pt, &family.task);
    ck_assert_int_eq((int)op.code, PT_OP_SPAWN);
    ck_assert_ptr_eq(family.task.node.link.operand, &family.frame.one.task);
    ck_assert(!pt_task_alive(&family.frame.one.task));
    ck_assert_trace("<");
}
END_TEST
#endif

START_TEST(a_start_sets_the_named_fields)
{
    open_family();
    ck_assert_int_eq(PT_START(&world.loop, &a, child, .name = 'a', .turns = 0, .code = -65), PT_OK);
    run_world("a.");
    ck_assert_int_eq(a.frame.pt.status, -65);
    ck_assert_int_eq(pt_task_status(&a.task), -65);
}
END_TEST

START_TEST(a_task_is_idle_then_alive_then_done)
{
    open_family();
    ck_assert(!pt_task_alive(&a.task));
    ck_assert(!pt_task_done(&a.task));
    ck_assert_int_eq(pt_task_status(&a.task), PT_EINVAL);
    PT_START(&world.loop, &a, child, .name = 'a', .turns = 1);
    ck_assert(pt_task_alive(&a.task));
    ck_assert(!pt_task_done(&a.task));
    ck_assert_int_eq(pt_task_status(&a.task), PT_EINVAL);
    run_world("aa.");
    ck_assert(!pt_task_alive(&a.task));
    ck_assert(pt_task_done(&a.task));
    ck_assert_int_eq(pt_task_status(&a.task), PT_OK);
}
END_TEST

START_TEST(storage_can_be_reused_when_its_task_is_done)
{
    open_family();
    for (int i = 0; i < 3; i++) {
        ck_assert_int_eq(PT_START(&world.loop, &a, child, .name = (char)('1' + i), .turns = 1),
                         PT_OK);
        ck_assert_int_eq(pt_loop_run(&world.loop), PT_OK);
    }
    run_world("11.22.33.");
}
END_TEST

#if !PT_DEBUG
struct greedy {
    struct pt pt;
};

static PT_ASYNC(greedy, self)
{
    PT_SPAWN(&a, child, .name = 'z', .turns = 9);
    trace_add("(%s)", pt_status_name(self->pt.status));
}
PT_END

START_TEST(a_running_task_is_not_started_again)
{
    static PT_TASK(greedy) rival;

    open_family();
    test_zero(rival);
    PT_START(&world.loop, &a, child, .name = 'a', .turns = 2, .code = -65);
    ck_assert_int_eq(PT_START(&world.loop, &a, child, .name = 'z', .turns = 9), PT_EBUSY);
    PT_START(&world.loop, &rival, greedy);
    ck_assert_uint_eq(pt_loop_live(&world.loop), 2);
    run_world("a(PT_EBUSY)aa.");
    ck_assert_int_eq(pt_task_status(&a.task), -65);
}
END_TEST
#endif

/* --- await --- */

struct deep {
    struct pt pt;
    int level;
    struct deep *below;
};

static PT_ASYNC(deep, self)
{
    if (self->level > 0) {
        PT_WAIT_COMPLETE(self->below, deep, .level = self->level - 1, .below = self->below + 1);
        if (self->pt.status != -64 - (self->level - 1))
            trace_add("wrong at %d ", self->level);
    } else {
        trace_add("bottom ");
        PT_WAIT(PT_MS(5));
        PT_YIELD();
        trace_add("woke@%d ", test_ms(PT_NOW()));
    }
    PT_RETURN((pt_status)(-64 - self->level));
}
PT_END

START_TEST(awaits_nest_64_deep_and_return_their_codes)
{
    static PT_TASK(deep) root;
    static struct deep levels[64];

    open_family();
    test_zero(root);
    PT_START(&world.loop, &root, deep, .level = 63, .below = levels);
    run_world("bottom woke@5 ");
    ck_assert_int_eq(pt_task_status(&root.task), -127);
}
END_TEST

struct square {
    struct pt pt;
    int of, result;
};

static PT_ASYNC(square, self)
{
    self->result = self->of * self->of;
    if (self->of < 0)
        PT_RETURN(-70);
}
PT_END

struct sum {
    struct pt pt;
    struct square part;
    int i, total;
};

static PT_ASYNC(sum, self)
{
    for (self->i = 1; self->i <= 3; self->i++) {
        PT_WAIT_COMPLETE(&self->part, square, .of = self->i);
        self->total += self->part.result;
    }
    trace_add("%d ", self->total);
}
PT_END

START_TEST(an_await_continues_in_the_same_turn)
{
    static PT_TASK(sum) adder;

    open_family();
    test_zero(adder);
    PT_START(&world.loop, &adder, sum);
    PT_START(&world.loop, &a, child, .name = 'a', .turns = 0);
    pt_loop_turn(&world.loop, TEST_START);
    ck_assert(!pt_loop_live(&world.loop));
    run_world("14 a.");
}
END_TEST

struct attempt {
    struct pt pt;
    struct square part;
    int of;
};

static PT_ASYNC(attempt, self)
{
    PT_TRY(&self->part, square, .of = self->of);
    trace_add("went on ");

    PT_FINALLY
    trace_add("cleanup ");
}
PT_END

START_TEST(try_returns_the_code_of_a_failure)
{
    static PT_TASK(attempt) good, bad;

    open_family();
    test_zero(good);
    test_zero(bad);
    PT_START(&world.loop, &good, attempt, .of = 2);
    PT_START(&world.loop, &bad, attempt, .of = -2);
    run_world("went on cleanup cleanup ");
    ck_assert_int_eq(pt_task_status(&good.task), PT_OK);
    ck_assert_int_eq(pt_task_status(&bad.task), -70);
}
END_TEST

struct cleaner {
    struct pt pt;
    struct attempt inner;
    struct child last;
};

/* A cleanup can await, too. */
static PT_ASYNC(cleaner, self)
{
    PT_TRY(&self->inner, attempt, .of = -1);

    PT_FINALLY
    PT_WAIT_COMPLETE(&self->last, child, .name = 'c', .turns = 1);
}
PT_END

START_TEST(cleanups_run_from_the_leaf_to_the_root)
{
    static PT_TASK(cleaner) nested;

    open_family();
    test_zero(nested);
    PT_START(&world.loop, &nested, cleaner);
    run_world("cleanup cc.");
    ck_assert_int_eq(pt_task_status(&nested.task), -70);
}
END_TEST

/* --- join --- */

struct joiner {
    struct pt pt;
    char name;
    struct pt_task *target;
};

static PT_ASYNC(joiner, self)
{
    PT_JOIN(self->target);
    trace_add("%c:%s ", self->name, pt_status_name(self->pt.status));
}
PT_END

static PT_TASK(joiner) joiners[3];

static void start_joiner(int i, struct pt_task *target)
{
    PT_START(&world.loop, &joiners[i], joiner, .name = (char)('1' + i), .target = target);
}

START_TEST(joiners_continue_in_the_order_in_which_they_joined)
{
    open_family();
    test_zero(joiners);
    start_joiner(1, &a.task);
    start_joiner(0, &a.task);
    PT_START(&world.loop, &a, child, .name = 'a', .turns = 2, .code = PT_ENOMEM);
    start_joiner(2, &a.task);
    run_world("aaa.2:PT_ENOMEM 1:PT_ENOMEM 3:PT_ENOMEM ");
}
END_TEST

START_TEST(a_lone_joiner_gets_the_code_of_the_task)
{
    open_family();
    test_zero(joiners);
    PT_START(&world.loop, &a, child, .name = 'a', .turns = 1, .code = PT_ENOMEM);
    start_joiner(0, &a.task);
    run_world("aa.1:PT_ENOMEM ");
}
END_TEST

START_TEST(a_join_of_a_task_that_is_done_does_not_wait)
{
    open_family();
    test_zero(joiners);
    PT_START(&world.loop, &a, child, .name = 'a', .turns = 0, .code = PT_ERANGE);
    ck_assert_int_eq(pt_loop_run(&world.loop), PT_OK);
    start_joiner(0, &a.task);
    pt_loop_turn(&world.loop, TEST_START);
    ck_assert(!pt_loop_live(&world.loop));
    run_world("a.1:PT_ERANGE ");
}
END_TEST

START_TEST(a_join_that_cannot_end_fails_with_a_code)
{
    open_family();
    test_zero(joiners);
    start_joiner(0, &joiners[0].task);
    start_joiner(1, &a.task);
    run_world("1:PT_EDEADLK 2:PT_EINVAL ");
}
END_TEST

START_TEST(a_wake_does_not_end_a_join)
{
    open_family();
    test_zero(joiners);
    start_joiner(0, &a.task);
    PT_START(&world.loop, &a, child, .name = 'a', .turns = 3);
    pt_loop_turn(&world.loop, TEST_START);
    pt_wake(&joiners[0].task);
    run_world("aaaa.1:PT_OK ");
}
END_TEST

struct phoenix {
    struct pt pt;
    int lives;
};

/* Joins a task and then starts it again in the same storage. */
static PT_ASYNC(phoenix, self)
{
    while (self->lives-- > 0) {
        PT_SPAWN(&a, child, .name = 'a', .turns = 1);
        PT_JOIN(&a.task);
        trace_add("%d ", self->lives);
    }
}
PT_END

START_TEST(a_joiner_can_start_the_task_again)
{
    static PT_TASK(phoenix) bird;

    open_family();
    test_zero(bird);
    PT_START(&world.loop, &bird, phoenix, .lives = 3);
    run_world("aa.2 aa.1 aa.0 ");
}
END_TEST

START_TEST(a_joiner_gets_the_code_of_the_run_that_it_joined)
{
    static PT_TASK(phoenix) bird;

    open_family();
    test_zero(bird);
    test_zero(joiners);
    PT_START(&world.loop, &a, child, .name = 'a', .turns = 0, .code = PT_EINVAL);
    start_joiner(0, &a.task);
    ck_assert_int_eq(pt_loop_run(&world.loop), PT_OK);
    PT_START(&world.loop, &a, child, .name = 'b', .turns = 0, .code = PT_OK);
    run_world("a.1:PT_EINVAL b.");
}
END_TEST

Suite *suite_spawn(void)
{
    Suite *suite = test_suite("spawn");

    test_add(suite, the_spawner_continues_and_its_children_run_after_the_ready_tasks);
#if PT_HAS_LOOP_
    test_add(suite,
             a_body_that_is_resumed_by_hand_returns_its_spawn_even_if_its_task_was_in_a_loop);
#endif
    test_add(suite, a_start_sets_the_named_fields);
    test_add(suite, a_task_is_idle_then_alive_then_done);
    test_add(suite, storage_can_be_reused_when_its_task_is_done);
#if !PT_DEBUG
    test_add(suite, a_running_task_is_not_started_again);
#endif
    test_add(suite, awaits_nest_64_deep_and_return_their_codes);
    test_add(suite, an_await_continues_in_the_same_turn);
    test_add(suite, try_returns_the_code_of_a_failure);
    test_add(suite, cleanups_run_from_the_leaf_to_the_root);
    test_add(suite, joiners_continue_in_the_order_in_which_they_joined);
    test_add(suite, a_lone_joiner_gets_the_code_of_the_task);
    test_add(suite, a_join_of_a_task_that_is_done_does_not_wait);
    test_add(suite, a_join_that_cannot_end_fails_with_a_code);
    test_add(suite, a_wake_does_not_end_a_join);
    test_add(suite, a_joiner_can_start_the_task_again);
    test_add(suite, a_joiner_gets_the_code_of_the_run_that_it_joined);
    return suite;
}
#else

Suite *suite_spawn(void)
{
    return test_suite("spawn");
}

#endif
