/* test_native_cancel.c - a native task is canceled in every kind of wait; then it cleans up
 * SPDX-License-Identifier: MIT */
#include "test_native.h"

#if TEST_NATIVE

#define REASON ((pt_status)-70) /* a code of the program's own */

static struct pt_event event;
static struct pt_lock lock;
static struct pt_semaphore semaphore;
static struct pt_condition condition;
static PT_CHANNEL(int) channel;

struct sleeper {
    struct pt pt;
};

static PT_ASYNC(sleeper, self)
{
    PT_WAIT(PT_MS(50));
    PT_FINALLY
    trace_add("leaf ");
    PT_WAIT(PT_MS(1));
}
PT_END

/* --- what a body can be doing --- */

static pt_status yield_deed(struct pt_native *self)
{
    pt_status status;

    do
        status = pt_native_yield(self);
    while (status == PT_OK);
    return status;
}

static pt_status sleep_deed(struct pt_native *self)
{
    return pt_native_wait(self, PT_MS(50));
}

static pt_status receive_deed(struct pt_native *self)
{
    int number;

    return pt_native_recv(self, &channel, &number);
}

static pt_status send_deed(struct pt_native *self)
{
    int number = 1;

    return pt_native_send(self, &channel, &number);
}

static pt_status event_deed(struct pt_native *self)
{
    return pt_native_wait_event(self, &event);
}

static pt_status lock_deed(struct pt_native *self)
{
    pt_status status = pt_native_lock(self, &lock);

    ck_assert(!pt_native_holds(self, &lock));
    return status;
}

static pt_status acquire_deed(struct pt_native *self)
{
    return pt_native_acquire(self, &semaphore);
}

static pt_status condition_deed(struct pt_native *self)
{
    struct pt_lock mine;
    pt_status status;

    pt_lock_init(&mine);
    ck_assert_int_eq(pt_native_lock(self, &mine), PT_OK);
    status = pt_native_wait_condition(self, &condition, &mine);
    ck_assert(pt_native_holds(self, &mine));
    ck_assert_int_eq(pt_native_unlock(self, &mine), PT_OK);
    return status;
}

static pt_status select_deed(struct pt_native *self)
{
    PT_SELECTION(3) choice;
    int number;

    pt_select_init(&choice);
    pt_native_select(self, &choice, PT_CASE_EVENT(&event), PT_CASE_RECV(&channel, &number),
                     PT_CASE_AFTER(PT_MS(50)));
    ck_assert_int_eq(PT_SELECTED(&choice), PT_SELECT_NONE);
    return self->pt.status;
}

static pt_status join_deed(struct pt_native *self)
{
    return pt_native_join(self, &natives[5].task); /* which sleeps */
}

static pt_status call_deed(struct pt_native *self)
{
    struct sleeper sleeper;

    return pt_native_call(self, &sleeper, sleeper);
}

static pt_status call_native_deed(struct pt_native *self)
{
    struct pt_native inner;
    pt_status status = pt_native_call(self, &inner, ON(1, call_deed));

    ck_assert_int_eq(inner.pt.status, REASON);
    return status;
}

static pt_status timeout_deed(struct pt_native *self)
{
    struct pt_scope outer, inner;
    pt_status status;

    pt_native_timeout(self, &outer, PT_MS(20));
    pt_native_timeout(self, &inner, PT_MS(10));
    status = pt_native_wait(self, PT_MS(50));
    ck_assert(!self->task->scopes); /* the cancel closed them */
    ck_assert(!pt_native_timeout_end(self, &inner));
    ck_assert(!pt_native_timeout_end(self, &outer));
    return status;
}

