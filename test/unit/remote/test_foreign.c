/* test_foreign.c - tasks await foreign code, which calls back once, and may be told to stop
 * SPDX-License-Identifier: MIT
 *
 * Here the callback comes between two turns; test_remote_ends.c has threads. */
#include "test_native.h"

#if PT_PORT && PT_TIMERS && PT_REMOTE && PT_SYNC && PT_AWAIT

/* The foreign code: it keeps whom to call, and counts what it is told. */
static struct pt_foreign *asked;
static int starts, cancels;

/* A task that asks, and goes on after that. */
struct asker {
    struct pt pt;
    struct pt_foreign asking;
    void (*start)(struct pt_foreign *self);
    void (*cancel)(struct pt_foreign *self);
    int answer;
    bool goes_on;
};

static void keep(struct pt_foreign *asking)
{
    asked = asking;
    starts++;
}

/* What the foreign code does in the end: write the value, and say so. */
static void answer(int value, pt_status code)
{
    ((struct asker *)asked->argument)->answer = value;
    ck_assert_int_eq(pt_foreign_done(asked, code), PT_OK);
}

static void fail_at_once(struct pt_foreign *asking)
{
    keep(asking);
    answer(0, PT_EIO);
}

static void note(struct pt_foreign *asking)
{
    ck_assert_ptr_eq(asking, asked);
    cancels++;
}

#if PT_CANCEL && PT_CLEANUP
static void give_up(struct pt_foreign *asking)
{
    note(asking);
    ck_assert_int_eq(pt_foreign_done(asking, PT_EIO), PT_OK);
}
#endif

static PT_ASYNC(asker, self)
{
    PT_WAIT_COMPLETE(&self->asking, pt_foreign, .start = self->start, .cancel = self->cancel,
                     .argument = self);
    trace_add("%d,%d ", self->asking.pt.status, self->answer);
    if (self->goes_on) {
        PT_YIELD();
        trace_add("on ");
    }
#if PT_CLEANUP
    PT_FINALLY
    trace_add("end@%d ", test_ms(PT_NOW()));
#else
    trace_add("end@%d ", test_ms(PT_NOW()));
#endif
}
PT_END

static PT_TASK(asker) asker;

static void open_asker(void (*ask)(struct pt_foreign *), void (*cancel)(struct pt_foreign *))
{
    test_zero(asker);
    asked = NULL;
    starts = cancels = 0;
    test_open(&world);
    ck_assert_int_eq(
        PT_START(&world.loop, &asker, asker, .start = ask, .cancel = cancel, .goes_on = true),
        PT_OK);
    turn(0);
}

/* No remote is left open, nor is anything in the inbox. */
static void close_asker(void)
{
    ck_assert(pt_task_done(&asker.task));
    ck_assert_int_eq(starts, 1);
    ck_assert(!pt_loop_posted(&world.loop));
    ck_assert_int_eq(pt_loop_run(&world.loop), PT_OK);
    ck_assert_uint_eq(pt_loop_remotes_(&world.loop), 0);
    test_close(&world);
}

START_TEST(a_task_gets_the_code_and_the_value_of_foreign_code)
{
    open_asker(keep, note);
    turn(1);
    ck_assert_int_eq(starts, 1);
    answer(7, -100);
    turn(2);
    ck_assert_trace("-100,7 ");
    turn(3);
    ck_assert_trace("on end@3 ");
    ck_assert_int_eq(cancels, 0);
    close_asker();
}
END_TEST

START_TEST(foreign_code_can_be_done_within_its_start)
{
    open_asker(fail_at_once, note);
    turn(1);
    turn(2);
    ck_assert_trace("-12,0 on end@2 ");
    ck_assert_int_eq(cancels, 0);
    close_asker();
}
END_TEST

START_TEST(a_wake_does_not_end_a_wait_for_foreign_code)
{
    open_asker(keep, note);
    pt_wake(&asker.task);
    turn(1);
    ck_assert_trace("");
    answer(1, PT_OK);
    turn(2);
    turn(3);
    ck_assert_trace("0,1 on end@3 ");
    close_asker();
}
END_TEST

START_TEST(a_frame_can_ask_foreign_code_again)
{
    for (int i = 0; i < 2; i++) {
        open_asker(keep, NULL);
        answer(i, PT_OK);
        turn(1);
        turn(2);
        ck_assert_trace(i ? "0,1 on end@2 " : "0,0 on end@2 ");
        close_asker();
    }
}
END_TEST

START_TEST(an_operation_of_foreign_code_can_be_a_task)
{
    static PT_TASK(pt_foreign) task;

    test_zero(task);
    starts = 0;
    test_open(&world);
    ck_assert_int_eq(PT_START(&world.loop, &task, pt_foreign, .start = keep), PT_OK);
    turn(0);
    ck_assert_ptr_eq(asked, &task.frame);
    ck_assert_int_eq(pt_foreign_done(asked, PT_ENOMEM), PT_OK);
    turn(1);
    ck_assert_int_eq(pt_task_status(&task.task), PT_ENOMEM);
    test_close(&world);
}
END_TEST

