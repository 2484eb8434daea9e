/* test_coroutine.c - resumable functions without a loop: generators, labels, cleanup
 * SPDX-License-Identifier: MIT */
#include "pt_test.h"

#if PT_AWAIT

/* --- generators --- */

struct range {
    struct pt pt;
    int next, end;
};

static PT_ASYNC(range, self)
{
    for (; self->next < self->end; self->next++)
        PT_YIELD();
}
PT_END

START_TEST(a_generator_yields_its_values_and_then_stays_done)
{
    struct range r;

    PT_INIT(&r, range, .next = 1, .end = 4);
    while (pt_next(&r.pt))
        trace_add("%d ", r.next);
    ck_assert_trace("1 2 3 ");
    for (int i = 0; i < 3; i++)
        ck_assert(!pt_next(&r.pt));
    ck_assert_int_eq(r.pt.status, PT_OK);
}
END_TEST

START_TEST(two_generators_of_one_function_are_independent)
{
    struct range a, b;

    PT_INIT(&a, range, .next = 0, .end = 3);
    PT_INIT(&b, range, .next = 10, .end = 12);
    for (bool more = true; more;) {
        bool more_a = pt_next(&a.pt), more_b = pt_next(&b.pt);

        trace_add("%d/%d ", more_a ? a.next : -1, more_b ? b.next : -1);
        more = more_a || more_b;
    }
    ck_assert_trace("0/10 1/11 2/-1 -1/-1 ");
}
END_TEST

START_TEST(in_a_frame_that_starts_again_the_fields_that_are_not_named_are_zero)
{
    struct {
        struct range r;
        int after;
    } both;

    both.after = 7;
    PT_INIT(&both.r, range, .next = 1, .end = 3);
    while (pt_next(&both.r.pt))
        trace_add("%d ", both.r.next);
    PT_INIT(&both.r, range, .end = 2);
    while (pt_next(&both.r.pt))
        trace_add("%d ", both.r.next);
    PT_INIT(&both.r, range);
    ck_assert_int_eq(both.r.end, 0);
    ck_assert(!pt_next(&both.r.pt));
    ck_assert_int_eq(both.after, 7);
    ck_assert_trace("1 2 0 1 ");
}
END_TEST

START_TEST(a_generator_can_be_started_again)
{
    struct range r;

    for (int round = 0; round < 2; round++) {
        PT_INIT(&r, range, .next = 5, .end = 7);
        while (pt_next(&r.pt))
            trace_add("%d ", r.next);
    }
    ck_assert_trace("5 6 5 6 ");
}
END_TEST

struct average {
    struct pt pt;
    int sum, count, value;
    const char *unit;
};

static PT_ASYNC(average, self)
{
    for (;;) {
        PT_YIELD();
        self->sum += self->value;
        self->count++;
    }
}
PT_END

START_TEST(a_generator_receives_the_values_that_are_sent_to_it)
{
    struct average mean;

    PT_INIT(&mean, average, .sum = 0, .count = 0);
    ck_assert(pt_next(&mean.pt));
    ck_assert(pt_send(&mean, .value = 3));
    ck_assert(pt_send(&mean, .value = 4, .unit = "m"));
    ck_assert_int_eq(mean.sum, 7);
    ck_assert_int_eq(mean.count, 2);
    ck_assert_str_eq(mean.unit, "m");
}
END_TEST

struct empty {
    struct pt pt;
};

static PT_ASYNC(empty, self)
{
}
PT_END

START_TEST(an_empty_body_ends_at_once)
{
    struct empty e;

    PT_INIT(&e, empty);
    ck_assert(!pt_next(&e.pt));
    ck_assert_int_eq(e.pt.status, PT_OK);
}
END_TEST

/* --- control flow --- */

struct nested {
    struct pt pt;
    int i, j, k;
};