static const struct {
    const char *name;
    pt_native_function *does;
    const char *trace; /* what it traces; its cleanup ends 2 ms after it begins */
} deeds[] = {
    {"sleeps", sleep_deed, "done@3 "},
    {"yields", yield_deed, "done@3 "},
    {"parks", pt_native_park, "done@3 "},
    {"receives", receive_deed, "done@3 "},
    {"sends", send_deed, "done@3 "},
    {"waits for an event", event_deed, "done@3 "},
    {"waits for a lock", lock_deed, "done@3 "},
    {"waits for a semaphore", acquire_deed, "done@3 "},
    {"waits for a condition", condition_deed, "done@3 "},
    {"selects", select_deed, "done@3 "},
    {"joins", join_deed, "done@3 "},
    {"awaits a stackless function", call_deed, "leaf leaf done@5 "},
    {"awaits a native function", call_native_deed, "leaf leaf done@5 "},
    {"has two timeouts", timeout_deed, "done@3 "},
};

enum { DEEDS = sizeof deeds / sizeof deeds[0] };

static pt_status suicide(struct pt_native *self)
{
    pt_cancel(self->task, REASON);
    trace_add("runs on ");
    return sleep_deed(self);
}

static pt_native_function *does; /* what the body of this test does */

/* Waits until it is canceled, then cleans up. The cleanup waits and is not interrupted. */
static pt_status act(struct pt_native *self)
{
    struct pt_scope limit;
    pt_status status = does(self);

    ck_assert_int_eq(status, REASON);
    ck_assert_int_eq(does == suicide ? pt_native_park(self) : does(self), REASON);
    pt_native_cleanup(self);
    ck_assert_int_eq(pt_native_wait(self, PT_MS(1)), PT_OK);
    pt_cancel(self->task, PT_ECANCELED); /* a second one has no effect */
    ck_assert_int_eq(pt_native_timeout(self, &limit, PT_MS(1)), PT_OK);
    ck_assert_int_eq(pt_native_park(self), PT_ETIMEDOUT); /* but the cleanup's own timeout has */
    ck_assert(pt_native_timeout_end(self, &limit));
    trace_add("done@%d ", now_of(self));
    return status;
}

static void open_deed(pt_native_function *deed)
{
    does = deed;
    open_natives();
    pt_event_init(&event);
    pt_lock_init(&lock);
    lock.owner = &natives[5].task;
    pt_semaphore_init(&semaphore, 0, 1);
    pt_condition_init(&condition);
    pt_channel_init(&channel.channel, PT_PREFER_NEITHER);
    start(5, sleep_deed);
    start(0, act);
}

static void close_deed(const char *trace)
{
    pt_cancel(&natives[5].task, REASON);
    run_world(trace);
    ck_assert_int_eq(pt_task_status(&natives[0].task), REASON);
    ck_assert_int_eq(pt_channel_balance(&channel.channel), 0);
    ck_assert(!event.waiters.first);
    ck_assert(!pt_wait_queue_first_(&lock.waiters) && !pt_wait_queue_first_(&semaphore.waiters) &&
              !pt_wait_queue_first_(&condition.waiters));
}

START_TEST(a_native_task_is_canceled_in_any_wait_and_its_cleanup_can_wait)
{
    for (int i = 0; i < DEEDS; i++) {
        open_deed(deeds[i].does);
        turn(0);
        turn(1);
        pt_cancel(&natives[0].task, REASON);
        close_deed(deeds[i].trace);
    }
}
END_TEST

START_TEST(a_cancel_resumes_a_paused_native_task)
{
    open_deed(sleep_deed);
    turn(0);
    pt_pause(&natives[0].task);
    turn(1);
    pt_cancel(&natives[0].task, REASON);
    close_deed("done@3 ");
}
END_TEST

START_TEST(a_native_task_that_is_canceled_before_its_first_turn_runs_to_its_first_wait)
{
    char trace[32];

    for (int i = 0; i < DEEDS; i++) {
        strcpy(trace, deeds[i].trace);
        trace[strlen(trace) - 2]--; /* it is canceled 1 ms earlier */
        open_deed(deeds[i].does);
        pt_cancel(&natives[0].task, REASON);
        close_deed(trace);
    }
}
END_TEST