#if PT_INSPECT
START_TEST(a_task_is_shown_to_wait_for_foreign_code)
{
    open_asker(keep, NULL);
    ck_assert_str_eq(pt_task_doing(&asker.task), "waits for foreign code");
    answer(0, PT_OK);
    turn(1);
    turn(2);
    close_asker();
    trace_take();
}
END_TEST
#endif

#if PT_NESTING
START_TEST(foreign_code_of_a_nested_loop_tells_the_outermost_one)
{
    static PT_TASK(pt_loop_async) host;
    static PT_LOOP_STORAGE(2) storage;
    struct pt_loop inner;

    test_zero(asker);
    test_zero(host);
    starts = 0;
    test_open(&world);
    pt_loop_init(&inner, TEST_START);
    pt_loop_use(&inner, &storage);
    ck_assert_int_eq(PT_START(&world.loop, &host, pt_loop_async, .loop = &inner), PT_OK);
    ck_assert_int_eq(PT_START(&inner, &asker, asker, .start = keep), PT_OK);
    turn(0);
    answer(3, PT_OK);
    ck_assert(pt_loop_posted(&world.loop));
    turn(1);
    ck_assert_trace("0,3 end@1 ");
    ck_assert(!pt_loop_live(&inner));
    turn(2);
    pt_loop_close(&inner);
    test_close(&world);
}
END_TEST
#endif

#if PT_CANCEL && PT_CLEANUP

START_TEST(a_canceled_task_waits_until_foreign_code_has_called_back)
{
    open_asker(keep, note);
    pt_cancel(&asker.task, PT_ECANCELED);
    turn(1);
    ck_assert_int_eq(cancels, 1);
    ck_assert(!pt_task_done(&asker.task));
    pt_cancel(&asker.task, PT_ECANCELED);
    turn(2);
    ck_assert_int_eq(cancels, 1);
    ck_assert_trace("");
    answer(9, PT_OK); /* it may still write to the frame */
    turn(3);
    ck_assert_trace("end@3 ");
    ck_assert_int_eq(asker.frame.answer, 9);
    ck_assert_int_eq(pt_task_status(&asker.task), PT_ECANCELED);
    close_asker();
}
END_TEST

START_TEST(a_cancel_after_which_no_callback_comes_ends_the_wait_itself)
{
    open_asker(keep, give_up);
    pt_cancel(&asker.task, PT_ECANCELED);
    turn(1);
    turn(2);
    ck_assert_trace("end@2 ");
    ck_assert_int_eq(cancels, 1);
    ck_assert_int_eq(pt_task_status(&asker.task), PT_ECANCELED);
    close_asker();
}
END_TEST

START_TEST(a_canceled_task_waits_for_foreign_code_that_cannot_be_canceled)
{
    open_asker(keep, NULL);
    pt_cancel(&asker.task, PT_ECANCELED);
    turn(1);
    ck_assert_trace("");
    answer(0, PT_OK);
    turn(2);
    ck_assert_trace("end@2 ");
    close_asker();
}
END_TEST

START_TEST(what_foreign_code_has_done_before_a_cancel_counts)
{
    open_asker(keep, note);
    answer(5, PT_OK);
    turn(1);
    ck_assert_trace("0,5 ");
    turn(2);
    close_asker();
    trace_take();
    open_asker(keep, note);
    answer(5, PT_OK);
    pt_remotes_act_(&world.loop,
                    pt_inbox_take_(&world.loop.inbox)); /* as a close of another does */
    pt_cancel(&asker.task, PT_ECANCELED);
    turn(1);
    ck_assert_trace("0,5 "); /* it continues to its next wait, and ends there */
    turn(2);
    ck_assert_trace("end@2 ");
    ck_assert_int_eq(cancels, 0);
    ck_assert_int_eq(pt_task_status(&asker.task), PT_ECANCELED);
    close_asker();
}
END_TEST

START_TEST(a_post_of_foreign_code_that_the_loop_has_not_taken_up_is_later_than_a_cancel)
{
    open_asker(keep, note);
    answer(5, PT_OK);
    pt_cancel(&asker.task, PT_ECANCELED);
    turn(1);
    ck_assert_trace("end@1 ");
    ck_assert_int_eq(cancels, 0);
    ck_assert_int_eq(asker.frame.answer, 5); /* for the cleanup, which sees it */
    close_asker();
}
END_TEST

