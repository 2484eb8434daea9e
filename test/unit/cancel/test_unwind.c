/* test_unwind.c - the cleanup of each started frame runs once, leaf first, whatever ends it
 * SPDX-License-Identifier: MIT */
#include "pt_test.h"

#if PT_PORT && PT_TIMERS && PT_AWAIT && PT_JOINS

#if PT_CANCEL

#define REASON ((pt_status)-70) /* a code of the program's own */

/* --- a chain of functions ------------------------------------------------------------------ */

/* The frames of one task: each awaits the next, and the last parks. */
struct link {
    struct pt pt;
    int left;          /* how many nested functions it awaits */
    pt_time rest;      /* how long its cleanup takes */
    struct link *next; /* the frame of the first */
};

#define DEPTH 64

static struct link chain[DEPTH];
static PT_TASK(link) unwound;

static PT_ASYNC(link, self)
{
    if (self->left > 0) {
        PT_WAIT_COMPLETE(self->next, link, .left = self->left - 1, .rest = self->rest,
                         .next = self->next + 1);
        trace_add("never ");
    }
    PT_PARK();
    trace_add("never ");
    PT_FINALLY
    trace_add("%d", self->left);
    if (self->rest)
        PT_WAIT(self->rest);
    trace_add("@%d ", test_ms(PT_NOW()));
}
PT_END

static void cancel_chain(int depth, pt_time rest, const char *trace)
{
    test_zero(chain);
    test_zero(unwound);
    test_open(&world);
    PT_START(&world.loop, &unwound, link, .left = depth, .rest = rest, .next = chain);
    turn(0);
    pt_cancel(&unwound.task, REASON);
    if (trace)
        run_world(trace);
    else
        ck_assert_int_eq(pt_loop_run(&world.loop), PT_OK);
    ck_assert_int_eq(pt_task_status(&unwound.task), REASON);
}

START_TEST(the_cleanups_of_all_frames_run_leaf_first)
{
    cancel_chain(0, 0, "0@0 ");
    cancel_chain(1, 0, "0@0 1@0 ");
    cancel_chain(3, 0, "0@0 1@0 2@0 3@0 ");
    cancel_chain(3, PT_MS(2), "0@2 1@4 2@6 3@8 ");
}
END_TEST

START_TEST(the_frames_of_64_functions_are_unwound)
{
    const char *trace;
    char expected[16];

    cancel_chain(DEPTH, PT_MS(1), NULL);
    trace = trace_take();
    for (int left = 0; left <= DEPTH; left++) {
        int length = snprintf(expected, sizeof expected, "%d@%d ", left, left + 1);

        ck_assert(!strncmp(trace, expected, (size_t)length));
        trace += length;
    }
    ck_assert_str_eq(trace, "");
    test_close(&world);
}
END_TEST

/* --- cleanups in cleanups, until they cannot be counted any more --- */

#if PT_HOSTED && PT_CLEANUP && !PT_DEBUG
enum { CLEANUPS = PT_CLEANING_MOST_ / 2 }; /* those of the base frame included */

struct nest {
    struct pt pt;
    struct nest *next;
};

static struct nest nests[CLEANUPS + 1];
static PT_TASK(nest) nested;
static int ended;
static pt_status refused;

static PT_ASYNC(nest, self)
{
    PT_FINALLY
    PT_WAIT_COMPLETE(self->next, nest, .next = self->next + 1);
    if (!ended++)
        refused = self->pt.status;
}
PT_END

/* Else a block in the last one would be taken for one of the cleanup within it, which would never end. */
START_TEST(a_cleanup_that_nests_too_deep_is_refused)
{
    test_zero(nests);
    test_zero(nested);
    ended = 0;
    test_open(&world);
    PT_START(&world.loop, &nested, nest, .next = nests);
    ck_assert_int_eq(pt_loop_run(&world.loop), PT_OK);
    ck_assert_int_eq(ended, CLEANUPS);
    ck_assert_int_eq(refused, PT_ERANGE);
    ck_assert_int_eq(pt_task_status(&nested.task), PT_OK);
    test_close(&world);
}
END_TEST
#endif

/* --- functions with and without a cleanup -------------------------------------------------- */

struct bare {
    struct pt pt;
};

static PT_ASYNC(bare, self)
{
    PT_PARK();
    trace_add("never ");
}
PT_END

struct middle {
    struct pt pt;
    struct bare leaf;
};

static PT_ASYNC(middle, self)
{
    PT_WAIT_COMPLETE(&self->leaf, bare);
    trace_add("never ");
    PT_FINALLY
    trace_add("middle:%d ", self->leaf.pt.status);
    PT_RETURN((pt_status)-71); /* from the cleanup, with another code */
}
PT_END

struct outer {
    struct pt pt;
    struct middle middle;
};

static PT_ASYNC(outer, self)
{
    PT_WAIT_COMPLETE(&self->middle, middle);
    trace_add("never ");
}
PT_END

START_TEST(unwinding_skips_functions_without_a_cleanup)
{
    static PT_TASK(outer) outer;

    test_zero(outer);
    test_open(&world);
    PT_START(&world.loop, &outer, outer);
    turn(0);
    pt_cancel(&outer.task, REASON);
    run_world("middle:-70 ");
    ck_assert_int_eq(outer.frame.middle.pt.status, -71);
    ck_assert_int_eq(pt_task_status(&outer.task), REASON);
}
END_TEST