static PT_ASYNC(nested, self)
{
    for (self->i = 0; self->i < 2; self->i++) {
        if (self->i == 1) {
            trace_add("odd ");
            PT_YIELD();
        } else {
            PT_YIELD();
            trace_add("even ");
        }
        for (self->j = 0; self->j < 3; self->j++) {
            if (self->j == 1)
                continue;
            self->k = 0;
            while (true) {
                PT_YIELD();
                if (++self->k == 2)
                    break;
            }
        }
    }
}
PT_END

START_TEST(a_suspension_works_at_any_depth_of_nested_loops)
{
    struct nested n;

    PT_INIT(&n, nested, .j = -1, .k = -1);
    while (pt_next(&n.pt))
        trace_add("%d%d%d ", n.i, n.j < 0 ? 9 : n.j, n.k < 0 ? 9 : n.k);
    ck_assert_trace("099 even 000 001 020 021 odd 132 100 101 120 121 ");
}
END_TEST

struct bracefree {
    struct pt pt;
    int n;
};

static PT_ASYNC(bracefree, self)
{
    for (self->n = 0; self->n < 6; self->n++)
        if (self->n % 3 == 0)
            PT_YIELD();
        else if (self->n % 3 == 1)
            trace_add("skip ");
        else
            PT_YIELD();
    do
        PT_YIELD();
    while (++self->n < 8);
}
PT_END

START_TEST(a_conditional_suspension_needs_no_braces)
{
    struct bracefree b;

    PT_INIT(&b, bracefree);
    while (pt_next(&b.pt))
        trace_add("%d ", b.n);
    ck_assert_trace("0 skip 2 3 skip 5 6 7 ");
}
END_TEST

#if PT_COUNTER_
struct dense {
    struct pt pt;
};

static PT_ASYNC(dense, self)
{
    PT_YIELD();
    PT_YIELD();
    PT_YIELD();
    trace_add("last ");
    PT_YIELD();
}
PT_END

START_TEST(suspensions_on_one_line_have_different_labels)
{
    struct dense d;

    PT_INIT(&d, dense);
    while (pt_next(&d.pt))
        trace_add("%d ", d.pt.label);
    ck_assert_trace("1 2 3 last 4 ");
}
END_TEST
#endif

struct tree {
    struct pt pt;
    int depth, value;
    struct tree *below; /* one frame for each level */
};

/* In order: left subtree, node, right subtree; a node of depth d stands for 2^d. */
static PT_ASYNC(tree, self)
{
    if (self->depth > 0) {
        PT_INIT(self->below, tree, .depth = self->depth - 1, .below = self->below + 1);
        while (pt_next(&self->below->pt)) {
            self->value = self->below->value;
            PT_YIELD();
        }
    }
    self->value = self->depth;
    PT_YIELD();
    if (self->depth > 0) {
        PT_INIT(self->below, tree, .depth = self->depth - 1, .below = self->below + 1);
        while (pt_next(&self->below->pt)) {
            self->value = self->below->value;
            PT_YIELD();
        }
    }
}
PT_END

START_TEST(a_generator_recurses_with_one_frame_per_level)
{
    struct tree levels[4];

    PT_INIT(&levels[0], tree, .depth = 3, .below = &levels[1]);
    while (pt_next(&levels[0].pt))
        trace_add("%d", levels[0].value);
    ck_assert_trace("010201030102010");
}
END_TEST

/* --- results --- */

struct outcome {
    struct pt pt;
    int early;
};

static PT_ASYNC(outcome, self)
{
    if (self->early == 1)
        PT_RETURN(-70);
    PT_YIELD();
    if (self->early == 2)
        PT_RETURN(-71);
    trace_add("end ");
}
PT_END

START_TEST(a_return_ends_the_function_with_its_code)
{
    static const int codes[3] = {PT_OK, -70, -71};
    struct outcome o;

    for (int early = 0; early < 3; early++) {
        PT_INIT(&o, outcome, .early = early);
        while (pt_next(&o.pt))
            trace_add("yield ");
        ck_assert_int_eq(o.pt.status, codes[early]);
        ck_assert(!pt_next(&o.pt));
        ck_assert_int_eq(o.pt.status, codes[early]);
    }
    ck_assert_trace("yield end yield ");
}
END_TEST