START_TEST(a_cancel_before_the_callback_calls_cancel_in_the_turn_of_both)
{
    open_asker(keep, note);
    pt_cancel(&asker.task, PT_ECANCELED);
    answer(5, PT_OK);
    turn(1);
    ck_assert_trace("end@1 ");
    ck_assert_int_eq(cancels, 0); /* the post was first in the turn: there is nothing to cancel */
    ck_assert_int_eq(pt_task_status(&asker.task), PT_ECANCELED);
    close_asker();
}
END_TEST

#if PT_TIMEOUTS
struct limited {
    struct pt pt;
    struct pt_scope limit;
    struct pt_foreign asking;
    int value;
};

static PT_ASYNC(limited, self)
{
    PT_WITH_TIMEOUT(&self->limit, PT_MS(5)) {
        PT_WAIT_COMPLETE(&self->asking, pt_foreign, .start = keep, .cancel = note,
                         .argument = self);
    }
    trace_add("%d@%d ", pt_timed_out(&self->limit), test_ms(PT_NOW()));
}
PT_END

START_TEST(a_block_whose_time_is_over_ends_when_foreign_code_has_called_back)
{
    static PT_TASK(limited) limited;

    test_zero(limited);
    starts = cancels = 0;
    test_open(&world);
    ck_assert_int_eq(PT_START(&world.loop, &limited, limited), PT_OK);
    turn(0);
    turn(5);
    ck_assert_int_eq(cancels, 1);
    ck_assert_trace("");
    ck_assert_int_eq(pt_foreign_done(asked, PT_OK), PT_OK);
    turn(8);
    ck_assert_trace("1@8 ");
    test_close(&world);
}
END_TEST
#endif

#if TEST_NATIVE
static pt_status ask_natively(struct pt_native *self)
{
    struct asker local; /* the foreign code writes to the stack */
    pt_status status;

    test_zero(local);
    status = pt_native_call(self, &local.asking, pt_foreign, .start = keep, .cancel = note,
                            .argument = &local);
    trace_add("%d,%d@%d ", status, local.answer, now_of(self));
    return status;
}

START_TEST(a_native_task_awaits_foreign_code_with_a_frame_on_its_stack)
{
    open_natives();
    starts = cancels = 0;
    start(0, ask_natively);
    turn(0);
    answer(6, PT_OK);
    turn(1);
    ck_assert_trace("0,6@1 ");
    test_close(&world);
}
END_TEST

START_TEST(a_canceled_native_task_waits_until_foreign_code_has_called_back)
{
    open_natives();
    starts = cancels = 0;
    start(0, ask_natively);
    turn(0);
    pt_cancel(&natives[0].task, PT_ECANCELED);
    turn(1);
    ck_assert_int_eq(cancels, 1);
    ck_assert_trace("");
    answer(6, PT_OK);
    turn(2);
    turn(3);
    ck_assert_trace("-1,6@2 ");
    ck_assert_int_eq(pt_task_status(&natives[0].task), PT_ECANCELED);
    test_close(&world);
}
END_TEST
#endif
#endif

Suite *suite_foreign(void)
{
    Suite *suite = test_suite("foreign");

    test_add(suite, a_task_gets_the_code_and_the_value_of_foreign_code);
    test_add(suite, foreign_code_can_be_done_within_its_start);
    test_add(suite, a_wake_does_not_end_a_wait_for_foreign_code);
    test_add(suite, a_frame_can_ask_foreign_code_again);
    test_add(suite, an_operation_of_foreign_code_can_be_a_task);
#if PT_INSPECT
    test_add(suite, a_task_is_shown_to_wait_for_foreign_code);
#endif
#if PT_NESTING
    test_add(suite, foreign_code_of_a_nested_loop_tells_the_outermost_one);
#endif
#if PT_CANCEL && PT_CLEANUP
    test_add(suite, a_canceled_task_waits_until_foreign_code_has_called_back);
    test_add(suite, a_cancel_after_which_no_callback_comes_ends_the_wait_itself);
    test_add(suite, a_canceled_task_waits_for_foreign_code_that_cannot_be_canceled);
    test_add(suite, what_foreign_code_has_done_before_a_cancel_counts);
    test_add(suite, a_post_of_foreign_code_that_the_loop_has_not_taken_up_is_later_than_a_cancel);
    test_add(suite, a_cancel_before_the_callback_calls_cancel_in_the_turn_of_both);
#if PT_TIMEOUTS
    test_add(suite, a_block_whose_time_is_over_ends_when_foreign_code_has_called_back);
#endif
#if TEST_NATIVE
    test_add(suite, a_native_task_awaits_foreign_code_with_a_frame_on_its_stack);
    test_add(suite, a_canceled_native_task_waits_until_foreign_code_has_called_back);
#endif
#endif
    return suite;
}

#else

Suite *suite_foreign(void)
{
    return test_suite("foreign");
}

#endif