/* --- what a cleanup can do ----------------------------------------------------------------- */

struct doze {
    struct pt pt;
    pt_time delay;
};

static PT_ASYNC(doze, self)
{
    PT_WAIT(self->delay);
    trace_add("slept@%d ", test_ms(PT_NOW()));
    PT_FINALLY
    trace_add("doze:%d ", self->pt.result);
    PT_YIELD();
}
PT_END

struct tidy {
    struct pt pt;
    struct doze doze;
    PT_TASK(doze) beside;
#if PT_TIMEOUTS
    struct pt_scope limit;
#endif
};

static PT_ASYNC(tidy, self)
{
    PT_PARK();
    PT_FINALLY
    PT_YIELD();
    PT_WAIT_COMPLETE(&self->doze, doze, .delay = PT_MS(1));
    trace_add("doze=%d ", self->pt.status);
    PT_SPAWN(&self->beside, doze, .delay = PT_MS(1));
    PT_WAIT(PT_MS(2));
    PT_JOIN(&self->beside.task);
    trace_add("beside=%d@%d ", self->pt.status, test_ms(PT_NOW()));
#if PT_TIMEOUTS
    PT_WITH_TIMEOUT(&self->limit, PT_MS(1)) {
        PT_WAIT_COMPLETE(&self->doze, doze, .delay = PT_MS(9));
    }
    trace_add("limit%d:%d ", pt_timed_out(&self->limit), self->doze.pt.status);
#else
    trace_add("doze:-7 limit1:-7 ");
#endif
    PT_SPAWN(&self->beside, doze, .delay = PT_MS(9));
    PT_YIELD();
    pt_cancel(&self->beside.task, REASON);
    PT_JOIN(&self->beside.task);
    trace_add("beside=%d ", self->pt.status);
}
PT_END

START_TEST(a_cleanup_can_wait_await_spawn_join_cancel_and_time_out)
{
    static PT_TASK(tidy) tidy;

    test_zero(tidy);
    test_open(&world);
    PT_START(&world.loop, &tidy, tidy);
    turn(0);
    pt_cancel(&tidy.task, REASON);
    run_world(
        "slept@1 doze:0 doze=0 slept@2 doze:0 beside=0@3 doze:-7 limit1:-7 doze:-70 beside=-70 ");
    ck_assert_int_eq(pt_task_status(&tidy.task), REASON);
}
END_TEST

/* --- an interruption meets a running cleanup ----------------------------------------------- */

struct caller {
    struct pt pt;
    struct doze doze;
    struct caller *deeper; /* awaits this one, or the doze */
};

static PT_ASYNC(caller, self)
{
    if (self->deeper) {
        PT_WAIT_COMPLETE(self->deeper, caller, .deeper = NULL);
    } else {
        PT_WAIT_COMPLETE(&self->doze, doze, .delay = PT_MS(1));
    }
    trace_add("never ");
    PT_FINALLY
    trace_add("caller:%d ", self->pt.result);
    PT_WAIT_COMPLETE(&self->doze, doze, .delay = PT_MS(1));
    trace_add("]@%d ", test_ms(PT_NOW()));
}
PT_END

static PT_TASK(caller) caller;
static struct caller deeper;

START_TEST(a_cancel_in_a_leafs_cleanup_unwinds_the_callers_after_it)
{
    test_zero(caller);
    test_zero(deeper);
    test_open(&world);
    PT_START(&world.loop, &caller, caller, .deeper = &deeper);
    turn(0);
    turn(1);
    ck_assert_trace("slept@1 doze:0 ");
    pt_cancel(&caller.task, REASON);
    run_world("caller:-70 slept@2 doze:0 ]@2 caller:-70 slept@3 doze:0 ]@3 ");
    ck_assert_int_eq(deeper.doze.pt.status, PT_OK);
}
END_TEST

START_TEST(a_second_cancel_does_not_interrupt_what_a_cleanup_awaits)
{
    test_zero(caller);
    test_open(&world);
    PT_START(&world.loop, &caller, caller, .deeper = NULL);
    turn(0);
    pt_cancel(&caller.task, REASON);
    turn(0);
    ck_assert_trace("doze:-70 ");
    turn(0);
    pt_cancel(&caller.task, PT_ECANCELED);
    run_world("caller:-70 slept@1 doze:0 ]@1 ");
    ck_assert_int_eq(pt_task_status(&caller.task), REASON);
}
END_TEST

#endif

Suite *suite_unwind(void)
{
    Suite *suite = test_suite("unwind");

#if PT_CANCEL
    test_add(suite, the_cleanups_of_all_frames_run_leaf_first);
    test_add(suite, the_frames_of_64_functions_are_unwound);
#if PT_HOSTED && PT_CLEANUP && !PT_DEBUG
    test_add(suite, a_cleanup_that_nests_too_deep_is_refused);
#endif
    test_add(suite, unwinding_skips_functions_without_a_cleanup);
    test_add(suite, a_cleanup_can_wait_await_spawn_join_cancel_and_time_out);
    test_add(suite, a_cancel_in_a_leafs_cleanup_unwinds_the_callers_after_it);
    test_add(suite, a_second_cancel_does_not_interrupt_what_a_cleanup_awaits);
#endif
    return suite;
}
#else

Suite *suite_unwind(void)
{
    return test_suite("unwind");
}

#endif