#if PT_CLEANUP

/* --- cleanup --- */

struct job {
    struct pt pt;
    int early;      /* where it returns: 1 and 2 before the cleanup, 3 and 4 in it */
    bool suspended; /* whether the cleanup suspends */
};

static PT_ASYNC(job, self)
{
    trace_add("begin ");
    if (self->early == 1)
        PT_RETURN(-70);
    PT_YIELD();
    if (self->early == 2)
        PT_RETURN(-71);
    trace_add("work ");

    PT_FINALLY
    trace_add("cleanup ");
    if (self->early == 3)
        PT_RETURN(-72);
    if (self->suspended) {
        PT_YIELD();
        if (self->early == 4)
            PT_RETURN(-73);
        trace_add("cleaned ");
    }
}
PT_END

static struct job a_job;

/* Run a job to its end. */
static pt_status run_job(int early, bool suspended)
{
    PT_INIT(&a_job, job, .early = early, .suspended = suspended);
    while (pt_next(&a_job.pt))
        trace_add("| ");
    return a_job.pt.status;
}

START_TEST(the_cleanup_runs_once_at_the_end)
{
    ck_assert_int_eq(run_job(0, false), PT_OK);
    ck_assert_trace("begin | work cleanup ");
    ck_assert_int_eq(run_job(0, true), PT_OK);
    ck_assert_trace("begin | work cleanup | cleaned ");
}
END_TEST

START_TEST(a_return_runs_the_cleanup)
{
    ck_assert_int_eq(run_job(1, false), -70);
    ck_assert_trace("begin cleanup ");
    ck_assert_int_eq(run_job(2, true), -71);
    ck_assert_trace("begin | cleanup | cleaned ");
}
END_TEST

START_TEST(a_return_in_the_cleanup_ends_it_with_its_own_code)
{
    ck_assert_int_eq(run_job(3, true), -72);
    ck_assert_trace("begin | work cleanup ");
    ck_assert_int_eq(run_job(4, true), -73);
    ck_assert_trace("begin | work cleanup | ");
}
END_TEST

START_TEST(close_before_the_start_runs_nothing)
{
    PT_INIT(&a_job, job, .early = 0, .suspended = false);
    ck_assert_int_eq(pt_close(&a_job.pt), PT_ECANCELED);
    ck_assert(!pt_next(&a_job.pt));
    ck_assert_trace("");
}
END_TEST

START_TEST(close_runs_the_cleanup_of_a_suspended_generator_once)
{
    PT_INIT(&a_job, job, .early = 0, .suspended = true);
    ck_assert(pt_next(&a_job.pt));
    ck_assert_int_eq(pt_close(&a_job.pt), PT_ECANCELED);
    ck_assert_trace("begin cleanup cleaned ");
    ck_assert_int_eq(pt_close(&a_job.pt), PT_ECANCELED);
    ck_assert(!pt_next(&a_job.pt));
    ck_assert_trace("");
}
END_TEST

START_TEST(close_in_the_cleanup_finishes_it_and_does_not_run_it_again)
{
    PT_INIT(&a_job, job, .early = 0, .suspended = true);
    ck_assert(pt_next(&a_job.pt));
    ck_assert(pt_next(&a_job.pt));
    trace_add("close ");
    ck_assert_int_eq(pt_close(&a_job.pt), PT_OK); /* its work was done */
    ck_assert_trace("begin work cleanup close cleaned ");
}
END_TEST

START_TEST(close_returns_the_code_that_the_cleanup_returned)
{
    PT_INIT(&a_job, job, .early = 3, .suspended = false);
    ck_assert(pt_next(&a_job.pt));
    ck_assert_int_eq(pt_close(&a_job.pt), -72);
}
END_TEST

START_TEST(close_of_an_ended_generator_returns_its_status)
{
    ck_assert_int_eq(run_job(2, false), -71);
    (void)trace_take();
    ck_assert_int_eq(pt_close(&a_job.pt), -71);
    ck_assert_trace("");
}
END_TEST