static int told;

/* A body that ignores the code three times before it ends. */
static pt_status stubborn(struct pt_native *self)
{
    pt_status status = PT_OK;
    int number = 0;

    for (told = 0; told < 3; told += status == REASON)
        status = told == 1 ? pt_native_recv(self, &channel, &number) : sleep_deed(self);
    trace_add("%d@%d ", pt_native_send(self, &channel, &number), now_of(self));
    return status;
}

START_TEST(a_canceled_native_task_gets_the_code_at_each_operation_that_would_wait)
{
    open_deed(sleep_deed);
    natives[0].frame.function = stubborn;
    turn(0);
    turn(1);
    pt_cancel(&natives[0].task, REASON);
    close_deed("-70@1 ");
    ck_assert_int_eq(told, 3);
}
END_TEST

static pt_status need_not_wait(struct pt_native *self)
{
    ck_assert_int_eq(sleep_deed(self), REASON);
    ck_assert_int_eq(pt_native_acquire(self, &semaphore), PT_OK);
    return pt_native_acquire(self, &semaphore);
}

START_TEST(a_canceled_native_task_can_still_do_what_does_not_wait)
{
    open_deed(sleep_deed);
    natives[0].frame.function = need_not_wait;
    turn(0);
    pt_semaphore_release(&semaphore);
    pt_cancel(&natives[0].task, REASON);
    close_deed("");
    ck_assert_int_eq(semaphore.count, 0);
}
END_TEST

/* Two nested cleanups, and what is interrupted between and after them. */
static pt_status clean_twice(struct pt_native *self)
{
    struct sleeper sleeper;

    pt_native_cleanup(self);
    pt_cancel(self->task, REASON);
    ck_assert_int_eq(pt_native_wait(self, PT_MS(1)), PT_OK);
    pt_native_cleanup(self);
    ck_assert_int_eq(pt_native_wait(self, PT_MS(1)), PT_OK);
    pt_native_cleanup_end(self);
    ck_assert_int_eq(pt_native_call(self, &sleeper, sleeper), PT_OK);
    pt_native_cleanup_end(self);
    ck_assert_int_eq(pt_native_wait(self, PT_MS(1)), REASON);
    ck_assert_int_eq(pt_native_yield(self), REASON);
    pt_native_cleanup(self);
    ck_assert_int_eq(pt_native_wait(self, PT_MS(1)), PT_OK);
    trace_add("done@%d ", now_of(self));
    return REASON;
}

static pt_status clean_within(struct pt_native *self)
{
    struct pt_native inner;
    pt_status status = pt_native_call(self, &inner, ON(1, clean_twice));

    ck_assert_int_eq(inner.pt.status, REASON);
    ck_assert_int_eq(pt_native_park(self), REASON);
    return status;
}

START_TEST(nested_native_cleanups_defer_a_cancel_until_after_them)
{
    open_deed(sleep_deed);
    natives[0].frame.function = clean_twice;
    close_deed("leaf done@54 ");
    open_deed(sleep_deed);
    natives[0].frame.function = clean_within;
    close_deed("leaf done@54 ");
}
END_TEST

/* A helper, called in a cleanup, has its own cleanup; after that, it is still not interrupted. */
static pt_status help(struct pt_native *self)
{
    pt_native_cleanup(self);
    ck_assert_int_eq(pt_native_wait(self, PT_MS(1)), PT_OK);
    pt_native_cleanup_end(self);
    ck_assert_int_eq(self->pt.cleaning & 1, 0); /* its own has ended, its caller's has not */
    return pt_native_wait(self, PT_MS(1));
}

