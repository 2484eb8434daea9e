/* test_generator.c - generators that yield the values of other generators
 * SPDX-License-Identifier: MIT */
/* with the room sync: others of its own have some of its names */
#include "pt_test.h"

#if PT_SUBGENERATORS

/* --- values --- */

struct range {
    struct pt pt;
    int from, to;
    int *out;
};

static PT_ASYNC(range, self)
{
    for (; self->from < self->to; self->from++) {
        *self->out = self->from;
        PT_YIELD();
    }
    if (self->to == 9)
        PT_RETURN(-70);
}
PT_END

struct both {
    struct pt pt;
    struct range range;
    int *out;
};

static PT_ASYNC(both, self)
{
    PT_YIELD_FROM(&self->range, range, .from = 1, .to = 3, .out = self->out);
    trace_add("%d ", self->pt.status);
    PT_YIELD_FROM(&self->range, range, .from = 5, .to = 5, .out = self->out);
    *self->out = 0;
    PT_YIELD();
    PT_YIELD_FROM(&self->range, range, .from = 7, .to = 9, .out = self->out);
    trace_add("%d ", self->pt.status);
}
PT_END

START_TEST(a_generator_yields_the_values_of_another_one_and_gets_its_code)
{
    struct both b;
    int value;

    PT_INIT(&b, both, .out = &value);
    while (pt_next(&b.pt))
        trace_add("%d ", value);
    ck_assert_trace("1 2 0 0 7 8 -70 ");
    ck_assert(!pt_next(&b.pt));
    ck_assert_int_eq(b.pt.status, PT_OK);
    ck_assert_trace("");
}
END_TEST

/* Its frame still leads to the one that it ran for. */
START_TEST(a_generator_that_another_one_has_used_up_has_no_more_values)
{
    static struct both both;
    int at = -1;

    PT_INIT(&both, both, .out = &at);
    while (pt_next(&both.pt))
        ;
    (void)trace_take();
    ck_assert(!pt_next(&both.range.pt));
    ck_assert(!pt_next(&both.pt));
    ck_assert_trace("");
}
END_TEST

#if PT_CLEANUP && PT_HOSTED && !PT_DEBUG
/* Its cleanup yields from another one, whose cleanup does the same, and so on. */
struct deep {
    struct pt pt;
    struct deep *below;
    int *refused;
};

static PT_ASYNC(deep, self)
{
    PT_FINALLY
    PT_YIELD_FROM(self->below, deep, .below = self->below + 1, .refused = self->refused);
    if (self->pt.status == PT_ERANGE)
        ++*self->refused;
}
PT_END

START_TEST(cleanups_of_generators_that_nest_too_deep_are_refused)
{
    static struct deep deep[PT_CLEANING_MOST_ / 2 + 3];
    int refused = 0;

    test_zero(deep);
    PT_INIT(&deep[0], deep, .below = &deep[1], .refused = &refused);
    ck_assert(!pt_next(&deep[0].pt));
    ck_assert_int_eq(refused, 1);
}
END_TEST
#endif

START_TEST(a_generator_that_was_left_in_another_one_can_be_started_again)
{
    struct both b;
    int value = 0;

    for (int round = 0; round < 2; round++) {
        PT_INIT(&b, both, .out = &value);
        for (int i = 0; i < 2; i++)
            ck_assert(pt_next(&b.pt));
        ck_assert_int_eq(value, 2);
    }
    ck_assert(pt_send(&b, .range.to = 4)); /* a field of the inner one */
    ck_assert_int_eq(value, 3);
}
END_TEST

struct tree {
    struct pt pt;
    int depth, *out; /* the frame of the level below follows */
};

/* In order: left subtree, node, right subtree; a node of depth d stands for d. */
static PT_ASYNC(tree, self)
{
    if (self->depth > 0)
        PT_YIELD_FROM(self + 1, tree, .depth = self->depth - 1, .out = self->out);
    *self->out = self->depth;
    PT_YIELD();
    if (self->depth > 0)
        PT_YIELD_FROM(self + 1, tree, .depth = self->depth - 1, .out = self->out);
}
PT_END

START_TEST(a_generator_yields_from_itself_with_a_frame_for_each_level)
{
    struct tree levels[4];
    int value;

    PT_INIT(&levels[0], tree, .depth = 3, .out = &value);
    while (pt_next(&levels[0].pt))
        trace_add("%d", value);
    ck_assert_trace("010201030102010");
}
END_TEST

/* --- cost --- */