START_TEST(close_ends_a_generator_that_has_no_cleanup)
{
    struct range r;

    PT_INIT(&r, range, .next = 0, .end = 3);
    ck_assert(pt_next(&r.pt));
    ck_assert_int_eq(pt_close(&r.pt), PT_ECANCELED);
    ck_assert(!pt_next(&r.pt));
    ck_assert_int_eq(r.next, 0);
}
END_TEST

START_TEST(a_frame_that_is_started_again_cleans_up_again)
{
    for (int round = 0; round < 2; round++) {
        ck_assert_int_eq(run_job(1, false), -70);
        ck_assert_trace("begin cleanup ");
    }
}
END_TEST

#endif

/* --- a function driven by hand --- */

/* A custom scheduler that handles two opcodes. */
START_TEST(any_code_can_resume_a_function_and_read_its_opcodes)
{
    struct range r;
    struct pt_task task;
    pt_fn *body;
    pt_op op;

    memset(&task, 0, sizeof task);
    PT_INIT(&r, range, .next = 0, .end = 2);
    body = r.pt.fn;
    ck_assert(body == PT_FN(range));
    do {
        op = body(&r.pt, &task);
        trace_add("%s ", pt_op_name((enum pt_opcode)op.code));
    } while (op.code != PT_OP_DONE);
    ck_assert_trace("YIELD YIELD DONE ");
}
END_TEST

#if PT_SITES
START_TEST(a_frame_with_a_site_knows_where_it_suspended)
{
    struct range r;

    PT_INIT(&r, range, .next = 0, .end = 1);
    ck_assert_ptr_null(pt_site_of_(&r.pt));
    ck_assert(pt_next(&r.pt));
    ck_assert(strncmp(pt_site_of_(&r.pt)->function, "range", 5) == 0);
    ck_assert(strstr(pt_site_of_(&r.pt)->file, "test_coroutine.c") != NULL);
    ck_assert(pt_site_of_(&r.pt)->line > 1);
}
END_TEST
#endif

Suite *suite_coroutine(void)
{
    Suite *suite = test_suite("coroutine");

    test_add(suite, a_generator_yields_its_values_and_then_stays_done);
    test_add(suite, two_generators_of_one_function_are_independent);
    test_add(suite, a_generator_can_be_started_again);
    test_add(suite, in_a_frame_that_starts_again_the_fields_that_are_not_named_are_zero);
    test_add(suite, a_generator_receives_the_values_that_are_sent_to_it);
    test_add(suite, an_empty_body_ends_at_once);
    test_add(suite, a_suspension_works_at_any_depth_of_nested_loops);
    test_add(suite, a_conditional_suspension_needs_no_braces);
#if PT_COUNTER_
    test_add(suite, suspensions_on_one_line_have_different_labels);
#endif
    test_add(suite, a_generator_recurses_with_one_frame_per_level);
    test_add(suite, a_return_ends_the_function_with_its_code);
#if PT_CLEANUP
    test_add(suite, the_cleanup_runs_once_at_the_end);
    test_add(suite, a_return_runs_the_cleanup);
    test_add(suite, a_return_in_the_cleanup_ends_it_with_its_own_code);
    test_add(suite, close_before_the_start_runs_nothing);
    test_add(suite, close_runs_the_cleanup_of_a_suspended_generator_once);
    test_add(suite, close_in_the_cleanup_finishes_it_and_does_not_run_it_again);
    test_add(suite, close_returns_the_code_that_the_cleanup_returned);
    test_add(suite, close_of_an_ended_generator_returns_its_status);
    test_add(suite, close_ends_a_generator_that_has_no_cleanup);
    test_add(suite, a_frame_that_is_started_again_cleans_up_again);
#endif
    test_add(suite, any_code_can_resume_a_function_and_read_its_opcodes);
#if PT_SITES
    test_add(suite, a_frame_with_a_site_knows_where_it_suspended);
#endif
    return suite;
}
#else

Suite *suite_coroutine(void)
{
    return test_suite("coroutine");
}

#endif