static pt_status be_helped(struct pt_native *self)
{
    struct pt_native inner;

    ck_assert_int_eq(sleep_deed(self), REASON);
    pt_native_cleanup(self);
    ck_assert_int_eq(pt_native_call(self, &inner, ON(1, help)), PT_OK);
    ck_assert_int_eq(pt_native_wait(self, PT_MS(1)), PT_OK);
    trace_add("done@%d ", now_of(self));
    return REASON;
}

START_TEST(a_native_function_awaited_in_a_cleanup_is_not_ended_after_its_own_cleanup)
{
    open_deed(sleep_deed);
    natives[0].frame.function = be_helped;
    turn(0);
    pt_cancel(&natives[0].task, REASON);
    close_deed("done@3 ");
}
END_TEST

START_TEST(a_native_task_that_cancels_itself_ends_at_its_next_wait)
{
    open_deed(suicide);
    turn(0);
    turn(0);
    turn(0);
    turn(1);
    turn(2);
    close_deed("runs on done@2 ");
}
END_TEST

START_TEST(a_native_task_keeps_what_it_was_given_before_its_cancel)
{
    open_deed(acquire_deed);
    natives[0].frame.function = acquire_deed; /* without the assertions of act */
    turn(0);
    pt_semaphore_release(&semaphore);
    pt_cancel(&natives[0].task, REASON);
    pt_cancel(&natives[5].task, REASON);
    run_world("");
    ck_assert_int_eq(pt_task_status(&natives[0].task), PT_OK);
    ck_assert_int_eq(semaphore.count, 0);
}
END_TEST

START_TEST(a_cancel_of_a_native_task_that_is_done_has_no_effect)
{
    open_deed(sleep_deed);
    turn(0);
    pt_cancel(&natives[0].task, REASON);
    close_deed("done@2 ");
    pt_cancel(&natives[0].task, PT_EIO);
    ck_assert_int_eq(pt_task_status(&natives[0].task), REASON);
}
END_TEST

#if PT_NESTING
START_TEST(a_canceled_nested_loop_ends_its_native_tasks)
{
    static PT_TASK(pt_loop_async) inner_task;
    struct pt_loop inner;

    open_deed(sleep_deed);
    test_zero(inner_task);
    pt_loop_open(&inner, &world.clock.port);
    PT_START(&inner, &natives[1], ON(1, act));
    PT_START(&world.loop, &inner_task, pt_loop_async, .loop = &inner);
    turn(0);
    turn(1);
    pt_loop_cancel(&world.loop, REASON);
    pt_loop_cancel(&inner, REASON);
    ck_assert_int_eq(pt_loop_run(&world.loop), PT_OK);
    pt_loop_close(&inner);
    close_deed("done@3 done@3 ");
}
END_TEST
#endif

Suite *suite_native_cancel(void)
{
    Suite *suite = test_suite("native_cancel");

    test_add(suite, a_native_task_is_canceled_in_any_wait_and_its_cleanup_can_wait);
    test_add(suite, a_canceled_native_task_gets_the_code_at_each_operation_that_would_wait);
    test_add(suite, a_canceled_native_task_can_still_do_what_does_not_wait);
    test_add(suite, nested_native_cleanups_defer_a_cancel_until_after_them);
    test_add(suite, a_native_function_awaited_in_a_cleanup_is_not_ended_after_its_own_cleanup);
    test_add(suite, a_cancel_resumes_a_paused_native_task);
    test_add(suite, a_native_task_that_is_canceled_before_its_first_turn_runs_to_its_first_wait);
    test_add(suite, a_native_task_that_cancels_itself_ends_at_its_next_wait);
    test_add(suite, a_native_task_keeps_what_it_was_given_before_its_cancel);
    test_add(suite, a_cancel_of_a_native_task_that_is_done_has_no_effect);
#if PT_NESTING
    test_add(suite, a_canceled_nested_loop_ends_its_native_tasks);
#endif
    return suite;
}

#else

Suite *suite_native_cancel(void)
{
    return test_suite("native_cancel");
}

#endif