struct level {
    struct pt pt;
    int depth, values;
};

static int resumes; /* of a level */

static PT_ASYNC(level, self)
{
    if (self->depth > 0)
        PT_YIELD_FROM(self + 1, level, .depth = self->depth - 1, .values = self->values);
    for (; self->depth == 0 && self->values > 0; self->values--) {
        resumes++;
        PT_YIELD();
    }
    resumes++;
}
PT_END

START_TEST(a_value_takes_one_resume_at_every_depth)
{
    static struct level levels[101];

    resumes = 0;
    PT_INIT(&levels[0], level, .depth = 100, .values = 50);
    for (int value = 1; value <= 50; value++) {
        ck_assert(pt_next(&levels[0].pt));
        ck_assert_int_eq(resumes, value);
    }
    ck_assert(!pt_next(&levels[0].pt));
    ck_assert_int_eq(resumes, 50 + 101); /* each level ends once */
}
END_TEST

/* --- without pt_next --- */

struct waits {
    struct pt pt;
    int *out;
};

static PT_ASYNC(waits, self)
{
    *self->out = 1;
    PT_YIELD();
    PT_PARK();
}
PT_END

struct awaits {
    struct pt pt;
    struct waits waits;
    struct range range;
    int *out;
};

static PT_ASYNC(awaits, self)
{
    PT_WAIT_COMPLETE(&self->range, range, .from = 3, .to = 5, .out = self->out);
    PT_YIELD_FROM(&self->waits, waits, .out = self->out);
    trace_add("woken ");
}
PT_END

START_TEST(an_await_in_a_generator_yields_what_the_awaited_function_yields)
{
    struct awaits a;
    int value;

    PT_INIT(&a, awaits, .out = &value);
    for (int i = 0; i < 3; i++) {
        ck_assert(pt_next(&a.pt));
        trace_add("%d ", value);
    }
    ck_assert_trace("3 4 1 ");
}
END_TEST

START_TEST(in_a_task_each_value_is_a_yield_and_the_inner_function_may_wait)
{
    static PT_TASK(awaits) task;
    struct pt_loop loop;
    static PT_LOOP_STORAGE(2) storage;
    int value = 0;

    test_zero(task);
    pt_loop_init(&loop, TEST_START);
    pt_loop_use(&loop, &storage);
    PT_START(&loop, &task, awaits, .out = &value);
    for (int turn = 0; turn < 4; turn++) {
        pt_loop_turn(&loop, TEST_START);
        trace_add("%d ", value);
    }
    ck_assert_trace("3 4 1 1 ");
    pt_wake(&task.task);
    pt_loop_turn(&loop, TEST_START);
    ck_assert_trace("woken ");
    ck_assert(pt_task_done(&task.task));
}
END_TEST

/* --- endings --- */

#if PT_CLEANUP

struct job {
    struct pt pt;
    char name;
    bool tidy; /* whether its cleanup yields from another one */
    int suspended;
    struct job *inner;
};

static PT_ASYNC(job, self)
{
    trace_add("%c ", self->name);
    if (self->inner && !self->tidy)
        PT_YIELD_FROM(self->inner, job, PT_KEEP, .name = (char)(self->name + 1));
    PT_YIELD();
    trace_add("%c-works ", self->name);

    PT_FINALLY
    trace_add("%c-ends ", self->name);
    if (self->inner && self->tidy)
        PT_YIELD_FROM(self->inner, job, PT_KEEP, .name = (char)(self->name + 1));
    for (; self->suspended > 0; self->suspended--)
        PT_YIELD();
    trace_add("%c-ended%s ", self->name, self->pt.status == PT_ECANCELED ? "-by-close" : "");
}
PT_END

static struct job jobs[3];

static void start_jobs(void)
{
    test_zero(jobs);
    jobs[0].inner = &jobs[1];
    jobs[1].inner = &jobs[2];
    PT_INIT(&jobs[0], job, PT_KEEP, .name = 'a');
}

START_TEST(close_runs_the_cleanups_of_all_that_have_started_the_innermost_first)
{
    start_jobs();
    jobs[1].suspended = 2;
    ck_assert(pt_next(&jobs[0].pt));
    ck_assert_trace("a b c ");
    ck_assert_int_eq(pt_close(&jobs[0].pt), PT_ECANCELED);
    ck_assert_trace("c-ends c-ended b-ends b-ended-by-close a-ends a-ended-by-close ");
    for (int i = 0; i < 3; i++)
        ck_assert_int_eq(jobs[i].pt.status, PT_ECANCELED);
    ck_assert(!pt_next(&jobs[0].pt));
    ck_assert_int_eq(pt_close(&jobs[0].pt), PT_ECANCELED);
    ck_assert_trace("");
}
END_TEST

START_TEST(close_after_the_inner_one_has_ended_leaves_its_frame_alone)
{
    start_jobs();
    jobs[1].inner = NULL;
    for (int i = 0; i < 2; i++)
        ck_assert(pt_next(&jobs[0].pt));
    ck_assert_trace("a b b-works b-ends b-ended ");
    memset(&jobs[1], 0xff, sizeof jobs[1]);
    ck_assert_int_eq(pt_close(&jobs[0].pt), PT_ECANCELED);
    ck_assert_trace("a-ends a-ended ");
}
END_TEST

START_TEST(close_finishes_the_cleanup_of_an_inner_one_and_then_ends_the_outer_one)
{
    start_jobs();
    jobs[1].inner = NULL;
    jobs[1].suspended = 2;
    for (int i = 0; i < 2; i++)
        ck_assert(pt_next(&jobs[0].pt));
    ck_assert_trace("a b b-works b-ends ");
    ck_assert_int_eq(pt_close(&jobs[0].pt), PT_ECANCELED);
    ck_assert_trace("b-ended a-ends a-ended ");
    ck_assert_int_eq(jobs[1].pt.status, PT_OK);
}
END_TEST

START_TEST(close_ends_nothing_that_a_cleanup_yields_from)
{
    start_jobs();
    jobs[1].tidy = true;
    jobs[1].inner = &jobs[2];
    for (int i = 0; i < 2; i++)
        ck_assert(pt_next(&jobs[0].pt));
    ck_assert_trace("a b b-works b-ends c ");
    ck_assert_int_eq(pt_close(&jobs[0].pt), PT_ECANCELED);
    ck_assert_trace("c-works c-ends c-ended b-ended a-ends a-ended ");
}
END_TEST

START_TEST(a_cleanup_that_close_runs_may_yield_from_another_one)
{
    start_jobs();
    jobs[0].tidy = true;
    ck_assert(pt_next(&jobs[0].pt));
    ck_assert_trace("a ");
    ck_assert_int_eq(pt_close(&jobs[0].pt), PT_ECANCELED);
    ck_assert_trace("a-ends b c c-works c-ends c-ended b-works b-ends b-ended a-ended ");
}
END_TEST

START_TEST(close_of_a_generator_whose_inner_one_has_no_cleanup_ends_both)
{
    struct both b;
    int value;

    PT_INIT(&b, both, .out = &value);
    ck_assert(pt_next(&b.pt));
    ck_assert_int_eq(pt_close(&b.pt), PT_ECANCELED);
    ck_assert_int_eq(b.range.pt.status, PT_ECANCELED);
    ck_assert_int_eq(b.range.from, 1);
    ck_assert_trace("");
}
END_TEST

#endif

Suite *suite_generator(void)
{
    Suite *suite = test_suite("generator");

    test_add(suite, a_generator_yields_the_values_of_another_one_and_gets_its_code);
    test_add(suite, a_generator_that_another_one_has_used_up_has_no_more_values);
#if PT_CLEANUP && PT_HOSTED && !PT_DEBUG
    test_add(suite, cleanups_of_generators_that_nest_too_deep_are_refused);
#endif
    test_add(suite, a_generator_that_was_left_in_another_one_can_be_started_again);
    test_add(suite, a_generator_yields_from_itself_with_a_frame_for_each_level);
    test_add(suite, a_value_takes_one_resume_at_every_depth);
    test_add(suite, an_await_in_a_generator_yields_what_the_awaited_function_yields);
    test_add(suite, in_a_task_each_value_is_a_yield_and_the_inner_function_may_wait);
#if PT_CLEANUP
    test_add(suite, close_runs_the_cleanups_of_all_that_have_started_the_innermost_first);
    test_add(suite, close_after_the_inner_one_has_ended_leaves_its_frame_alone);
    test_add(suite, close_finishes_the_cleanup_of_an_inner_one_and_then_ends_the_outer_one);
    test_add(suite, close_ends_nothing_that_a_cleanup_yields_from);
    test_add(suite, a_cleanup_that_close_runs_may_yield_from_another_one);
    test_add(suite, close_of_a_generator_whose_inner_one_has_no_cleanup_ends_both);
#endif
    return suite;
}

#else

Suite *suite_generator(void)
{
    return test_suite("generator");
}

#endif
